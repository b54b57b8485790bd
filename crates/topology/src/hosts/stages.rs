//! The key of the best, part after part.

use super::answer::LevelUse;
use super::solver::Solver;
use super::tree::Tree;
use super::value::Fields;
use super::{Halt, Spread, SpreadQuestion, Watch};

/// Returns the best spread, or nothing if there are not enough devices.
pub(super) fn best(
    question: &SpreadQuestion<'_>,
    watch: Watch<'_>,
) -> Result<Option<Spread>, Halt> {
    let tree = Tree::new(question, watch)?;
    let free = tree.nodes.first().map_or(0, |root| root.free);
    let Some(count) = tree.count.filter(|_| question.count <= free) else {
        return Ok(None);
    };
    let fields = Fields::new(&tree).map_err(Halt::Error)?;
    let mut solver = Solver::new(&tree, &fields, watch);
    let mut levels = Vec::with_capacity(tree.levels + 1);
    for level in 1..=tree.levels + 1 {
        solver.stage = Some(level);
        let Some(value) = solver.solve(count)? else {
            return Ok(None);
        };
        let domains = fields.count(value, level);
        if question.within.is_some_and(|within| within + 1 == level) && domains > 1 {
            return Ok(None);
        }
        let smallest = solver.largest_least(level, count, value, domains)?;
        solver.least[level] = smallest;
        levels.push(LevelUse {
            domains,
            smallest: smallest.saturating_mul(tree.unit),
        });
    }
    solver.stage = None;
    let Some(value) = solver.solve(count)? else {
        return Ok(None);
    };
    let (loss, left) = fields.loss_and_left(value);
    Ok(Some(Spread {
        slices: solver.pick(count)?,
        levels,
        loss,
        left,
    }))
}

impl Solver<'_> {
    /// Returns the most that each domain of a level can give at least, if as few domains
    /// are to give something as in `value` on this level and those before.
    ///
    /// What is possible with some least number is so with each smaller one. It is often
    /// the share of each if all give the same, so that is tried first.
    fn largest_least(
        &mut self,
        level: usize,
        count: u32,
        value: u128,
        domains: u32,
    ) -> Result<u32, Halt> {
        let wanted = self.fields.down_to(value, level);
        let (mut low, mut high) = (1, count / domains.max(1));
        let mut next = high;
        while low < high {
            self.least[level] = next;
            let found = self.solve(count)?;
            if found.is_some_and(|value| self.fields.down_to(value, level) == wanted) {
                low = next;
            } else {
                high = next - 1;
            }
            next = high - (high - low) / 2;
        }
        Ok(low)
    }
}
