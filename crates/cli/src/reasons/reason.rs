//! [`Reason`]: why claims do not fit on a node, in words.

use dralloc::model::{Node, Quantity, Str};
use dralloc::{Class, Error, Explanation, Features, NodeVerdict};
use serde::Serialize;

use super::cause;
use super::counts::TooFew;
use crate::cluster::question::Question;

/// Says why a node does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Reason {
    /// With the numbers of this node.
    #[serde(rename = "reason")]
    pub(crate) detail: String,
    /// What many nodes have in common.
    #[serde(skip)]
    pub(super) common: Common,
    /// What is so on this node in particular: who would have to give something back, or the
    /// device that something cannot be evaluated on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) example: Option<String>,
    /// The node that this is so on; the first if it is not said.
    #[serde(skip)]
    pub(super) node: Option<Str>,
    /// Whether it would not even fit if nothing were held.
    #[serde(skip)]
    pub(crate) is_never: bool,
}

/// Is a reason as several nodes have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Common {
    /// Words without numbers.
    Words(String),
    /// Numbers that become ranges.
    Numbers(TooFew),
}

impl Reason {
    /// Returns the same with what is so on a node beside that.
    pub(crate) fn on(mut self, node: &Str, beside: Option<String>) -> Self {
        self.node = Some(node.clone());
        let texts: Vec<String> = beside.into_iter().chain(self.example.take()).collect();
        self.example = (!texts.is_empty()).then(|| texts.join("; "));
        self
    }

    /// Returns a reason that is the same on every node.
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            detail: text.to_owned(),
            common: Common::Words(text.to_owned()),
            example: None,
            node: None,
            is_never: false,
        }
    }

    /// Returns a reason of which the numbers become ranges.
    pub(super) fn counted(numbers: TooFew) -> Self {
        Self {
            detail: numbers.to_string(),
            common: Common::Numbers(numbers),
            example: None,
            node: None,
            is_never: false,
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
            ..Self::plain(&summary)
        }
    }

    /// Returns what cannot be evaluated on a node.
    pub(crate) fn fault(question: &Question, error: &Error) -> Self {
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
            return Self::plain(&text);
        };
        Self {
            example: Some(text[start..end].trim_end_matches(": ").to_owned()),
            ..Self::plain(&format!("{}{}", &text[..start], &text[end..]))
        }
    }

    /// Returns why claims do not fit on nodes that are alike, one of which was explained.
    pub(crate) fn of(question: &Question, verdict: NodeVerdict, explanation: &Explanation) -> Self {
        if let Some(Class::BadInput { error }) = &explanation.class {
            return Self::fault(question, error);
        }
        if explanation.class.is_none() && explanation.conflict.is_none() {
            return Self::plain(match verdict {
                NodeVerdict::Unknown => "the search ended early",
                _ => "not looked at more closely",
            });
        }
        let mut reason = cause::of(question, explanation);
        let mut states: Vec<&str> = Vec::new();
        for pool in &explanation.unusable_pools {
            if !states.contains(&&*pool.state) {
                states.push(&pool.state);
                reason.detail = format!("{}; a pool is {}", reason.detail, pool.state);
            }
        }
        let pools = explanation.unusable_pools.iter();
        let pools: Vec<String> = pools.map(|pool| format!("pool `{}`", pool.pool)).collect();
        reason.example = explanation.release();
        if reason.example.is_none() && !pools.is_empty() {
            reason.example = Some(pools.join(", "));
        }
        reason.is_never = explanation.class == Some(Class::NeverPossible);
        reason
    }
}
