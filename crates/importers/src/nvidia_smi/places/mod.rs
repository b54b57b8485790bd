//! [`Places`]: the tree of switches and NUMA nodes that the levels ask for.

mod groups;

use dralloc_topology::Level;
use groups::Groups;

use super::matrix::Device;
use super::pairs::Pairs;
use crate::error::Warnings;
use crate::text::quoted;

/// Has the places of each device: groups are numbered by their first device.
///
/// Two devices are in one group only if no cell says that members are farther apart; so
/// what the tree says is never nearer than the matrix.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Devices on one switch.
    pub(super) switches: Vec<usize>,
    /// Devices below one root port.
    pub(super) roots: Vec<usize>,
    /// Devices on one NUMA node.
    pub(super) nodes: Vec<usize>,
}

impl Places {
    /// Returns the places of devices.
    pub(super) fn new(devices: &[Device<'_>], pairs: &Pairs) -> Self {
        let count = devices.len();
        let mut groups = Groups::new(count);
        let mut join = |most: Level| {
            let far = |a, b| pairs.pcie(a, b).is_some_and(|level| level > most);
            let near = |a, b| pairs.pcie(a, b).is_some_and(|level| level <= most);
            groups.forbid(pairs.all().filter(|&(a, b)| far(a, b)));
            groups.join(pairs.all().filter(|&(a, b)| near(a, b)));
            groups.of_each().to_vec()
        };
        let switches = join(Level::Pix);
        let roots = join(Level::Pxb);
        join(Level::Node);
        // Where cells do not tell, the affinity does.
        let node = |device: usize| devices.get(device).and_then(|device| device.numa_node);
        let same = |a: usize, b: usize| node(a).is_some() && node(a) == node(b);
        groups.join(pairs.all().filter(|&(a, b)| same(a, b)));
        Self {
            switches,
            roots,
            nodes: groups.of_each().to_vec(),
        }
    }

    /// Returns the level that the tree has between two devices.
    fn level(&self, a: usize, b: usize) -> Level {
        let same = |groups: &[usize]| groups.get(a) == groups.get(b);
        if same(&self.switches) {
            Level::Pix
        } else if same(&self.roots) {
            Level::Pxb
        } else if same(&self.nodes) {
            Level::Node
        } else {
            Level::Sys
        }
    }

    /// Warns of cells that the tree does not have.
    pub(super) fn tell(&self, devices: &[Device<'_>], pairs: &Pairs, warnings: &mut Warnings) {
        let name = |device: usize| quoted(devices.get(device).map_or("", |device| device.name));
        let node = |device: usize| devices.get(device).and_then(|device| device.numa_node);
        let mut bridged = None;
        for (a, b) in pairs.all() {
            let (Some(told), Some((_, position))) = (pairs.pcie(a, b), pairs.get(a, b)) else {
                continue;
            };
            let level = self.level(a, b);
            if told == Level::Phb && level == Level::Node {
                let (_, count) = bridged.unwrap_or((position, 0));
                bridged = Some((bridged.map_or(position, |(first, _)| first), count + 1));
            } else if told != level {
                let message = format!(
                    "`{told}` from {} to {} does not go with the other levels in a tree, it is \
                     `{level}` in the document",
                    name(a),
                    name(b),
                );
                warnings.add(position, message);
            } else if let (Some(first), Some(second)) = (node(a), node(b))
                && (level <= Level::Node) != (first == second)
            {
                let message = format!(
                    "`{told}` from {} to {} does not go with their NUMA affinities, {first} and \
                     {second}, the level counts",
                    name(a),
                    name(b),
                );
                warnings.add(position, message);
            }
        }
        if let Some((position, count)) = bridged {
            let pairs = if count == 1 { "pair is" } else { "pairs are" };
            let message = format!(
                "{count} {pairs} `PHB`: documents have no host bridges, so that is `NODE` there"
            );
            warnings.add(position, message);
        }
    }
}
