//! The answer for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use dralloc::model::Str;
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::amounts::Sum;
use super::group::{Group, Key};
use super::holder::Holder;
use super::partitions::Partition;
use super::survey::{Gate, Survey};
use super::taints::Taint;
use super::tally::Tally;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole<'s> {
    nodes: usize,
    nodes_without_devices: usize,
    pools: usize,
    drivers: &'s BTreeSet<Str>,
    total: &'s Tally,
    by: &'static str,
    groups: Vec<OneGroup<'s>>,
    partitions: &'s [Partition],
    counters: &'s [Sum],
    capacities: &'s [Sum],
    taints: &'s [Taint],
    gates_off: &'s [Gate],
    unusable_pools: Vec<UnusablePool<'s>>,
    unpublished: Vec<Unpublished<'s>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OneGroup<'s> {
    /// None for what is in no group.
    name: Option<&'s Str>,
    nodes: usize,
    products: &'s BTreeSet<Str>,
    #[serde(flatten)]
    tally: &'s Tally,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    partitions_left: &'s BTreeMap<Str, usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held_by: Vec<Share<'s>>,
}

#[derive(Serialize)]
struct Share<'s> {
    #[serde(flatten)]
    holder: Holder<'s>,
    devices: usize,
}

#[derive(Serialize)]
struct UnusablePool<'s> {
    driver: &'s Str,
    pool: &'s Str,
    slices: usize,
    devices: usize,
    fault: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Unpublished<'s> {
    device: String,
    held_by: Vec<Holder<'s>>,
}

/// Writes all that is told as one object, indented as `kubectl` does.
pub(super) fn write(survey: &Survey<'_>) -> io::Result<String> {
    let pools = survey.stock.pools().iter();
    let unusable = pools.clone().filter_map(|pool| {
        Some(UnusablePool {
            driver: &pool.driver,
            pool: &pool.name,
            slices: pool.slices,
            devices: pool.devices.len(),
            fault: pool.fault.as_ref()?.to_string(),
        })
    });
    let unpublished = survey.stock.unpublished().iter();
    let unpublished = unpublished.map(|(id, holders)| Unpublished {
        device: id.to_string(),
        held_by: holders
            .iter()
            .map(|holder| survey.holder(*holder))
            .collect(),
    });
    let whole = Whole {
        nodes: survey.nodes,
        nodes_without_devices: survey.nodes_without_devices,
        pools: pools.len(),
        drivers: &survey.drivers,
        total: &survey.total,
        by: survey.by.as_str(),
        groups: survey
            .groups
            .iter()
            .map(|entry| group(survey, entry))
            .collect(),
        partitions: &survey.partitions,
        counters: &survey.counters,
        capacities: &survey.capacities,
        taints: &survey.taints,
        gates_off: &survey.gates,
        unusable_pools: unusable.collect(),
        unpublished: unpublished.collect(),
    };
    let mut text = Vec::new();
    let formatter = PrettyFormatter::with_indent(b"    ");
    whole.serialize(&mut Serializer::with_formatter(&mut text, formatter))?;
    text.push(b'\n');
    String::from_utf8(text).map_err(io::Error::other)
}

fn group<'s>(survey: &'s Survey<'_>, (key, group): &'s (Key, Group)) -> OneGroup<'s> {
    let holders = group.holders.iter();
    OneGroup {
        name: match key {
            Key::Named(name) => Some(name),
            Key::None => None,
        },
        nodes: group.nodes.len(),
        products: &group.products,
        tally: &group.tally,
        partitions_left: &group.left,
        held_by: holders
            .map(|(holder, devices)| Share {
                holder: survey.holder(*holder),
                devices: *devices,
            })
            .collect(),
    }
}
