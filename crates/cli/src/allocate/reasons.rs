//! Why claims do not fit on a node, in words.

use std::collections::BTreeMap;

use dralloc::model::{Node, Quantity, Str};
use dralloc::{
    AllocateOptions, Arithmetic, Check, Class, Explanation, Features, PreparedClaims,
    RequestExplanation, Snapshot, WholeFailure, Workspace,
};

use crate::cluster::question::Question;

/// Says why a node does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    /// With the numbers of this node.
    pub(super) detail: String,
    /// Without, so that many nodes have it in common.
    pub(super) summary: String,
}

impl Reason {
    /// Returns a reason that is the same on every node.
    pub(super) fn plain(text: &str) -> Self {
        Self {
            detail: text.to_owned(),
            summary: text.to_owned(),
        }
    }
}

/// Explains, and remembers what it said as long as nothing changes.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    revision: u64,
    known: BTreeMap<(String, Str), Reason>,
}

impl Reasons {
    /// Returns why a question has no answer on a node.
    pub(super) fn explain(
        &mut self,
        question: &Question,
        node: &Str,
        snapshot: &Snapshot,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Reason {
        if self.revision != snapshot.revision() {
            self.known.clear();
            self.revision = snapshot.revision();
        }
        let key = (question.key.clone(), node.clone());
        let explain = || match snapshot
            .transaction()
            .explain(node, claims, options, workspace)
        {
            Ok(explanation) => describe(question, &explanation),
            Err(error) => Reason::plain(&question.describe(&error)),
        };
        self.known.entry(key).or_insert_with(explain).clone()
    }
}

/// Says that a node has too little of an extended resource.
pub(super) fn shortage(
    question: &Question,
    node: &Node,
    name: &str,
    missing: &Quantity,
    features: &Features,
) -> Reason {
    let Some(listed) = node.status.allocatable.get(name) else {
        let nobody = format!("no device plugin serves `{name}`");
        let other = if features.extended_resources {
            "no class stands for it"
        } else {
            "the feature `DRAExtendedResource` is off"
        };
        return Reason::plain(&format!("{nobody}, and {other}"));
    };
    let asked = question.amounts.get(name).cloned().unwrap_or_default();
    let left = (&asked - missing).max(Quantity::default());
    let summary = format!("the device plugin has too little `{name}` left");
    Reason {
        detail: format!("{summary}: needs {asked}, {left} of {listed} is left"),
        summary,
    }
}

fn describe(question: &Question, explanation: &Explanation) -> Reason {
    let mut reason = describe_whole(question, explanation);
    for pool in &explanation.unusable_pools {
        reason.detail = format!("{}; pool `{}` is {}", reason.detail, pool.pool, pool.state);
    }
    reason
}

fn describe_whole(question: &Question, explanation: &Explanation) -> Reason {
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
    if let Some(release) = explanation.release() {
        reason.detail = format!("{}; {release}", reason.detail);
    } else if is_never {
        reason.detail = format!("{}; no release would help", reason.detail);
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
        [one] => format!("{name} {}", count(one)),
        several => {
            let parts = several.iter().map(|one| {
                let alternative = one.name.rsplit('/').next().unwrap_or_default();
                format!("`{alternative}` {}", count(one))
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
fn count(request: &RequestExplanation) -> String {
    let RequestExplanation {
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
        return format!("{needs}, {all} {}", check.as_phrase());
    }
    let is = if usable == 1 { "is" } else { "are" };
    let refused = request
        .refused
        .iter()
        .map(|(check, count)| format!("{count} {}", check.as_phrase()));
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
