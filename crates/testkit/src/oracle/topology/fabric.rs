//! [`Fabric`]: links of devices, and the rings of sets.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{LinkType, VertexKind};

use super::packing::greatest;
use super::plan::{Joint, Plan};

/// A link whose rate is not known counts as 20 GB/s.
const ASSUMED: i128 = 20_000;

/// What a set costs that has no ring.
pub(super) const NO_RING: i128 = 2_000_000_000_000_000;

/// Is what links the devices of a plan, by number of the vertex.
#[derive(Debug)]
pub(super) struct Fabric {
    direct: BTreeMap<(usize, usize), Wire>,
    ports: BTreeMap<usize, Port>,
    /// Rates of rings that were found out, by set.
    known: RefCell<BTreeMap<Vec<usize>, (i128, i128)>>,
}

/// Is what links two devices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub(super) is_xgmi: bool,
    pub(super) count: i128,
    rate: Option<i128>,
}

#[derive(Debug, Default)]
struct Port {
    planes: BTreeSet<usize>,
    count: i128,
    capacity: i128,
}

impl Fabric {
    pub(super) fn new(plan: &Plan) -> Self {
        let is_gpu = |vertex: &usize| plan.vertices[*vertex].kind == VertexKind::Gpu;
        let mut fabric = Self {
            direct: BTreeMap::new(),
            ports: BTreeMap::new(),
            known: RefCell::default(),
        };
        for joint in &plan.joints {
            let (a, b) = joint.ends;
            if !is_gpu(&a) || !is_gpu(&b) || !is_link(joint.kind) {
                continue;
            }
            let wire = Wire {
                is_xgmi: joint.kind == LinkType::XGMI,
                count: joint.count,
                rate: joint.rate,
            };
            let known = fabric.direct.entry((a, b)).or_insert(wire);
            if (wire.count, known.is_xgmi) > (known.count, wire.is_xgmi) {
                *known = wire;
            }
        }
        for vertex in (0..plan.vertices.len()).filter(is_gpu) {
            if let Some(port) = port(plan, vertex) {
                fabric.ports.insert(vertex, port);
            }
        }
        fabric
    }

    /// Returns what links two devices.
    pub(super) fn wire(&self, a: usize, b: usize) -> Option<Wire> {
        let direct = self.direct.get(&(a.min(b), a.max(b))).copied();
        direct.or_else(|| {
            self.is_switched(a, b).then(|| Wire {
                is_xgmi: false,
                count: self.ports[&a].count.min(self.ports[&b].count),
                rate: None,
            })
        })
    }

    fn is_switched(&self, a: usize, b: usize) -> bool {
        let (Some(first), Some(second)) = (self.ports.get(&a), self.ports.get(&b)) else {
            return false;
        };
        a != b
            && !self.direct.contains_key(&(a.min(b), a.max(b)))
            && !first.planes.is_disjoint(&second.planes)
    }

    /// Returns whether a device has any links.
    pub(super) fn is_linked(&self, device: usize) -> bool {
        self.ports.contains_key(&device)
            || self
                .direct
                .keys()
                .any(|(a, b)| *a == device || *b == device)
    }

    /// Returns whether links or switches lead from a device to another, maybe over others.
    pub(super) fn reached(&self, from: usize, devices: &[usize]) -> BTreeSet<usize> {
        let mut reached = BTreeSet::from([from]);
        loop {
            let is_next = |device: &&usize| {
                !reached.contains(*device)
                    && reached
                        .iter()
                        .any(|other| self.wire(*other, **device).is_some())
            };
            let Some(next) = devices.iter().find(is_next) else {
                return reached;
            };
            reached.insert(*next);
        }
    }

    fn port_capacity(&self, device: usize) -> i128 {
        self.ports[&device].capacity
    }

    /// Returns the rate of all rings of a set together, in thousandths of GB/s, as a
    /// fraction.
    ///
    /// Two devices have the links between them. Of more it is twice the greatest weight
    /// that rings through all of them can have, where no link carries more than its
    /// rate, and no device more over switches, in and out, than its links into those.
    pub(super) fn rings(&self, set: &[usize]) -> (i128, i128) {
        if let Some(known) = self.known.borrow().get(set) {
            return *known;
        }
        let found = self.find_rings(set);
        self.known.borrow_mut().insert(set.to_vec(), found);
        found
    }

    fn find_rings(&self, set: &[usize]) -> (i128, i128) {
        match *set {
            [] | [_] => (0, 1),
            [a, b] => {
                let direct = self.direct.get(&(a.min(b), a.max(b)));
                let direct = direct.map(|wire| capacity(wire.count, wire.rate));
                let switched = || self.port_capacity(a).min(self.port_capacity(b));
                let switched = || self.is_switched(a, b).then(switched);
                (direct.or_else(switched).unwrap_or(0), 1)
            }
            _ => {
                let mut limits = BTreeMap::new();
                for (place, a) in set.iter().enumerate() {
                    for b in &set[..place] {
                        if let Some(wire) = self.direct.get(&(*a.min(b), *a.max(b))) {
                            let capacity = capacity(wire.count, wire.rate);
                            limits.insert((*a.min(b), *a.max(b)), capacity);
                        }
                    }
                    if self.ports.contains_key(a) {
                        limits.insert((*a, *a), self.port_capacity(*a));
                    }
                }
                let uses = |a: usize, b: usize| match () {
                    () if self.direct.contains_key(&(a.min(b), a.max(b))) => {
                        Some(vec![(a.min(b), a.max(b))])
                    }
                    () if self.is_switched(a, b) => Some(vec![(a, a), (b, b)]),
                    () => None,
                };
                let (above, below) = greatest(set, &limits, &uses);
                (2 * above, below)
            }
        }
    }
}

fn capacity(count: i128, rate: Option<i128>) -> i128 {
    rate.unwrap_or(count * ASSUMED)
}

fn is_link(kind: LinkType) -> bool {
    matches!(kind, LinkType::NVLink | LinkType::NVSwitch | LinkType::XGMI)
}

/// Returns what a device has into switches, or by way of its tray into a domain.
fn port(plan: &Plan, device: usize) -> Option<Port> {
    let is_switch = |vertex: usize| {
        let kind = plan.vertices[vertex].kind;
        matches!(kind, VertexKind::NvSwitch | VertexKind::NvLinkDomain)
    };
    let mut into: Vec<(usize, &Joint)> = Vec::new();
    for (other, joint) in plan.links(device) {
        if is_link(joint.kind) && is_switch(other) {
            into.push((other, joint));
        } else if joint.kind == LinkType::Tray {
            let domains = plan.links(other).filter(|(domain, tray)| {
                tray.kind == LinkType::NVLinkTray
                    && plan.vertices[*domain].kind == VertexKind::NvLinkDomain
            });
            let domain = domains.map(|(domain, _)| domain).min();
            into.extend(domain.map(|domain| (domain, joint)));
        }
    }
    if into.is_empty() {
        return None;
    }
    let capacities = into
        .iter()
        .map(|(_, joint)| capacity(joint.count, joint.rate));
    Some(Port {
        planes: into
            .iter()
            .map(|(switch, _)| plane(plan, *switch))
            .collect(),
        count: into.iter().map(|(_, joint)| joint.count).sum(),
        capacity: capacities.sum(),
    })
}

/// Returns the first of the switches that trunks join with one.
fn plane(plan: &Plan, switch: usize) -> usize {
    let mut plane = BTreeSet::from([switch]);
    loop {
        let trunks = plan
            .joints
            .iter()
            .filter(|joint| joint.kind == LinkType::NVSwitchTrunk);
        let ends: Vec<(usize, usize)> = trunks.map(|joint| joint.ends).collect();
        let is_next = |(a, b): &&(usize, usize)| plane.contains(a) != plane.contains(b);
        let Some((a, b)) = ends.iter().find(is_next) else {
            return plane.first().copied().unwrap_or(switch);
        };
        plane.extend([*a, *b]);
    }
}

/// Returns the nanoseconds that a terabyte takes at a rate, rounded up.
pub(super) fn around((above, below): (i128, i128)) -> i128 {
    if above == 0 {
        return NO_RING;
    }
    let exact = 1_000_000_000_000_000 * below;
    ((exact + above - 1) / above).min(NO_RING)
}
