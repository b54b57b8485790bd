//! Small clusters at random, and what sets of their devices are worth, by definition.

use std::collections::BTreeSet;
use std::fmt;

use dralloc_topology::{Choice, Document, DomainTree, Knapsack, Question, Scope, Term, Topology};
use serde_json::json;

/// Gives numbers that look like chance, the same each time.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Is a device of a small cluster: its block, rack, host and NUMA node, all numbered over
/// the whole cluster, and its links into the switches of the rack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device {
    pub(crate) block: u64,
    pub(crate) rack: u64,
    pub(crate) host: u64,
    pub(crate) node: u64,
    pub(crate) links: u64,
}

/// Returns a small cluster at random.
pub(crate) fn cluster(chance: &mut Chance, most: usize) -> Vec<Device> {
    let mut devices = Vec::new();
    let (mut racks, mut hosts) = (0, 0);
    for block in 0..=chance.below(2) {
        for _ in 0..=chance.below(2) {
            for _ in 0..=chance.below(3) {
                let size = 1 + chance.below(4);
                for place in 0..size {
                    let links = match chance.below(8) {
                        0 if place > 0 => 0,
                        1 => 2,
                        2 => 1,
                        _ => 3,
                    };
                    let node = hosts * 2 + place / 2;
                    devices.push(Device {
                        block,
                        rack: racks,
                        host: hosts,
                        node,
                        links,
                    });
                }
                hosts += 1;
            }
            racks += 1;
        }
    }
    devices.truncate(most);
    devices
}

pub(crate) fn topology(devices: &[Device]) -> Topology {
    let mut vertices = vec![json!({"id": "spine", "kind": "fabric"})];
    let mut links = Vec::new();
    let mut seen = BTreeSet::new();
    for (number, device) in devices.iter().enumerate() {
        let (block, rack, host) = (
            format!("b{}", device.block),
            format!("r{}", device.rack),
            format!("h{}", device.host),
        );
        if seen.insert(block.clone()) {
            vertices.push(json!({"id": block, "kind": "block"}));
            links.push(json!({"a": block, "b": "spine", "type": "NetTier"}));
        }
        if seen.insert(rack.clone()) {
            vertices.push(json!({"id": rack, "kind": "nvLinkDomain"}));
            links.push(json!({"a": rack, "b": block, "type": "NetTier"}));
        }
        if seen.insert(host.clone()) {
            vertices.push(json!({"id": host, "kind": "host"}));
            links.push(json!({"a": host, "b": rack, "type": "NVLinkTray"}));
        }
        let id = format!("g{number}");
        vertices.push(json!({"id": id, "kind": "gpu", "numaNode": device.node}));
        links.push(match device.links {
            0 => json!({"a": id, "b": host, "type": "PCIe"}),
            count => json!({"a": id, "b": host, "type": "Tray", "count": count}),
        });
    }
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

pub(crate) fn members(mask: u32) -> Vec<usize> {
    (0..32).filter(|place| mask >> place & 1 == 1).collect()
}

pub(crate) fn rings(devices: &[Device], set: &[usize]) -> u64 {
    let rack = set
        .iter()
        .all(|&device| devices[device].rack == devices[set[0]].rack);
    let least = set.iter().map(|&device| devices[device].links).min();
    if rack && set.len() > 1 {
        least.unwrap()
    } else {
        0
    }
}

pub(crate) fn links(devices: &[Device], set: &[usize]) -> u64 {
    let mut sum = 0;
    for &a in set {
        for &b in set {
            if a < b && devices[a].rack == devices[b].rack {
                sum += devices[a].links.min(devices[b].links);
            }
        }
    }
    sum
}

pub(crate) type Group = fn(&Device) -> u64;

pub(crate) const GROUPS: [(Scope, Group); 4] = [
    (Scope::NumaNode, |device| device.node),
    (Scope::Host, |device| device.host),
    (Scope::NvLinkDomain, |device| device.rack),
    (Scope::Block, |device| device.block),
];

pub(crate) fn span(devices: &[Device], set: &[usize]) -> Scope {
    if set.len() < 2 {
        return Scope::Device;
    }
    let same = |group: Group| {
        set.iter()
            .all(|&device| group(&devices[device]) == group(&devices[set[0]]))
    };
    let found = GROUPS.into_iter().find(|&(_, group)| same(group));
    found.map_or(Scope::Fabric, |(scope, _)| scope)
}

pub(crate) fn potential(devices: &[Device], free: u32) -> u64 {
    let mut domains = BTreeSet::from([(1_u32 << devices.len()) - 1]);
    for (_, group) in GROUPS {
        for device in devices {
            let same = devices
                .iter()
                .enumerate()
                .filter(|(_, other)| group(other) == group(device));
            domains.insert(same.fold(0, |mask, (place, _)| mask | 1 << place));
        }
    }
    let mut sum = 0;
    for domain in domains {
        let (len, left) = (domain.count_ones(), (domain & free).count_ones());
        let mut sizes: BTreeSet<u32> = (1..5)
            .map(|power| 1 << power)
            .filter(|&size| size < len)
            .collect();
        if len > 1 {
            sizes.insert(len);
        }
        sum += sizes
            .into_iter()
            .map(|size| u64::from(left / size * size))
            .sum::<u64>();
    }
    sum
}

/// Returns what a set takes of the domains, from the root down.
pub(crate) fn shares(tree: &DomainTree, set: &[usize], domain: u32, shares_of: &mut Vec<usize>) {
    let children = &tree.domains()[domain as usize].children;
    for &child in children {
        let inside = tree.devices(&tree.domains()[child as usize]);
        shares_of.push(
            set.iter()
                .filter(|&&device| inside.iter().any(|&other| other as usize == device))
                .count(),
        );
    }
    for &child in children {
        shares(tree, set, child, shares_of);
    }
}

/// Terms in the orders that a tree can weigh.
const ORDERS: [&[Term]; 10] = [
    &[Term::Ring, Term::Links, Term::Span, Term::Packing],
    &[Term::Ring, Term::Links, Term::Packing],
    &[Term::Ring, Term::Span],
    &[Term::Ring, Term::Packing],
    &[Term::Links, Term::Span, Term::Packing],
    &[Term::Links, Term::Packing],
    &[Term::Span, Term::Packing],
    &[Term::Packing],
    &[Term::Links],
    &[],
];

/// Is a question about a small cluster, with sets as masks.
pub(crate) struct Asked {
    pub(crate) free: u32,
    pub(crate) count: usize,
    pub(crate) required: u32,
    pub(crate) terms: &'static [Term],
}

impl Asked {
    /// Returns a question at random about so many devices.
    pub(crate) fn of(chance: &mut Chance, devices: usize) -> Self {
        let limit = 1 << devices;
        let free = u32::try_from(chance.below(limit) | chance.below(limit)).unwrap();
        let count = usize::try_from(chance.below(u64::from(free.count_ones()) + 2)).unwrap();
        let terms = ORDERS[usize::try_from(chance.below(10)).unwrap()];
        let required = match chance.below(4) {
            0 => free & u32::try_from(chance.below(limit) & chance.below(limit)).unwrap(),
            _ => 0,
        };
        Self {
            free,
            count,
            required,
            terms,
        }
    }

    /// Returns the best set by comparing all of them: the greatest value, and among equals
    /// the first in the order of domains.
    pub(crate) fn best<V: Ord>(
        &self,
        topology: &Topology,
        value: impl Fn(u32) -> V,
    ) -> Option<Vec<usize>> {
        let order = |set: u32| {
            let mut all = Vec::new();
            shares(topology.domains(), &members(set), 0, &mut all);
            all
        };
        let fits = |set: &u32| set & !self.free == 0 && set & self.required == self.required;
        let sets = (0..=self.free).filter(fits);
        let sets = sets.filter(|set| set.count_ones() as usize == self.count);
        sets.max_by_key(|&set| (value(set), order(set)))
            .map(members)
    }

    /// Returns what a knapsack answers.
    pub(crate) fn select(&self, knapsack: &Knapsack) -> Option<Choice> {
        let (free, required) = (members(self.free), members(self.required));
        let question = Question {
            free: &free,
            count: self.count,
            required: &required,
            terms: self.terms,
        };
        knapsack.select(&question).unwrap()
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            free,
            count,
            required,
            terms,
        } = self;
        write!(formatter, "{free:b} {required:b} {count} {terms:?}")
    }
}
