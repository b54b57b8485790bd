//! [`Tree`]: hosts in domains, from the outermost level in.

use std::collections::BTreeMap;

use super::supply::Supply;
use super::{Halt, SpreadQuestion, Watch};
use crate::knapsack::of_domain;

/// Is the tree of a question; all numbers of devices but those of potentials are in units,
/// of which every host gives some.
#[derive(Debug)]
pub(super) struct Tree {
    /// Parents before their parts; the first is all there is.
    pub(super) nodes: Vec<Node>,
    /// The level of hosts is one more.
    pub(super) levels: usize,
    /// How many devices a unit is.
    pub(super) unit: u32,
    /// How many units are wanted; none if that is no whole number of them.
    pub(super) count: Option<u32>,
    /// The level of which a domain may give so many hosts, and how many.
    pub(super) most_hosts: Option<(usize, u32)>,
}

/// Is a domain, or a host.
#[derive(Debug)]
pub(super) struct Node {
    /// 0 for all there is.
    pub(super) level: usize,
    /// Its first host, by place.
    pub(super) first: usize,
    /// In devices.
    pub(super) devices: u32,
    /// In devices.
    pub(super) free: u32,
    unit: u32,
    /// The same for what looks alike.
    pub(super) class: usize,
    /// The parts that can give something: the most first, like ones together, then in
    /// order.
    pub(super) parts: Vec<usize>,
    /// By how many of the first parts: what they give at most, from 0.
    pub(super) sums: Vec<u32>,
    pub(super) supply: Supply,
}

impl Node {
    /// Returns the packing potential if units are taken.
    pub(super) fn potential(&self, taken: u32) -> u64 {
        let taken = taken.saturating_mul(self.unit);
        of_domain(self.devices, self.free.saturating_sub(taken))
    }

    /// Returns how many devices stay free if units are taken.
    pub(super) fn left(&self, taken: u32) -> u32 {
        self.free.saturating_sub(taken.saturating_mul(self.unit))
    }
}

/// What tells domains and hosts of one level from others.
type Look = (usize, u32, u32, Vec<usize>);

impl Tree {
    pub(super) fn new(question: &SpreadQuestion<'_>, watch: Watch<'_>) -> Result<Self, Halt> {
        let (kinds, of_host) = kinds(question);
        let unit = kinds.iter().flatten().copied().fold(0, common_divisor);
        let unit = unit.max(1);
        let mut tree = Self {
            nodes: Vec::new(),
            levels: question.levels,
            unit,
            count: question
                .count
                .is_multiple_of(unit)
                .then_some(question.count / unit),
            most_hosts: question.most_hosts.map(|most| {
                // Where one domain gives all, what limits those around it limits it.
                let level = most.level.max(question.within.unwrap_or(0));
                (level + 1, most.hosts.min(question.count / unit))
            }),
        };
        let all_parts = tree.plant(question);
        let most = question.count / unit;
        let mut classes: BTreeMap<Look, usize> = BTreeMap::new();
        let mut supplies: BTreeMap<usize, Supply> = BTreeMap::new();
        // Parts before what they are parts of, from left to right in each level, so that
        // numbers of classes are in the order of their first host.
        let mut by_level: Vec<usize> = (0..tree.nodes.len()).collect();
        by_level.sort_by_key(|&node| std::cmp::Reverse(tree.nodes[node].level));
        let supplies_of_kinds: Vec<Supply> = kinds
            .iter()
            .map(|choices| {
                choices
                    .iter()
                    .map(|number| number / unit)
                    .collect::<Vec<u32>>()
            })
            .map(|units| Supply::of_host(&units))
            .collect();
        for node in by_level {
            let level = tree.nodes[node].level;
            if level > tree.levels {
                let kind = of_host[tree.nodes[node].first];
                tree.nodes[node].class = kind;
                tree.nodes[node].supply = supplies_of_kinds[kind].clone();
                continue;
            }
            tree.gather(node, &all_parts[node]);
            let this = &tree.nodes[node];
            let mut look: Vec<usize> = all_parts[node]
                .iter()
                .map(|&part| tree.nodes[part].class)
                .collect();
            look.sort_unstable();
            let next = kinds.len() + classes.len();
            let look = (level, this.devices, this.free, look);
            let class = *classes.entry(look).or_insert(next);
            tree.nodes[node].class = class;
            // What looks alike gives the same.
            if level > 0 {
                let supply = match supplies.get(&class) {
                    Some(supply) => Supply::clone(supply),
                    None => tree.supply_of(node, most, watch)?,
                };
                supplies.insert(class, supply.clone());
                tree.nodes[node].supply = supply;
            }
        }
        Ok(tree)
    }

    /// Sums up what the parts of a domain have, and puts them in order.
    fn gather(&mut self, node: usize, all_parts: &[usize]) {
        let nodes = &self.nodes;
        let sum = |of: fn(&Node) -> u32| {
            let numbers = all_parts.iter().map(|&part| of(&nodes[part]));
            numbers.fold(0, u32::saturating_add)
        };
        let (devices, free) = (sum(|part| part.devices), sum(|part| part.free));
        let gives = |&part: &usize| nodes[part].supply.most();
        let mut parts: Vec<usize> = all_parts.to_vec();
        parts.retain(|part| gives(part) > 0);
        parts.sort_by_key(|part| (std::cmp::Reverse(gives(part)), nodes[*part].class));
        let mut sums = vec![0];
        sums.extend(parts.iter().scan(0_u32, |sum, part| {
            *sum = sum.saturating_add(gives(part));
            Some(*sum)
        }));
        let this = &mut self.nodes[node];
        (this.devices, this.free) = (devices, free);
        (this.parts, this.sums) = (parts, sums);
    }

    /// Makes the nodes, level by level; returns the parts of each in order.
    fn plant(&mut self, question: &SpreadQuestion<'_>) -> Vec<Vec<usize>> {
        let node = |level, first| Node {
            level,
            first,
            devices: 0,
            free: 0,
            unit: self.unit,
            class: usize::MAX,
            parts: Vec::new(),
            sums: Vec::new(),
            supply: Supply::default(),
        };
        self.nodes.push(node(0, 0));
        let mut all_parts = vec![Vec::new()];
        let mut of_host = vec![0_usize; question.hosts.len()];
        for level in 0..=question.levels {
            let mut known: BTreeMap<(usize, usize, u32), usize> = BTreeMap::new();
            // Hosts of one domain are often told together.
            let mut last = None;
            for (place, host) in question.hosts.iter().enumerate() {
                let parent = of_host[place];
                let next = self.nodes.len();
                // The domain that it has on the next inner level stands for one that it
                // lacks, and in the end the host.
                let inner = host.domains.iter().enumerate().skip(level);
                let mut inner = inner.filter_map(|(at, domain)| Some((parent, at, (*domain)?)));
                let found = match (inner.next(), last) {
                    (None, _) => next,
                    (Some(key), Some((last, found))) if key == last => found,
                    (Some(key), _) => {
                        let found = *known.entry(key).or_insert(next);
                        last = Some((key, found));
                        found
                    }
                };
                if found == next {
                    self.nodes.push(node(level + 1, place));
                    all_parts.push(Vec::new());
                    all_parts[parent].push(found);
                }
                of_host[place] = found;
            }
        }
        for (host, &node) in question.hosts.iter().zip(&of_host) {
            let node = &mut self.nodes[node];
            (node.devices, node.free) = (host.devices, host.free);
        }
        all_parts
    }

    /// Returns whether the number of hosts matters to those over a domain of a level.
    pub(super) fn counts_hosts(&self, level: usize) -> bool {
        self.most_hosts.is_some_and(|(limited, _)| level > limited)
    }

    /// Returns how many hosts a domain of a level may give.
    pub(super) fn limit(&self, level: usize) -> Option<u32> {
        let (limited, hosts) = self.most_hosts?;
        (limited == level).then_some(hosts)
    }
}

/// Returns what hosts can give, by kinds of hosts that look alike, and the kind of each.
fn kinds(question: &SpreadQuestion<'_>) -> (Vec<Vec<u32>>, Vec<usize>) {
    let mut numbers: BTreeMap<(u32, u32, Option<&[u32]>), usize> = BTreeMap::new();
    let mut kinds = Vec::new();
    let mut of_host = Vec::with_capacity(question.hosts.len());
    for host in question.hosts {
        let look = (host.devices, host.free, host.counts.as_deref());
        let kind = *numbers.entry(look).or_insert(kinds.len());
        if kind == kinds.len() {
            kinds.push(host.choices(question.slices, question.count));
        }
        of_host.push(kind);
    }
    (kinds, of_host)
}

fn common_divisor(mut left: u32, mut right: u32) -> u32 {
    while right > 0 {
        (left, right) = (right, left % right);
    }
    left
}
