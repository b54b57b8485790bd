//! [`judge`]: what to make of two answers to one case.

use dralloc_testkit::case::{Answer, Case, Observed, OutcomeKind};
use dralloc_testkit::compare::{Difference, differences_from};

use crate::engine::Upstream;
use crate::kind::{Kind, order_dependent};
use crate::opinion::Opinion;

/// What two answers to a case are to each other.
pub(crate) enum Verdict {
    /// The same.
    Equal,
    /// Different, because of a known fault of Kubernetes' allocator.
    Known(Kind),
    /// Different, for these reasons.
    Unexplained(Vec<String>),
}

/// Compares the answer of the engine under test with that of Kubernetes'
/// allocator; where they differ, brute force decides.
pub(crate) fn judge(case: &Case, answer: &Answer, upstream: &Upstream) -> Verdict {
    let observed = match upstream {
        Upstream::Answer(observed) => observed,
        Upstream::Timeout => return unanswered(case, answer),
    };
    let found = differences_from(answer, observed);
    // A crash that is an error elsewhere still counts as a fault.
    if found.is_empty() && observed.outcome != OutcomeKind::Panic {
        return Verdict::Equal;
    }
    if finished(answer) && order_dependent(case) {
        return Verdict::Known(Kind::OrderDependent);
    }
    let mut reasons = describe("Kubernetes' allocator", &found);
    match Opinion::new(case).observed() {
        Some(right) => {
            let disagreement = differences_from(answer, &right);
            if disagreement.is_empty() {
                if let Some(kind) = Kind::of(case, observed) {
                    return Verdict::Known(kind);
                }
                reasons.push("brute force agrees with dralloc, but no fault is known".to_owned());
            } else {
                reasons.extend(describe("brute force", &disagreement));
                reasons.push(brute_force_and(observed, &right));
            }
        }
        None => reasons.push("brute force gave up".to_owned()),
    }
    Verdict::Unexplained(reasons)
}

/// Judges an answer where there is no other but that of brute force.
fn unanswered(case: &Case, answer: &Answer) -> Verdict {
    if answer.outcome == OutcomeKind::Unknown {
        return Verdict::Known(Kind::Timeout);
    }
    if !finished(answer) {
        let outcome = answer.outcome.as_str();
        return Verdict::Unexplained(vec![format!("dralloc: {outcome}")]);
    }
    let Some(right) = Opinion::new(case).observed() else {
        return Verdict::Known(Kind::Timeout);
    };
    let found = differences_from(answer, &right);
    if found.is_empty() {
        Verdict::Known(Kind::Timeout)
    } else {
        Verdict::Unexplained(describe("brute force", &found))
    }
}

fn finished(answer: &Answer) -> bool {
    matches!(
        answer.outcome,
        OutcomeKind::Allocated | OutcomeKind::Infeasible | OutcomeKind::Error
    )
}

/// Says whether brute force sides with Kubernetes' allocator.
fn brute_force_and(observed: &Observed, right: &Observed) -> String {
    let same = observed.outcome == right.outcome
        && observed.node_local == right.node_local
        && observed.results.is_some() == right.results.is_some();
    if same {
        "brute force has the outcome of Kubernetes' allocator".to_owned()
    } else {
        format!("brute force: {}", right.outcome.as_str())
    }
}

fn describe(who: &str, found: &[Difference]) -> Vec<String> {
    found
        .iter()
        .map(|difference| format!("against {who}: {difference}"))
        .collect()
}
