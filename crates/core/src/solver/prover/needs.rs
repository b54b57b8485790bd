//! [`Need`]: what requests of a case want, those that are alike together.

use super::case::Case;
use crate::bitmap::Bitmap;
use crate::solver::problem::Problem;

/// How many devices are given, by need.
pub(super) type Vector = Vec<usize>;

/// Are requests that can have the same devices in the same way.
pub(super) struct Need {
    /// The plan of the first of them.
    pub(super) plan: usize,
    pub(super) candidates: Bitmap,
    pub(super) requests: usize,
    /// How many devices all of them need.
    pub(super) needed: usize,
}

/// Returns the needs of requests, in order; `are_alike` says of two plans with the
/// same candidates whether they may be one need.
pub(super) fn needs(
    problem: &Problem<'_>,
    case: &Case,
    requests: &[usize],
    mut are_alike: impl FnMut(usize, usize, &Bitmap) -> bool,
) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for request in requests {
        let Some((plan, candidates)) = case.only(problem, *request) else {
            continue;
        };
        let amounts = |plan: usize| &problem.plans[plan].amounts;
        let is_like = |need: &&mut Need| {
            need.candidates == *candidates
                && amounts(need.plan) == amounts(plan)
                && are_alike(need.plan, plan, candidates)
        };
        let needed = case.open(problem, plan);
        match needs.iter_mut().find(is_like) {
            Some(need) => {
                need.requests += 1;
                need.needed = need.needed.saturating_add(needed);
            }
            None => needs.push(Need {
                plan,
                candidates: candidates.clone(),
                requests: 1,
                needed,
            }),
        }
    }
    needs
}
