//! Domains whose parts can give any number: no search is needed to count those parts.

use super::solver::{Entry, Solver};

impl Solver<'_> {
    /// Returns whether it is told at once how few parts of a domain give how much: the
    /// parts are those that are counted, can give any number, and what hosts they take
    /// counts for nobody.
    pub(super) fn is_closed(&self, node: usize) -> bool {
        let (tree, this) = (self.tree, &self.tree.nodes[node]);
        let over_hosts = this.level == tree.levels;
        self.stage == Some(this.level + 1)
            && (over_hosts || !tree.counts_hosts(this.level + 1))
            && (this.parts.iter()).all(|&part| tree.nodes[part].supply.is_gapless())
    }

    /// Returns the fewest parts of a domain for each number.
    ///
    /// Of `p` parts those that can give most have the largest sum and the largest least
    /// one, so the fewest are the first `p` whose sum is enough. Each has to give `least`
    /// or more: that is possible if `p` times `least` is not too much, and each can give
    /// it. More parts only make both harder.
    pub(super) fn closed(&self, node: usize, from: u32, to: u32) -> Vec<Entry> {
        let (tree, this) = (self.tree, &self.tree.nodes[node]);
        let over_hosts = this.level == tree.levels;
        let least = self.least[this.level + 1];
        let limit = tree.limit(this.level).filter(|_| over_hosts);
        let mut parts = 0;
        let mut entries = Vec::new();
        for units in from..=to {
            while (this.sums.get(parts)).is_some_and(|&sum| sum < units) {
                parts += 1;
            }
            let smallest = parts.checked_sub(1).and_then(|place| this.parts.get(place));
            let Some(&smallest) = smallest else { break };
            let used = u32::try_from(parts).unwrap_or(u32::MAX);
            if limit.is_some_and(|limit| used > limit) {
                break;
            }
            let is_enough = tree.nodes[smallest].supply.most() >= least;
            if is_enough && u64::from(used) * u64::from(least) <= u64::from(units) {
                entries.push(Entry {
                    units,
                    hosts: if tree.counts_hosts(this.level) {
                        used
                    } else {
                        0
                    },
                    value: self.fields.domains(this.level + 1, used),
                });
            }
        }
        entries
    }
}
