//! Reduces a question without an answer to what conflicts in it.
//!
//! A deletion filter: a part without which the rest still does not fit is left out
//! for good. What is left is irreducible, since leaving out more of a question never
//! makes it harder: each part that stayed was needed beside at least what stayed. Only
//! a share that is given back may: with the last one the counters of its device are
//! paid no more. So all is tried again after that.
//! Groups are tried first, so that large questions take few steps.

use std::ops::Range;

use super::asker::{Asker, Reply};
use super::members::{Found, Members};
use crate::claims::PreparedClaims;
use crate::outcome::Reason;

/// Returns members that conflict, for a question that does not fit for a reason.
pub(super) fn reduce(members: Members, reason: &Reason, asker: &mut Asker<'_>) -> Found {
    let mut filter = Filter {
        claims: members.narrowed(),
        members,
        asker,
        is_sure: true,
    };
    let (requests, constraints) = (filter.members.requests(), filter.members.constraints());
    if let Reason::Request { claim, request } = *reason
        && let Some(named) = filter.members.request(claim, request)
    {
        // The bound that says so looks at this request alone.
        let others = requests.clone().filter(|request| *request != named);
        let all: Vec<usize> = others.chain(constraints.clone()).collect();
        filter.leaves_out(&all);
    }
    let kept = |filter: &Filter<'_, '_>, range: Range<usize>| -> Vec<usize> {
        let kept = range.filter(|member| filter.members.is_kept(*member));
        kept.collect()
    };
    let all = kept(&filter, constraints.clone());
    if all.len() > 1 {
        filter.leaves_out(&all);
    }
    // The last first: what was asked first is named. Holders come when the question
    // is as small as it gets, so that it is compiled once for all of them.
    loop {
        for range in [constraints.clone(), requests.clone()] {
            let mut rest = kept(&filter, range);
            rest.reverse();
            filter.run(&rest);
        }
        let mut holders = kept(&filter, filter.members.holders());
        holders.reverse();
        filter.run(&holders);
        if !filter.lost_a_share(&holders) {
            break;
        }
    }
    let irreducible = filter.is_sure;
    filter.members.found(irreducible)
}

struct Filter<'f, 'w> {
    members: Members,
    /// The requests and constraints of the members that are kept.
    claims: PreparedClaims,
    asker: &'f mut Asker<'w>,
    is_sure: bool,
}

impl Filter<'_, '_> {
    /// Returns whether one of some holders that is left out has shares.
    fn lost_a_share(&self, holders: &[usize]) -> bool {
        let first = self.members.holders().start;
        let lost = holders
            .iter()
            .filter(|holder| !self.members.is_kept(**holder));
        let mut owners = lost.map(|holder| &self.members.owners[holder - first]);
        owners.any(|owner| self.asker.has_shares(owner))
    }

    /// Leaves out as many of some members as can be.
    fn run(&mut self, members: &[usize]) {
        // Twice as many after each success: few questions where few are needed.
        let (mut place, mut size) = (0, 1);
        while let Some(rest) = members.get(place..)
            && !rest.is_empty()
        {
            let group = &rest[..size.min(rest.len())];
            match self.leaves_out(group) {
                Some(true) => {
                    place += group.len();
                    size *= 2;
                }
                _ if group.len() > 1 => size = group.len().div_ceil(4),
                answer => {
                    self.is_sure &= answer.is_some();
                    place += 1;
                }
            }
        }
    }

    /// Leaves out members if the rest does not fit without them, too; returns
    /// whether it did, and none if it does not know.
    fn leaves_out(&mut self, group: &[usize]) -> Option<bool> {
        let changes_claims = group
            .iter()
            .any(|member| *member < self.members.holders().start);
        for member in group {
            self.members.keep(*member, false);
        }
        let claims = changes_claims.then(|| self.members.narrowed());
        let asked = claims.as_ref().unwrap_or(&self.claims);
        let reply = self.asker.ask(asked, self.members.released());
        if reply == Reply::Infeasible {
            if let Some(claims) = claims {
                self.claims = claims;
            }
            return Some(true);
        }
        for member in group {
            self.members.keep(*member, true);
        }
        (reply != Reply::Unknown).then_some(false)
    }
}
