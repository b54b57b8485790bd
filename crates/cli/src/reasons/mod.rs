//! Why claims do not fit, in words that all commands share.

mod tally;

use dralloc::model::{Node, Quantity};
use dralloc::{Arithmetic, Check, Class, Explanation, Features, RequestExplanation, WholeFailure};

use crate::cluster::question::Question;
pub(crate) use tally::Tally;

/// Says why a node does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    /// With the numbers of this node.
    pub(crate) detail: String,
    /// Without, so that many nodes have it in common.
    pub(crate) summary: String,
}

impl Reason {
    /// Returns a reason that is the same on every node.
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            detail: text.to_owned(),
            summary: text.to_owned(),
        }
    }

    /// Returns that a node has too little of an extended resource.
    pub(crate) fn shortage(
        question: &Question,
        node: &Node,
        name: &str,
        missing: &Quantity,
        features: &Features,
    ) -> Self {
        let Some(listed) = node.status.allocatable.get(name) else {
            let nobody = format!("no device plugin serves `{name}`");
            let other = if features.extended_resources {
                "no class stands for it"
            } else {
                "the feature `DRAExtendedResource` is off"
            };
            return Self::plain(&format!("{nobody}, and {other}"));
        };
        let asked = question.amounts.get(name).cloned().unwrap_or_default();
        let left = (&asked - missing).max(Quantity::default());
        let summary = format!("the device plugin has too little `{name}` left");
        Self {
            detail: format!("{summary}: needs {asked}, {left} of {listed} is left"),
            summary,
        }
    }

    /// Returns what an explanation says is in the way, and whether a release helps.
    pub(crate) fn of(question: &Question, explanation: &Explanation) -> Self {
        let mut reason = cause(question, explanation);
        let is_never = explanation.class == Some(Class::NeverPossible);
        if let Some(release) = explanation.release() {
            reason.detail = format!("{}; {release}", reason.detail);
        } else if is_never {
            reason.detail = format!("{}; no release would help", reason.detail);
        }
        for pool in &explanation.unusable_pools {
            reason.detail = format!("{}; pool `{}` is {}", reason.detail, pool.pool, pool.state);
        }
        reason
    }
}

/// Returns why claims do not fit on nodes that are alike, and what of that is so on the
/// one that was explained alone, such as names of devices and holders.
pub(crate) fn of_node(question: &Question, explanation: &Explanation) -> (Reason, Option<String>) {
    if let Some(Class::BadInput { error }) = &explanation.class {
        let mut text = question.describe(error);
        if let [only] = &*question.names {
            // There is no other that it could be.
            let name = format!("claim `{}`: ", only.name);
            text = text.strip_prefix(&name).map(str::to_owned).unwrap_or(text);
        }
        // Errors name the device in front of what is wrong with it.
        let device = text.find("device `");
        let end = device.and_then(|start| Some(start + text[start..].find("`: ")? + 3));
        let (Some(start), Some(end)) = (device, end) else {
            return (Reason::plain(&text), None);
        };
        let common = format!("{}{}", &text[..start], &text[end..]);
        let example = text[start..end].trim_end_matches(": ").to_owned();
        return (Reason::plain(&common), Some(example));
    }
    if explanation.class.is_none() && explanation.conflict.is_none() {
        return (Reason::plain("the search ended early"), None);
    }
    let mut reason = cause(question, explanation);
    let mut states: Vec<&str> = Vec::new();
    for pool in &explanation.unusable_pools {
        if !states.contains(&&*pool.state) {
            states.push(&pool.state);
            reason.detail = format!("{}; a pool is {}", reason.detail, pool.state);
        }
    }
    let pools = explanation.unusable_pools.iter();
    let pools: Vec<String> = pools.map(|pool| format!("pool `{}`", pool.pool)).collect();
    let example = explanation.release();
    (
        reason,
        example.or((!pools.is_empty()).then(|| pools.join(", "))),
    )
}

/// Returns what is in the way, without who holds it.
fn cause(question: &Question, explanation: &Explanation) -> Reason {
    let mut reason = match explanation.whole.first() {
        Some(WholeFailure::TooFew { claim, request }) => {
            let mut reason = too_few(question, explanation, *claim, request);
            if let Some(amounts @ (Arithmetic::Counters { .. } | Arithmetic::Capacities { .. })) =
                explanation.arithmetic.first()
            {
                reason.detail = format!("{}; {amounts}", reason.detail);
            }
            if let Some(required) = required_places(explanation, *claim) {
                reason.detail = format!("{}; its policy requires {required}", reason.detail);
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

/// Describes a request that has too few devices, in all of its alternatives.
fn too_few(question: &Question, explanation: &Explanation, claim: usize, request: &str) -> Reason {
    let is_meant = |one: &&RequestExplanation| {
        let rest = one.name.strip_prefix(request);
        one.claim == claim && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let alternatives: Vec<_> = explanation.requests.iter().filter(is_meant).collect();
    let mut name = format!("request `{request}`");
    if let (true, Some(claim)) = (question.names.len() > 1, question.names.get(claim)) {
        name = format!("{name} of claim `{}`", claim.name);
    }
    let detail = match alternatives.as_slice() {
        [one] => format!("{name} {}", count(question, one)),
        several => {
            let parts = several.iter().map(|one| {
                let alternative = one.name.rsplit('/').next().unwrap_or_default();
                format!("`{alternative}` {}", count(question, one))
            });
            format!("{name}: {}", parts.collect::<Vec<_>>().join("; "))
        }
    };
    let most = alternatives
        .iter()
        .flat_map(|one| &one.refused)
        .max_by_key(|(_, count)| *count);
    let summary = match most {
        Some((check, _)) => format!("too few devices for {name}, most are {}", check.as_phrase()),
        None => format!("too few devices for {name}"),
    };
    Reason { detail, summary }
}

/// Returns text such as `needs 2 devices, 1 of 4 is usable: 3 in use`.
fn count(question: &Question, request: &RequestExplanation) -> String {
    let RequestExplanation {
        claim,
        needed,
        considered,
        usable,
        ..
    } = *request;
    let needs = match (request.all, needed) {
        (true, _) => "needs all devices that match".to_owned(),
        (false, 1) => "needs 1 device".to_owned(),
        (false, _) => format!("needs {needed} devices"),
    };
    if considered == 0 {
        return format!("{needs}, there are none");
    }
    if let (0, [(check, _)]) = (usable, request.refused.as_slice()) {
        let all = if considered == 1 {
            "the only one is".to_owned()
        } else {
            format!("all {considered} are")
        };
        return format!("{needs}, {all} {}", phrase(question, claim, *check));
    }
    let is = if usable == 1 { "is" } else { "are" };
    let refused = request
        .refused
        .iter()
        .map(|(check, count)| format!("{count} {}", phrase(question, claim, *check)));
    let refused = refused.collect::<Vec<_>>().join(", ");
    let usable = if usable == 0 {
        "none".to_owned()
    } else {
        usable.to_string()
    };
    if refused.is_empty() {
        return format!("{needs}, {usable} of {considered} {is} usable");
    }
    format!("{needs}, {usable} of {considered} {is} usable: {refused}")
}

/// Says what a device is that fails a check, with the attribute that it lacks where only
/// one is compared.
fn phrase(question: &Question, claim: usize, check: Check) -> String {
    let claim = question.claims.get(claim);
    let constraints = claim.map(|claim| &*claim.spec.devices.constraints);
    if let (Check::Constraint, Some([only])) = (check, constraints) {
        let attribute = only.match_attribute.as_ref();
        if let Some(attribute) = attribute.or(only.distinct_attribute.as_ref()) {
            return format!("without `{attribute}` to compare");
        }
    }
    check.as_phrase().to_owned()
}
