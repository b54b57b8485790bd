//! [`GangForm`]: how a gang was asked for; and what it got.

use dralloc_topology::SliceRule;
use serde::{Deserialize, Serialize};

use super::arguments::{needed, unexpected};
use super::options::OptionsForm;
use crate::engine::form::text;
use crate::engine::{Gang, GangOptions, GangOutcome, GangShortage};
use crate::error::Error;
use crate::model::{AllocationResult, Str};
use crate::outcome::StopCause;
use crate::rules::DomainScope;

/// Is what a gang was asked for with, beside the options of its members; what is not
/// there is the default.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GangForm {
    /// Scopes with labels, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<LabelForm>,
    #[serde(skip_serializing_if = "str::is_empty")]
    within: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    most_nodes: Option<MostNodesForm>,
    /// Nothing for `any`.
    #[serde(skip_serializing_if = "str::is_empty")]
    slices: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice_size: Option<i64>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct LabelForm {
    scope: Str,
    label: Str,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct MostNodesForm {
    scope: Str,
    nodes: i64,
}

impl From<&GangOptions<'_>> for GangForm {
    fn from(options: &GangOptions<'_>) -> Self {
        let (slices, slice_size) = match options.slices {
            SliceRule::Any => ("", None),
            SliceRule::Same => ("same", None),
            SliceRule::MultipleOf(size) => ("multipleOf", Some(size)),
            SliceRule::Exactly(size) => ("exactly", Some(size)),
            SliceRule::AtLeast(size) => ("atLeast", Some(size)),
            SliceRule::WholeHosts => ("wholeNodes", None),
        };
        let labels = options.labels.iter().map(|(scope, label)| LabelForm {
            scope: scope.as_str().into(),
            label: (*label).into(),
        });
        let most_nodes = options.most_nodes.map(|(scope, nodes)| MostNodesForm {
            scope: scope.as_str().into(),
            nodes: nodes.into(),
        });
        Self {
            labels: labels.collect(),
            within: options.within.map_or("", DomainScope::as_str).into(),
            most_nodes,
            slices: slices.into(),
            slice_size: slice_size.map(i64::from),
        }
    }
}

impl GangForm {
    /// Returns the labels, for [`GangForm::options`].
    pub(super) fn labels(&self) -> Result<Vec<(DomainScope, &str)>, Error> {
        let labels = self.labels.iter();
        let labels = labels.map(|one| Ok((scope(&one.scope, "gang.labels.scope")?, &*one.label)));
        labels.collect()
    }

    /// Returns the options, but for the nodes.
    pub(super) fn options<'a>(
        &self,
        of_a_member: &'a OptionsForm,
        labels: &'a [(DomainScope, &'a str)],
    ) -> Result<GangOptions<'a>, Error> {
        let within = match &*self.within {
            "" => None,
            name => Some(scope(name, "gang.within")?),
        };
        let most_nodes = match &self.most_nodes {
            None => None,
            Some(most) => Some((
                scope(&most.scope, "gang.mostNodes.scope")?,
                whole(most.nodes, "gang.mostNodes.nodes")?,
            )),
        };
        let size = || {
            let path = "gang.sliceSize";
            whole(needed(self.slice_size, path)?, path)
        };
        let slices = match &*self.slices {
            "" => SliceRule::Any,
            "same" => SliceRule::Same,
            "multipleOf" => SliceRule::MultipleOf(size()?),
            "exactly" => SliceRule::Exactly(size()?),
            "atLeast" => SliceRule::AtLeast(size()?),
            "wholeNodes" => SliceRule::WholeHosts,
            _ => return Err(unexpected("the name of a rule for slices").at("gang.slices")),
        };
        Ok(GangOptions {
            place: of_a_member.place()?,
            labels,
            within,
            most_nodes,
            slices,
        })
    }
}

fn scope(name: &str, path: &str) -> Result<DomainScope, Error> {
    let mut scopes = DomainScope::ALL.into_iter();
    let found = scopes.find(|scope| scope.as_str() == name);
    found.ok_or_else(|| unexpected("the name of a scope").at(path))
}

fn whole(number: i64, path: &str) -> Result<u32, Error> {
    u32::try_from(number).map_err(|_| unexpected("a whole number of 32 bits").at(path))
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct GangOutcomeForm<'a> {
    outcome: &'static str,
    #[serde(flatten)]
    gang: Option<PlacedForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<(usize, String, &'a str)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_cause: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlacedForm<'a> {
    nodes: Vec<NodeForm<'a>>,
    levels: Vec<(&'static str, usize, usize)>,
    smallest: usize,
    proved: bool,
}

/// Is a node with its members: their places, and what each got.
#[derive(Serialize)]
struct NodeForm<'a> {
    name: &'a str,
    members: Vec<(usize, Vec<AllocationResult>)>,
}

impl<'a> From<&'a Gang> for PlacedForm<'a> {
    fn from(gang: &'a Gang) -> Self {
        let nodes = gang.nodes.iter().map(|node| NodeForm {
            name: &node.name,
            members: node
                .members
                .iter()
                .map(|(place, allocation)| (*place, allocation.results()))
                .collect(),
        });
        let levels = gang.levels.iter();
        Self {
            nodes: nodes.collect(),
            levels: levels
                .map(|level| (level.scope.as_str(), level.domains, level.smallest))
                .collect(),
            smallest: gang.smallest,
            proved: gang.is_proved,
        }
    }
}

/// Returns the reasons of a shortage: numbers of nodes, causes and examples.
fn reasons(shortage: &GangShortage) -> Vec<(usize, String, &str)> {
    let reasons = shortage.reasons.iter();
    let reasons = reasons.map(|reason| {
        let cause = reason.cause.to_string();
        (reason.nodes, cause, &*reason.example)
    });
    reasons.collect()
}

/// Returns the form of an answer.
pub(super) fn gang(outcome: &GangOutcome) -> String {
    let mut form = GangOutcomeForm::default();
    match outcome {
        GangOutcome::Placed(gang) => {
            form.outcome = "placed";
            form.gang = Some(gang.into());
        }
        GangOutcome::Infeasible(shortage) => {
            form.outcome = "infeasible";
            form.shortage = Some(shortage.to_string());
            form.reasons = Some(reasons(shortage));
        }
        GangOutcome::Unknown(cause) => {
            form.outcome = "unknown";
            form.stop_cause = Some(StopCause::as_str(*cause));
        }
    }
    text(&form)
}
