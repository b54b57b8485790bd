//! [`Best`]: the best of all answers, seen one by one.

use dralloc::Term;
use dralloc::model::{AllocationResult, DeviceHealth, PlacementPolicy, Topology};

use super::Solution;
use super::failure::Failure;
use super::objective::Objective;
use super::requests::Request;
use super::search::Progress;
use super::topology::{Demand, Machine, meets};
use super::world::World;
use crate::case::Case;

/// Says what is wanted of an answer.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Terms with the requests that they look at, the most important first.
    pub scopes: Vec<WishScope>,
    /// What went wrong with devices.
    pub healths: Vec<DeviceHealth>,
    /// Only answers that are worse than this count, if it is set.
    pub worse_than: Option<Vec<i64>>,
    /// Seconds since 1970; absent: failures count as if they were of now.
    pub now: Option<i64>,
    /// Documents that tell how devices are linked.
    pub topologies: Vec<Topology>,
    /// What placement policies require.
    pub demands: Vec<Demand>,
}

/// Is a list of terms and the requests that it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WishScope {
    /// Preferred levels and units, which count before the terms; the requests are those
    /// of the scope.
    pub preferred: PlacementPolicy,
    /// The terms, the most important first.
    pub terms: Vec<Term>,
    /// Places of the requests: that of the claim, and that in the claim.
    pub requests: Vec<(usize, usize)>,
}

impl WishScope {
    /// Returns the scope of all requests of a case.
    pub fn of_all(case: &Case, terms: Vec<Term>) -> Self {
        let claims = case.claims.iter().enumerate();
        let requests = claims.flat_map(|(claim, it)| {
            let requests = it.spec.devices.requests.len();
            (0..requests).map(move |request| (claim, request))
        });
        Self {
            terms,
            requests: requests.collect(),
            preferred: PlacementPolicy::default(),
        }
    }
}

/// Is the best answer, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// The values of all terms of all scopes, and one result per claim.
    Allocated(Vec<i64>, Vec<AllocationResult>),
    /// There is none.
    Other(Solution),
}

/// Keeps the best answer so far.
pub(super) struct Best<'a, 'w> {
    wish: &'w Wish,
    machine: Machine,
    found: Option<(Vec<i64>, Progress<'a, 'w>)>,
}

impl<'a, 'w> Best<'a, 'w> {
    pub(super) fn new(world: &World<'_>, wish: &'w Wish) -> Self {
        Self {
            machine: Machine::new(world, &wish.topologies),
            wish,
            found: None,
        }
    }

    /// Looks at an answer; of equal ones the first stays.
    pub(super) fn see(
        &mut self,
        world: &World<'_>,
        claims: &[Vec<Request<'_>>],
        progress: &Progress<'a, 'w>,
    ) -> Result<(), Failure> {
        let (machine, picks) = (&self.machine, &progress.picks);
        if !meets(machine, world.case, &self.wish.demands, picks) {
            return Ok(());
        }
        let mut values = Vec::new();
        for scope in &self.wish.scopes {
            let objective = Objective::new(world, claims, (self.wish, machine), scope, progress);
            values.extend(objective.preferences(scope, picks));
            for term in &scope.terms {
                values.push(objective.value(term)?);
            }
        }
        if self
            .wish
            .worse_than
            .as_ref()
            .is_some_and(|bar| values <= *bar)
        {
            return Ok(());
        }
        let is_better = |(best, _): &(Vec<i64>, _)| values < *best;
        if self.found.as_ref().is_none_or(is_better) {
            self.found = Some((values, progress.clone()));
        }
        Ok(())
    }

    pub(super) fn into_best(self) -> Option<(Vec<i64>, Progress<'a, 'w>)> {
        self.found
    }
}
