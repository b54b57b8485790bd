//! [`Places`]: the tree of switches and NUMA nodes that the levels ask for.

mod groups;

use dralloc_topology::Level;
use groups::Groups;

use super::matrix::Device;
use super::pairs::Pairs;
use crate::error::Warnings;
use crate::text::{Position, quoted};

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
        let (mut bridged, mut moved) = (Alike::default(), Alike::default());
        for (a, b) in pairs.all() {
            let (Some(told), Some((_, position))) = (pairs.pcie(a, b), pairs.get(a, b)) else {
                continue;
            };
            let level = self.level(a, b);
            if told != level && (told, level) != (Level::Phb, Level::Node) {
                let message = format!(
                    "`{told}` from {} to {} does not go with the other levels in a tree, it is \
                     `{level}` in the document",
                    name(a),
                    name(b),
                );
                warnings.add(position, message);
                continue;
            }
            if told == Level::Phb {
                bridged.count(position);
            }
            if let (Some(first), Some(second)) = (node(a), node(b))
                && (level <= Level::Node) != (first == second)
            {
                moved.count(position);
            }
        }
        if let Some((position, pairs)) = bridged.told("is", "are") {
            let message =
                format!("{pairs} `PHB`: documents have no host bridges, so that is `NODE` there");
            warnings.add(position, message);
        }
        if let Some((position, pairs)) = moved.told("goes", "go") {
            let message = format!("{pairs} against the NUMA affinity of the devices: levels count");
            warnings.add(position, message);
        }
    }
}

/// Counts pairs of which the same is to be told.
#[derive(Clone, Copy, Debug, Default)]
struct Alike {
    first: Option<Position>,
    count: usize,
}

impl Alike {
    fn count(&mut self, position: Position) {
        self.first.get_or_insert(position);
        self.count += 1;
    }

    /// Returns where the first is, and how many there are with a verb.
    fn told(&self, one: &str, more: &str) -> Option<(Position, String)> {
        let verb = if self.count == 1 {
            format!("pair {one}")
        } else {
            format!("pairs {more}")
        };
        Some((self.first?, format!("{} {verb}", self.count)))
    }
}
