//! [`Solver`]: the least values of domains under given conditions.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::Tree;
use super::value::Fields;
use super::{Halt, Watch};

/// Solves one tree under one list of conditions after another.
pub(super) struct Solver<'a> {
    pub(super) tree: &'a Tree,
    pub(super) fields: &'a Fields,
    pub(super) watch: Watch<'a>,
    /// By level: the least that a domain may give if it gives anything.
    pub(super) least: Vec<u32>,
    /// The level whose domains count as leaves; none if hosts are, and all of the key
    /// counts.
    pub(super) stage: Option<usize>,
    /// By class and the numbers that are asked for.
    known: BTreeMap<(usize, u32, u32), Rc<[Entry]>>,
    pub(super) states: usize,
}

/// Is one way to give units: nothing gives as many with fewer hosts and a lower value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) units: u32,
    /// 0 where nobody counts them.
    pub(super) hosts: u32,
    pub(super) value: u128,
}

impl<'a> Solver<'a> {
    pub(super) fn new(tree: &'a Tree, fields: &'a Fields, watch: Watch<'a>) -> Self {
        Self {
            tree,
            fields,
            watch,
            least: vec![1; tree.levels + 2],
            stage: None,
            known: BTreeMap::new(),
            states: 0,
        }
    }

    /// Returns the least value of all that is wanted.
    pub(super) fn solve(&mut self, count: u32) -> Result<Option<u128>, Halt> {
        self.known.clear();
        let table = self.table(0, count, count)?;
        Ok(table.first().map(|entry| entry.value))
    }

    /// Returns the ways in which a domain gives `from` to `to` units, ascending, those
    /// with the fewest hosts first.
    pub(super) fn table(&mut self, node: usize, from: u32, to: u32) -> Result<Rc<[Entry]>, Halt> {
        let this = &self.tree.nodes[node];
        let from = from.max(self.least[this.level]).max(1);
        // Nobody asks what all there is can give but for what is wanted.
        let to = match this.level {
            0 => to,
            _ => to.min(this.supply.most()),
        };
        if from > to {
            return Ok(Rc::default());
        }
        let key = (this.class, from, to);
        if let Some(table) = self.known.get(&key) {
            return Ok(Rc::clone(table));
        }
        let mut table = if this.level > self.tree.levels || self.stage == Some(this.level) {
            self.leaf(node, from, to)
        } else if self.is_closed(node) {
            self.closed(node, from, to)
        } else {
            self.combine(node, from, to)?
        };
        for entry in &mut table {
            entry.value += self.own_value(node, entry.units);
        }
        let table: Rc<[Entry]> = table.into();
        self.known.insert(key, Rc::clone(&table));
        Ok(table)
    }

    fn leaf(&self, node: usize, from: u32, to: u32) -> Vec<Entry> {
        let this = &self.tree.nodes[node];
        let counts = self.tree.counts_hosts(this.level) && this.level <= self.tree.levels;
        let ways = (from..=to).filter_map(|units| {
            let hosts = this.supply.hosts(units)?;
            Some(Entry {
                units,
                hosts: if counts { hosts } else { 0 },
                value: 0,
            })
        });
        ways.collect()
    }

    /// Returns what a domain adds to the value if it gives units.
    fn own_value(&self, node: usize, units: u32) -> u128 {
        let this = &self.tree.nodes[node];
        if this.level == 0 {
            return 0;
        }
        let mut value = self.fields.domains(this.level, 1);
        if self.stage.is_none() {
            let loss = this.potential(0).saturating_sub(this.potential(units));
            value += self.fields.rest(loss, this.left(units));
        }
        value
    }

    /// Counts steps.
    pub(super) fn step(&mut self, steps: usize) -> Result<(), Halt> {
        if (self.watch)(steps as u64) {
            return Err(Halt::Stopped);
        }
        Ok(())
    }
}
