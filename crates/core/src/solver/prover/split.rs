//! [`Split`]: how a case falls into others, and which way is best.

use super::case::{Case, Got};
use super::count::groups;
use super::{End, Prover};
use crate::constraint::Trail;
use crate::outcome::StopCause;
use crate::solver::problem::{Problem, Propagator};

/// How many requests are looked at for a split by devices.
const REQUESTS: usize = 4;

/// Is a way to tell cases apart.
pub(super) enum Split {
    /// The plans that a request has left.
    Alternatives(usize, Vec<usize>),
    /// A constraint and the values that are possible, by their numbers.
    Values(usize, Vec<u32>),
    /// A plan, and devices by groups that nothing tells apart.
    Devices(usize, Vec<Vec<usize>>),
}

impl Split {
    /// Returns how many cases it has.
    pub(super) fn branches(&self) -> usize {
        match self {
            Self::Alternatives(_, plans) => plans.len(),
            Self::Values(_, values) => values.len(),
            Self::Devices(_, groups) => groups.len() + 1,
        }
    }

    /// Assumes what one of the cases assumes.
    pub(super) fn assume(
        &self,
        branch: usize,
        case: &mut Case,
        problem: &mut Problem<'_>,
        trail: &mut Trail,
    ) {
        match self {
            Self::Alternatives(_, plans) => {
                if let Some(plan) = plans.get(branch) {
                    case.choose(problem, *plan);
                }
            }
            Self::Values(constraint, values) => {
                if let Some(value) = values.get(branch) {
                    case.restrict(problem, *constraint, *value);
                }
            }
            Self::Devices(plan, groups) => {
                let before = groups.iter().take(branch).flatten();
                before.for_each(|device| case.deny(*plan, *device));
                if let Some(device) = groups.get(branch).and_then(|group| group.first()) {
                    let got = Got {
                        plan: *plan,
                        device: *device,
                    };
                    case.give(problem, got, trail);
                }
            }
        }
    }
}

impl Prover<'_, '_, '_, '_> {
    /// Returns the split of which fewest cases are to be split again.
    pub(super) fn best_split(&mut self, case: &Case) -> Result<Option<Split>, End> {
        let mut best: Option<((usize, usize), Split)> = None;
        for split in self.splits(case) {
            let open = self.open_cases(case, &split)?;
            let score = (open, split.branches());
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, split));
            }
            if open == 0 {
                break;
            }
        }
        Ok(best.map(|(_, split)| split))
    }

    /// Returns how many cases of a split no simple sum ends.
    fn open_cases(&mut self, case: &Case, split: &Split) -> Result<usize, StopCause> {
        let mut open = 0;
        for branch in 0..split.branches() {
            let mark = self.trail.mark();
            let mut inner = case.clone();
            split.assume(branch, &mut inner, self.problem, &mut self.trail);
            let leaf = self.simple_leaf(&inner);
            self.problem.undo(mark, &mut self.trail);
            open += usize::from(leaf?.is_none());
        }
        Ok(open)
    }

    fn splits(&self, case: &Case) -> Vec<Split> {
        let problem = &*self.problem;
        let mut splits = Vec::new();
        let requests = 0..problem.requests.len();
        for request in requests.clone() {
            let plans: Vec<usize> = case.left(problem, request).map(|(plan, _)| plan).collect();
            if plans.len() > 1 {
                splits.push(Split::Alternatives(request, plans));
            }
        }
        for constraint in 0..problem.constraints.len() {
            splits.extend(values(problem, case, constraint));
        }
        // Those with least choice, as they need most of it.
        let mut plans: Vec<(usize, usize, usize)> = requests
            .filter_map(|request| {
                let (plan, candidates) = case.only(problem, request)?;
                let open = case.open(problem, plan);
                (open > 0).then_some((candidates.len().saturating_sub(open), plan, open))
            })
            .collect();
        plans.sort_unstable();
        for (_, plan, open) in plans.into_iter().take(REQUESTS) {
            let goal = self.goal.as_ref();
            let counts_alike = |one, other| goal.is_none_or(|goal| goal.counts_alike(one, other));
            let mut groups = groups(problem, case, plan, &self.names.order, counts_alike);
            // With the last ones alone there are too few.
            let mut rest = 0;
            while let Some(last) = groups.last()
                && rest + last.len() < open
            {
                rest += last.len();
                groups.pop();
            }
            splits.push(Split::Devices(plan, groups));
        }
        splits
    }
}

/// Returns the split by what all devices of a constraint have in common, if
/// enough of them are sure to join it.
fn values(problem: &Problem<'_>, case: &Case, id: usize) -> Option<Split> {
    let (joined, mut common) = common(problem, case, id)?;
    let sets = &problem.constraints[id].sets;
    common.sort_by_key(|value| sets.value(*value));
    // A single device has a value anyway. What all have already tells nothing apart.
    let is_new = match common.as_slice() {
        [only] => is_lacked(problem, case, id, *only),
        _ => true,
    };
    (joined > 1 && is_new).then_some(Split::Values(id, common))
}

/// Returns whether some candidate that would join a constraint lacks a value.
fn is_lacked(problem: &Problem<'_>, case: &Case, id: usize, value: u32) -> bool {
    let sets = &problem.constraints[id].sets;
    (0..problem.requests.len()).any(|request| {
        let shown = case.shown(problem, request, id);
        shown
            .into_iter()
            .any(|set| !sets.values(set).contains(&value))
    })
}

/// Returns how many devices are sure to join a constraint, and the values that
/// all of them can have; nothing if they may have none in common.
pub(super) fn common(problem: &Problem<'_>, case: &Case, id: usize) -> Option<(usize, Vec<u32>)> {
    let constraint = &problem.constraints[id];
    let Propagator::Match(_) = constraint.propagator else {
        return None;
    };
    let mut common: Option<Vec<u32>> = None;
    let (mut joined, mut has_incomparable) = (0_usize, false);
    for request in 0..problem.requests.len() {
        let joining = case.joining(problem, request, id);
        if joining == 0 {
            continue;
        }
        joined = joined.saturating_add(joining);
        let mut values = Vec::new();
        for set in case.shown(problem, request, id) {
            has_incomparable |= constraint.sets.is_incomparable(set);
            values.extend(constraint.sets.values(set));
        }
        values.sort_unstable();
        values.dedup();
        common = Some(match common {
            None => values,
            Some(mut common) => {
                common.retain(|value| values.binary_search(value).is_ok());
                common
            }
        });
    }
    let common = common.filter(|_| joined > 1 || !has_incomparable)?;
    Some((joined, common))
}
