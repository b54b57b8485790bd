//! What is in the way of claims on a node, by what was explained.

use dralloc::{Arithmetic, Check, Class, Explanation, WholeFailure};

use super::counts::TooFew;
use super::reason::Reason;
use crate::cluster::question::Question;

/// Returns what is in the way, without who holds it.
pub(super) fn of(question: &Question, explanation: &Explanation) -> Reason {
    let mut reason = match explanation.whole.first() {
        Some(WholeFailure::TooFew { claim, request }) => {
            let mut numbers = TooFew::of(question, explanation, *claim, request);
            numbers.required = required_places(explanation, *claim);
            let mut reason = Reason::counted(numbers);
            if let Some(amounts @ (Arithmetic::Counters { .. } | Arithmetic::Capacities { .. })) =
                explanation.arithmetic.first()
            {
                reason.detail = format!("{}; {amounts}", reason.detail);
            }
            reason
        }
        Some(WholeFailure::TooFewTogether) => {
            Reason::plain("there are enough devices for each request, but not for all together")
        }
        Some(WholeFailure::Constraint { claim, constraint }) => {
            constraint_in_the_way(question, *claim, *constraint)
        }
        Some(WholeFailure::Policy { claim, requires }) => {
            let name = question.names.get(*claim);
            let name = name.filter(|_| question.names.len() > 1);
            let policy = match name {
                Some(name) => format!("the policy of claim `{}`", name.name),
                None => "its policy".to_owned(),
            };
            Reason::plain(&format!(
                "no devices satisfy {policy}, which requires {requires}"
            ))
        }
        Some(WholeFailure::AllowedSets) => {
            Reason::plain("no devices are a set that the machine allows")
        }
        _ => Reason::plain("there are enough devices, but no combination of them will do"),
    };
    let is_never = explanation.class == Some(Class::NeverPossible);
    match (explanation.whole.first(), explanation.arithmetic.first()) {
        (Some(WholeFailure::TooFew { .. }), _) | (_, None) => {}
        // The number says less than what is required.
        (
            Some(WholeFailure::Policy { .. } | WholeFailure::AllowedSets),
            Some(arithmetic @ Arithmetic::AtOnce { .. }),
        ) => reason.detail = format!("{}; {arithmetic}", reason.detail),
        (_, Some(arithmetic)) if is_never => reason.detail = format!("{arithmetic:#}"),
        (_, Some(arithmetic)) => reason.detail = arithmetic.to_string(),
    }
    reason
}

/// Returns what the policies of a claim require, if devices are where that cannot hold.
fn required_places(explanation: &Explanation, claim: usize) -> Option<String> {
    let requests = explanation.requests.iter();
    let refused = requests.filter(|one| one.claim == claim);
    let mut refused = refused.flat_map(|one| &one.refused);
    if !refused.any(|(check, _)| *check == Check::Placement) {
        return None;
    }
    let conflict = explanation.conflict.iter();
    let policies = conflict.flat_map(|conflict| &conflict.policies);
    let policies = policies.filter(|policy| policy.claim == claim);
    let required: Vec<&str> = policies.map(|policy| &*policy.requires).collect();
    (!required.is_empty()).then(|| required.join(" and "))
}

fn constraint_in_the_way(question: &Question, claim: usize, constraint: usize) -> Reason {
    let claim = question.claims.get(claim);
    let constraint = claim.and_then(|claim| claim.spec.devices.constraints.get(constraint));
    let (verb, attribute) = match constraint {
        Some(constraint) if constraint.match_attribute.is_some() => {
            ("agree", constraint.match_attribute.as_deref())
        }
        Some(constraint) => ("differ", constraint.distinct_attribute.as_deref()),
        None => ("go together", None),
    };
    let attribute = attribute
        .map(|name| format!(" in `{name}`"))
        .unwrap_or_default();
    Reason::plain(&format!(
        "there are not enough devices that {verb}{attribute}"
    ))
}
