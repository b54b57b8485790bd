//! [`Tally`]: reasons, and on how many nodes each holds.

use std::collections::BTreeMap;

use dralloc::model::Str;

use super::Reason;

/// Most reasons that are told of one pod or claim.
const LINES_MAX: usize = 3;

/// Collects nodes with the reasons why they do not fit.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    nodes: Vec<(Str, Reason)>,
}

impl Tally {
    /// Adds a node.
    pub(crate) fn add(&mut self, node: &Str, reason: Reason) {
        self.nodes.push((node.clone(), reason));
    }

    /// Tells the reasons, that of most nodes first; with their numbers if these
    /// are not too many to read.
    pub(crate) fn lines(&self) -> Vec<String> {
        if self.nodes.is_empty() {
            return vec!["there is no node".to_owned()];
        }
        let mut groups = self.groups(|reason| &reason.detail);
        if groups.len() > LINES_MAX {
            groups = self.groups(|reason| &reason.summary);
        }
        let told = if groups.len() > LINES_MAX {
            LINES_MAX - 1
        } else {
            groups.len()
        };
        let mut lines: Vec<String> = Vec::new();
        for (reason, nodes) in &groups[..told] {
            lines.push(match nodes.as_slice() {
                [node] => format!("{node}: {reason}"),
                nodes => format!("{} nodes: {reason}", nodes.len()),
            });
        }
        let rest: usize = groups[told..].iter().map(|(_, nodes)| nodes.len()).sum();
        if rest > 0 {
            lines.push(format!("{rest} nodes: other reasons"));
        }
        lines
    }

    fn groups<'a>(&'a self, text: impl Fn(&'a Reason) -> &'a str) -> Vec<(&'a str, Vec<&'a str>)> {
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (node, reason) in &self.nodes {
            groups.entry(text(reason)).or_default().push(node);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        // Stable: reasons of equally many nodes stay in the order of their texts.
        groups.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reasons are written as `summary detail`.
    fn tally(reasons: &[&str]) -> Vec<String> {
        let mut tally = Tally::default();
        for (index, detail) in reasons.iter().enumerate() {
            let (summary, detail) = (detail[..1].to_owned(), (*detail).to_owned());
            tally.add(&format!("node-{index}").into(), Reason { detail, summary });
        }
        tally.lines()
    }

    #[test]
    fn common_reasons_come_first() {
        assert_eq!(tally(&["a1", "b1", "b1"]), ["2 nodes: b1", "node-0: a1"]);
        assert_eq!(tally(&[]), ["there is no node"]);
    }

    #[test]
    fn many_details_are_summed_up() {
        assert_eq!(
            tally(&["a1", "a2", "b1", "a3"]),
            ["3 nodes: a", "node-2: b"]
        );
        let lines = ["2 nodes: a", "node-1: b", "2 nodes: other reasons"];
        assert_eq!(tally(&["a1", "b1", "c1", "d1", "a2"]), lines);
    }
}
