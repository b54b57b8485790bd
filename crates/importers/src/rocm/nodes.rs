//! [`Nodes`]: the NUMA node of each device.

use std::collections::BTreeMap;

use super::blocks::{Blocks, Topic};
use crate::error::{Error, Warnings};

/// Has the NUMA nodes.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// The number of each device's node, where it is told.
    pub(super) numbers: Vec<Option<i64>>,
    /// Devices of which hops say that they share a node, by the first of them, where no
    /// number is told at all.
    pub(super) groups: Vec<Option<usize>>,
}

impl Nodes {
    /// Finds the nodes: by affinity, else by node, else by hops.
    ///
    /// Two hops are a way over the processor of both devices, three one over two
    /// processors. One hop is xGMI and tells nothing.
    pub(super) fn new(blocks: &Blocks<'_>, warnings: &mut Warnings) -> Result<Self, Error> {
        let count = blocks.devices.len();
        let mut told: BTreeMap<(usize, bool), i64> = BTreeMap::new();
        for (device, what, value) in &blocks.notes {
            let is_affinity = match what.text {
                "Affinity:" => true,
                "Node:" => false,
                _ => continue,
            };
            match value.text.parse::<i64>() {
                Ok(node) if node >= 0 => {
                    told.insert((*device, is_affinity), node);
                }
                Ok(_) => {}
                Err(_) if value.text == "N/A" => {}
                Err(_) => {
                    let found = crate::text::quoted(value.text);
                    let message = format!("expected the number of a NUMA node, found {found}");
                    return Err(Error::malformed(value.position, message));
                }
            }
        }
        let number = |device: usize| {
            let affinity = told.get(&(device, true));
            affinity.or_else(|| told.get(&(device, false))).copied()
        };
        let numbers: Vec<Option<i64>> = (0..count).map(number).collect();
        let mut groups = vec![None; count];
        if numbers.iter().all(Option::is_none) {
            for a in 0..count {
                let near = |b: usize| {
                    let cell = blocks.cell(Topic::Hops, a, b);
                    cell.is_some_and(|cell| cell.text == "2")
                };
                let others = (0..a).find(|&b| near(b));
                let group = others.and_then(|b| groups.get(b).copied().flatten());
                let is_shared = group.is_some() || (a..count).any(near);
                if let Some(entry) = groups.get_mut(a) {
                    *entry = is_shared.then(|| group.unwrap_or(a));
                }
            }
        } else if let (Some(missing), Some(end)) =
            (numbers.iter().position(Option::is_none), blocks.end)
        {
            let device = blocks.devices.get(missing);
            let position = device.map_or(end, |device| device.position);
            let message = "no NUMA node is told of some devices, they count as far from all";
            warnings.add(position, message);
        }
        Ok(Self { numbers, groups })
    }
}
