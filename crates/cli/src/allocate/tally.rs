//! [`Tally`]: reasons, and on how many nodes each holds.

use std::collections::BTreeMap;

use dralloc::model::Str;

/// Most reasons that are told of one pod or claim.
const LINES_MAX: usize = 3;

/// Counts nodes by the reason why they do not fit.
#[derive(Debug, Default)]
pub(super) struct Tally {
    reasons: BTreeMap<String, (usize, Str)>,
}

impl Tally {
    /// Adds a node.
    pub(super) fn add(&mut self, node: &Str, reason: &str) {
        match self.reasons.get_mut(reason) {
            Some((count, _)) => *count += 1,
            None => {
                self.reasons.insert(reason.to_owned(), (1, node.clone()));
            }
        }
    }

    /// Tells the reasons, that of most nodes first.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        // Stable: reasons with equal counts stay in the order of their texts.
        reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let told = if reasons.len() > LINES_MAX { LINES_MAX - 1 } else { reasons.len() };
        let mut lines: Vec<String> = Vec::new();
        for (reason, (count, node)) in &reasons[..told] {
            lines.push(match count {
                1 => format!("{node}: {reason}"),
                _ => format!("{count} nodes: {reason}"),
            });
        }
        let rest: usize = reasons[told..].iter().map(|(_, (count, _))| count).sum();
        if rest > 0 {
            lines.push(format!("{rest} more nodes: other reasons"));
        }
        if lines.is_empty() {
            lines.push("there is no node".to_owned());
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(reasons: &[&str]) -> Vec<String> {
        let mut tally = Tally::default();
        for (index, reason) in reasons.iter().enumerate() {
            tally.add(&format!("node-{index}").into(), reason);
        }
        tally.lines()
    }

    #[test]
    fn common_reasons_come_first() {
        assert_eq!(tally(&["cordoned", "full", "full"]), ["2 nodes: full", "node-0: cordoned"]);
        assert_eq!(tally(&[]), ["there is no node"]);
    }

    #[test]
    fn rare_reasons_are_summed_up() {
        let lines = ["3 nodes: a", "2 nodes: b", "2 more nodes: other reasons"];
        assert_eq!(tally(&["a", "a", "b", "a", "c", "b", "d"]), lines);
    }
}
