//! Counts, and the table at the end.

use std::collections::BTreeMap;
use std::fmt;

use dralloc_testkit::case::OutcomeKind;

use crate::kind::Kind;

/// How often what happened.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) cases: u64,
    pub(crate) equal: u64,
    pub(crate) known: BTreeMap<Kind, u64>,
    pub(crate) unexplained: u64,
    /// Cases that brute force, in the place of dralloc, gave up.
    pub(crate) skipped: u64,
    groups: BTreeMap<String, [u64; 3]>,
}

impl Summary {
    /// Counts a case and how it ended.
    pub(crate) fn count(&mut self, group: &str, outcome: OutcomeKind) {
        self.cases += 1;
        let row = self.groups.entry(group.to_owned()).or_default();
        match outcome {
            OutcomeKind::Allocated => row[0] += 1,
            OutcomeKind::Infeasible => row[1] += 1,
            _ => row[2] += 1,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, word) = ("group", ["allocated", "infeasible", "error"]);
        writeln!(
            formatter,
            "{group:<32} {:>10} {:>10} {:>10}",
            word[0], word[1], word[2]
        )?;
        for (group, [allocated, infeasible, error]) in &self.groups {
            writeln!(
                formatter,
                "{group:<32} {allocated:>10} {infeasible:>10} {error:>10}"
            )?;
        }
        writeln!(formatter)?;
        writeln!(formatter, "{:<32} {:>10}", "cases", self.cases)?;
        writeln!(formatter, "{:<32} {:>10}", "equal", self.equal)?;
        for (kind, count) in &self.known {
            writeln!(formatter, "{:<32} {count:>10}", kind.name())?;
        }
        if self.skipped > 0 {
            writeln!(
                formatter,
                "{:<32} {:>10}",
                "brute-force-gave-up", self.skipped
            )?;
        }
        write!(formatter, "{:<32} {:>10}", "unexplained", self.unexplained)
    }
}
