//! [`Survey`]: all that is told of a cluster.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::Str;
use dralloc::{Snapshot, Stock, StockedDevice};
use serde::Serialize;

use super::By;
use super::amounts::{self, Sum};
use super::group::{Group, Groups, Key};
use super::holder::Holder;
use super::partitions::{self, Partition};
use super::racks::Racks;
use super::taints::{self, Taint};
use super::tally::Tally;
use super::usage;
use crate::style;

/// Is what the table and the objects for programs are written of.
#[derive(Debug)]
pub(super) struct Survey<'s> {
    pub(super) stock: &'s Stock,
    pub(super) by: By,
    pub(super) nodes: usize,
    pub(super) nodes_without_devices: usize,
    pub(super) drivers: BTreeSet<Str>,
    pub(super) total: Tally,
    pub(super) groups: Vec<(Key, Group)>,
    pub(super) partitions: Vec<Partition>,
    pub(super) counters: Vec<Sum>,
    pub(super) capacities: Vec<Sum>,
    pub(super) taints: Vec<Taint>,
    /// Feature gates that are off, with how many devices need each.
    pub(super) gates: Vec<Gate>,
}

/// Is a feature gate that is off, and that devices need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Gate {
    pub(super) gate: &'static str,
    pub(super) devices: usize,
}

impl<'s> Survey<'s> {
    pub(super) fn new(snapshot: &Snapshot, stock: &'s Stock, by: By) -> Self {
        let racks = if by == By::Rack {
            Racks::new(snapshot)
        } else {
            Racks::default()
        };
        let by = if by == By::Rack && racks.is_empty() {
            style::note("no topology and no label says in which rack a node is: by node instead");
            By::Node
        } else {
            by
        };
        let mut groups = Groups::new(snapshot, stock, by, &racks);
        let partitions = partitions::partitions(stock, &mut groups);
        let counters = amounts::counters(stock, &mut groups);
        let capacities = amounts::capacities(stock, &mut groups);
        let mut total = Tally::default();
        for device in stock.devices() {
            total.count(device.state());
        }
        total.stranded = groups.stranded;
        total.usage = usage::usage(stock, &mut groups);
        let with_devices: BTreeSet<&Str> = stock
            .devices()
            .iter()
            .filter_map(|device| device.node())
            .collect();
        let nodes: Vec<&Str> = snapshot.nodes().map(|node| &node.metadata.name).collect();
        Self {
            stock,
            by,
            nodes: nodes.len(),
            nodes_without_devices: nodes
                .iter()
                .filter(|name| !with_devices.contains(*name))
                .count(),
            drivers: stock
                .pools()
                .iter()
                .map(|pool| pool.driver.clone())
                .collect(),
            total,
            groups: groups.by_key.into_iter().collect(),
            partitions,
            counters,
            capacities,
            taints: taints::taints(stock),
            gates: gates(stock),
        }
    }

    /// Returns the holder at a place.
    pub(super) fn holder(&self, place: usize) -> Holder<'s> {
        Holder::of(&self.stock.holders()[place])
    }
}

/// Counts the devices that need a feature gate that is off, by gate.
fn gates(stock: &Stock) -> Vec<Gate> {
    let mut gates: BTreeMap<&'static str, usize> = BTreeMap::new();
    let missing = stock
        .devices()
        .iter()
        .filter_map(StockedDevice::missing_gate);
    missing.for_each(|gate| *gates.entry(gate).or_default() += 1);
    let gates = gates.into_iter();
    gates
        .map(|(gate, devices)| Gate { gate, devices })
        .collect()
}
