//! [`Tally`]: why nodes do not fit, a line for each reason.

use std::slice;

use dralloc::model::Str;

use crate::reasons::{self, Groups, Reason};
use crate::words::{counted, named};

/// Most reasons that are told of one pod or claim.
const LINES_MAX: usize = 3;

/// Collects nodes with the reasons why they do not fit.
#[derive(Debug, Default)]
pub(super) struct Tally {
    nodes: Vec<(Str, Reason)>,
}

impl Tally {
    /// Adds a node.
    pub(super) fn add(&mut self, node: &Str, reason: Reason) {
        self.nodes.push((node.clone(), reason));
    }

    /// Tells the reasons, that of most nodes first.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.nodes.is_empty() {
            return vec!["there is no node".to_owned()];
        }
        let nodes = self.nodes.iter();
        let nodes = nodes.map(|(node, reason)| (reason, slice::from_ref(node)));
        let Groups { told, rest } = reasons::groups(nodes, LINES_MAX);
        let lines = told.iter().map(|one| {
            let example = one.in_particular();
            let example = example.map_or_else(String::new, |text| format!(" ({text})"));
            let never = if one.is_never {
                "; no release would help"
            } else {
                ""
            };
            format!("{}: {}{never}{example}", named(&one.nodes), one.text)
        });
        let mut lines: Vec<String> = lines.collect();
        if rest > 0 {
            lines.push(format!("{}: other reasons", counted(rest, "node")));
        }
        lines
    }
}
