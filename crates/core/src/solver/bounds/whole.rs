//! What bounds say of a problem of which nothing is picked.

use super::{Rest, count, is_unmatched, values};
use crate::budget::{Budget, Meter};
use crate::outcome::Reason;
use crate::solver::problem::{Later, Problem};

/// Returns why there is no solution, if the bounds can tell.
pub(in crate::solver) fn refuse_all(
    problem: &Problem<'_>,
    meter: &mut Meter<'_>,
) -> Option<Reason> {
    let end = problem.requests.len();
    if let Some(request) = (0..end).find(|request| is_short(problem, *request)) {
        let plan = problem.plans_of(request).first();
        let (claim, request) = plan.map_or((0, 0), |plan| (plan.claim, plan.request_of_claim));
        return Some(Reason::Request { claim, request });
    }
    let later = Later::all(0, end);
    if is_unmatched(problem, later, meter) {
        return Some(Reason::Count);
    }
    let rest = Rest {
        current: None,
        later,
    };
    values::are_short(problem, rest).then_some(Reason::Exhausted)
}

/// Returns whether no alternative of a request has enough devices.
fn is_short(problem: &Problem<'_>, request: usize) -> bool {
    count::is_hopeless(problem, Later::all(request, request + 1))
}

/// Returns the requests of which no alternative has enough devices, with the
/// place of the claim.
pub(crate) fn short_requests(problem: &Problem<'_>) -> Vec<(usize, String)> {
    let name = |request| {
        let plan = problem.plans_of(request).first();
        plan.map(|plan| (plan.claim, plan.alternative.name.request().to_owned()))
    };
    (0..problem.requests.len())
        .filter(|request| is_short(problem, *request))
        .filter_map(name)
        .collect()
}

/// Returns whether the requests together want more devices than there are.
pub(crate) fn is_short_together(problem: &Problem<'_>) -> bool {
    let mut meter = Budget::new().meter();
    is_unmatched(problem, Later::all(0, problem.requests.len()), &mut meter)
}
