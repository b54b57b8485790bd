//! [`Solution`]: what a search chose.

use super::Problem;

/// Is one device picked for one plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pick {
    pub(crate) plan: usize,
    pub(crate) device: usize,
}

/// Is what the search chose: a plan for each request, and the picks in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Solution {
    /// By request.
    pub(crate) plans: Vec<usize>,
    pub(crate) picks: Vec<Pick>,
}

/// Returns choices in canonical order, so that they can be compared.
pub(in crate::solver) fn sequence(
    problem: &Problem<'_>,
    plans: &[usize],
    picks: &[Pick],
) -> Vec<usize> {
    let mut sequence = Vec::with_capacity(plans.len() + picks.len());
    for plan in plans {
        sequence.push(problem.plans[*plan].index);
        let of_plan = picks.iter().filter(|pick| pick.plan == *plan);
        sequence.extend(of_plan.map(|pick| pick.device));
    }
    sequence
}
