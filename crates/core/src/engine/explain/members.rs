//! [`Members`]: the parts of a question that can be left out.

use crate::claims::PreparedClaims;
use crate::explain::{ConflictConstraint, ConflictRequest};
use crate::model::Str;

/// Lists the parts of a question, and which of them are in it.
pub(super) struct Members {
    /// Claim and place in the claim.
    requests: Vec<(usize, usize)>,
    constraints: Vec<(usize, usize)>,
    pub(super) owners: Vec<Str>,
    claims: PreparedClaims,
    /// By requests, then constraints, then owners.
    kept: Vec<bool>,
}

/// Names some of the members, once they are known to conflict.
pub(super) struct Found {
    pub(super) requests: Vec<ConflictRequest>,
    pub(super) constraints: Vec<ConflictConstraint>,
    pub(super) holders: Vec<Str>,
    pub(super) irreducible: bool,
    /// The requests and constraints alone.
    pub(super) claims: PreparedClaims,
    /// Owners that are no members.
    pub(super) others: Vec<Str>,
}

impl Members {
    pub(super) fn new(claims: &PreparedClaims, owners: Vec<Str>) -> Self {
        let places = |count: &dyn Fn(usize) -> usize| {
            let of_claim = |claim: usize| (0..count(claim)).map(move |place| (claim, place));
            (0..claims.len()).flat_map(of_claim).collect::<Vec<_>>()
        };
        let requests = places(&|claim| claims.claims()[claim].requests.len());
        let constraints = places(&|claim| {
            let claim = &claims.claims()[claim];
            claim.constraints.len() + claim.demands().len()
        });
        let kept = vec![true; requests.len() + constraints.len() + owners.len()];
        Self {
            requests,
            constraints,
            owners,
            claims: claims.clone(),
            kept,
        }
    }

    /// Returns the places of all requests.
    pub(super) fn requests(&self) -> std::ops::Range<usize> {
        0..self.requests.len()
    }

    /// Returns the places of all constraints.
    pub(super) fn constraints(&self) -> std::ops::Range<usize> {
        let first = self.requests.len();
        first..first + self.constraints.len()
    }

    /// Returns the places of all holders.
    pub(super) fn holders(&self) -> std::ops::Range<usize> {
        self.constraints().end..self.kept.len()
    }

    /// Returns the place of a request.
    pub(super) fn request(&self, claim: usize, request: usize) -> Option<usize> {
        self.requests
            .iter()
            .position(|one| *one == (claim, request))
    }

    pub(super) fn is_kept(&self, member: usize) -> bool {
        self.kept[member]
    }

    /// Takes a member out, or puts it back.
    pub(super) fn keep(&mut self, member: usize, kept: bool) {
        self.kept[member] = kept;
    }

    /// Returns the requests and constraints that are kept, as claims.
    pub(super) fn narrowed(&self) -> PreparedClaims {
        let constraints = self.constraints();
        let is_kept = |list: &[(usize, usize)], first: usize, wanted: (usize, usize)| {
            let place = list.binary_search(&wanted);
            place.is_ok_and(|place| self.kept[first + place])
        };
        self.claims.narrowed(
            |claim, request| is_kept(&self.requests, 0, (claim, request)),
            |claim, one| is_kept(&self.constraints, constraints.start, (claim, one)),
        )
    }

    /// Returns the holders that are taken out.
    pub(super) fn released(&self) -> impl Iterator<Item = &Str> {
        let kept = self.kept[self.holders()].iter();
        let owners = self.owners.iter().zip(kept);
        owners.filter(|(_, kept)| !**kept).map(|(owner, _)| owner)
    }

    /// Returns the members that are kept.
    pub(super) fn found(&self, irreducible: bool) -> Found {
        let kept = |place: usize| self.kept[place];
        let name = |claim: usize, request: usize| {
            let claim = &self.claims.claims()[claim];
            let first = claim.requests[request].alternatives.first();
            first.map_or_else(Str::default, |first| first.name.request().into())
        };
        let requests = self.requests.iter().zip(self.requests());
        let requests = requests.filter(|(_, place)| kept(*place));
        let requests = requests.map(|((claim, request), _)| ConflictRequest {
            claim: *claim,
            request: name(*claim, *request),
        });
        let constraints = self.constraints.iter().zip(self.constraints());
        let constraints = constraints.filter(|(_, place)| kept(*place));
        let constraints = constraints.map(|((claim, constraint), _)| ConflictConstraint {
            claim: *claim,
            constraint: *constraint,
        });
        let holders = self.owners.iter().zip(self.holders());
        let holders = holders.filter(|(_, place)| kept(*place));
        Found {
            requests: requests.collect(),
            constraints: constraints.collect(),
            holders: holders.map(|(owner, _)| owner.clone()).collect(),
            irreducible,
            claims: self.narrowed(),
            others: self.released().cloned().collect(),
        }
    }
}
