//! What gangs are answered with.

use dralloc::{
    Allocation, Error, Gang, GangLevel, GangNode, GangOutcome, GangShortage, SpreadLimit, TermValue,
};
use serde::Serialize;

use crate::placement::ReasonForm;
use crate::text::text;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct GangOutcomeForm<'a> {
    outcome: &'static str,
    #[serde(flatten)]
    gang: Option<GangForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortage: Option<ShortageForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_cause: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GangForm<'a> {
    nodes: Vec<NodeForm<'a>>,
    levels: Vec<LevelForm>,
    smallest: usize,
    proved: bool,
}

impl<'a> From<&'a Gang> for GangForm<'a> {
    fn from(gang: &'a Gang) -> Self {
        Self {
            nodes: gang.nodes.iter().map(NodeForm::from).collect(),
            levels: gang.levels.iter().map(LevelForm::from).collect(),
            smallest: gang.smallest,
            proved: gang.is_proved,
        }
    }
}

#[derive(Serialize)]
struct NodeForm<'a> {
    name: &'a str,
    members: Vec<MemberForm<'a>>,
}

impl<'a> From<&'a GangNode> for NodeForm<'a> {
    fn from(node: &'a GangNode) -> Self {
        let members = node.members.iter();
        Self {
            name: &node.name,
            members: members
                .map(|(member, allocation)| MemberForm {
                    member: *member,
                    results: allocation,
                    objective: allocation.objective(),
                    warnings: allocation.warnings(),
                })
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct MemberForm<'a> {
    member: usize,
    results: &'a Allocation,
    #[serde(skip_serializing_if = "<[TermValue]>::is_empty")]
    objective: &'a [TermValue],
    #[serde(skip_serializing_if = "<[Error]>::is_empty")]
    warnings: &'a [Error],
}

#[derive(Serialize)]
struct LevelForm {
    scope: &'static str,
    domains: usize,
    smallest: usize,
}

impl From<&GangLevel> for LevelForm {
    fn from(level: &GangLevel) -> Self {
        let GangLevel {
            scope,
            domains,
            smallest,
        } = *level;
        Self {
            scope: scope.as_str(),
            domains,
            smallest,
        }
    }
}

#[derive(Serialize)]
struct ShortageForm<'a> {
    members: usize,
    most: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<&'a str>,
    limit: &'static str,
    reasons: Vec<ReasonForm<'a>>,
    message: String,
}

impl<'a> From<&'a GangShortage> for ShortageForm<'a> {
    fn from(shortage: &'a GangShortage) -> Self {
        let within = shortage.within.as_ref();
        Self {
            members: shortage.members,
            most: shortage.most,
            scope: within.map(|(scope, _)| scope.as_str()),
            domain: within.and_then(|(_, domain)| domain.as_deref()),
            limit: limit(shortage.limit),
            reasons: shortage.reasons.iter().map(ReasonForm::from).collect(),
            message: shortage.to_string(),
        }
    }
}

/// Returns the name of a limit, as options have it.
fn limit(limit: SpreadLimit) -> &'static str {
    match limit {
        SpreadLimit::MostHosts => "mostNodes",
        other => other.as_str(),
    }
}

/// Writes where the members of a gang go: `outcome` (`placed`, `infeasible` or
/// `unknown`); with an answer `nodes` (`name`, and `members`, of each its place as
/// `member`, `results`, and where a policy asks for the best `objective` and
/// `warnings`), `levels` (`scope`, `domains`, `smallest`), `smallest` and `proved`;
/// without one `shortage` (`members`, `most`, `scope`, `domain`, `limit`, `reasons`,
/// `message`) or `stopCause`.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn gang(outcome: &GangOutcome) -> Result<String, Error> {
    let mut form = GangOutcomeForm::default();
    match outcome {
        GangOutcome::Placed(gang) => {
            form.outcome = "placed";
            form.gang = Some(gang.into());
        }
        GangOutcome::Infeasible(shortage) => {
            form.outcome = "infeasible";
            form.shortage = Some(shortage.into());
        }
        GangOutcome::Unknown(cause) => {
            form.outcome = "unknown";
            form.stop_cause = Some(cause.as_str());
        }
    }
    text(&form)
}
