//! Random small nodes, of which it is known by how they are made what devices share.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_testkit::generate::Random;

use super::*;

/// Words of policies, links first, then from near to far.
pub(crate) const SCOPES: [&str; 8] = [
    "nvLink",
    "pcieSwitch",
    "pcieRoot",
    "numaNode",
    "host",
    "nvLinkDomain",
    "rack",
    "block",
];

/// Is a device with the domains that it is in, by scope.
#[derive(Clone)]
pub(crate) struct Device {
    pub(crate) name: String,
    domains: BTreeMap<&'static str, BTreeSet<String>>,
    /// Whether links of it are known, be it that there are none.
    is_linked: bool,
    /// Whether it is of a driver with linked devices, and none of them.
    is_outsider: bool,
}

/// Is a node with all that is known of it.
pub(crate) struct RandomNode {
    pub(crate) world: World,
    pub(crate) gpus: Vec<Device>,
    pub(crate) nics: Vec<Device>,
    /// What links two devices carries, in GB/s; by names in order.
    wires: BTreeMap<(String, String), u64>,
    /// Whether of three or more linked devices one has links with all others, which have
    /// none with each other.
    pub(crate) is_star: bool,
    allowed: Vec<BTreeSet<String>>,
    /// The fabric partitions of the GPUs; none where none is published.
    partitions: Option<Vec<BTreeSet<String>>>,
}

impl Device {
    /// Returns a device of the node, of which nothing else is known.
    fn new(kind: &str, number: usize) -> Self {
        let node = |scope| (scope, BTreeSet::from(["node".to_owned()]));
        Self {
            name: format!("{kind}{number}"),
            domains: ["host", "rack", "block"].map(node).into(),
            is_linked: false,
            is_outsider: false,
        }
    }

    fn put(&mut self, scope: &'static str, domain: impl Into<String>) {
        self.domains.entry(scope).or_default().insert(domain.into());
    }

    pub(crate) fn of(&self, scope: &str) -> BTreeSet<String> {
        self.domains.get(scope).cloned().unwrap_or_default()
    }
}

impl RandomNode {
    /// Returns a node with two to six devices.
    pub(crate) fn new(random: &mut Random) -> Self {
        let gpus = random.between(1, 4);
        let nics = random.between(usize::from(gpus < 2), 6 - gpus).min(3);
        if random.chance(65) {
            Self::documented(random, gpus, nics)
        } else {
            Self::published(random, gpus, nics)
        }
    }

    /// A node with a document: NUMA nodes, switches below them, some of those below others
    /// or below none, and devices on any of them.
    fn documented(random: &mut Random, gpus: usize, nics: usize) -> Self {
        let mut vertices = Vec::new();
        let mut links = Vec::new();
        let link = |a: &str, b: &str| json!({"a": a, "b": b, "type": "PCIe"});
        let numas = random.below(3);
        vertices.extend((0..numas).map(|numa| {
            json!({"id": format!("numa{numa}"),
            "kind": "numaNode"})
        }));
        // By switch: its root, and its NUMA node.
        let mut switches: Vec<(String, Option<String>)> = Vec::new();
        for switch in 0..random.below(4) {
            let id = format!("switch{switch}");
            vertices.push(json!({"id": id, "kind": "pcieSwitch"}));
            let above = random.below(switch.max(1));
            let known = switches
                .get(above)
                .cloned()
                .filter(|(_, numa)| numa.is_some());
            if let Some(place) = known.filter(|_| random.chance(30)) {
                links.push(link(&id, &format!("switch{above}")));
                switches.push(place);
            } else if numas > 0 && random.chance(75) {
                let numa = format!("numa{}", random.below(numas));
                links.push(link(&id, &numa));
                switches.push((id, Some(numa)));
            } else {
                switches.push((id, None));
            }
        }
        let mut make = |kind: &str, count: usize| {
            let device = |number: usize| {
                let mut device = Device::new(kind, number);
                if random.chance(8) && (kind != "gpu" || number > 0) {
                    device.is_outsider = kind == "gpu";
                    return device;
                }
                device.is_linked = kind == "gpu";
                let name = device.name.clone();
                vertices.push(json!({"id": name, "kind": kind}));
                if !switches.is_empty() && random.chance(80) {
                    let place = random.below(switches.len());
                    let (root, numa) = &switches[place];
                    let switch = format!("switch{place}");
                    links.push(link(&name, &switch));
                    device.put("pcieSwitch", switch);
                    device.put("pcieRoot", root);
                    if let Some(numa) = numa {
                        device.put("numaNode", numa);
                    }
                    return device;
                }
                device.put("pcieRoot", name.clone());
                if numas > 0 && random.chance(70) {
                    let numa = format!("numa{}", random.below(numas));
                    links.push(link(&name, &numa));
                    device.put("numaNode", numa);
                }
                device
            };
            (0..count).map(device).collect::<Vec<_>>()
        };
        let (mut gpus, nics) = (make("gpu", gpus), make("nic", nics));
        let linked = gpus.iter().filter(|gpu| gpu.is_linked);
        let linked: Vec<String> = linked.map(|gpu| gpu.name.clone()).collect();
        let (wires, is_star) = wired(random, &linked, &mut links);
        join(&mut gpus, &wires);
        let allowed = allowed(random, &linked);
        random.shuffle(&mut vertices);
        random.shuffle(&mut links);
        let plain = |devices: &[Device]| {
            let names = devices.iter().map(|device| json!({"name": device.name}));
            names.collect()
        };
        let mut world = World::new(plain(&gpus), plain(&nics));
        let mut spec = json!({"vertices": vertices, "links": links});
        if !allowed.is_empty() {
            let sets = allowed.iter().map(|set| json!({"vertices": set}));
            spec["allowedSets"] = sets.collect();
        }
        world.topology(spec);
        Self {
            world,
            gpus,
            nics,
            wires,
            is_star,
            allowed,
            partitions: None,
        }
    }

    /// A node without a document, whose devices publish where they are, in lists or not.
    /// Without a document each device is linked to nothing.
    fn published(random: &mut Random, gpus: usize, nics: usize) -> Self {
        // By root, its NUMA node.
        let roots: Vec<Option<usize>> = (0..3)
            .map(|_| random.chance(70).then(|| random.below(2)))
            .collect();
        let has_lists = random.chance(30);
        let mut make = |kind: &str, count: usize| {
            let device = |number: usize| {
                let mut device = Device::new(kind, number);
                device.is_linked = true;
                let mut attributes = json!({});
                let mut numa = random.chance(60).then(|| random.below(2));
                if random.chance(70) {
                    let root = random.below(roots.len());
                    attributes["resource.kubernetes.io/pcieRoot"] =
                        json!({"string": format!("pci{root}")});
                    device.put("pcieRoot", format!("pci{root}"));
                    numa = roots[root].filter(|_| random.chance(60));
                } else if has_lists && random.chance(50) {
                    attributes["resource.kubernetes.io/numaNode"] = json!({"ints": [0, 1]});
                    device.put("numaNode", "0");
                    device.put("numaNode", "1");
                    numa = None;
                }
                if let Some(numa) = numa {
                    attributes["resource.kubernetes.io/numaNode"] = json!({"int": numa});
                    device.put("numaNode", numa.to_string());
                }
                (
                    json!({"name": device.name, "attributes": attributes}),
                    device,
                )
            };
            (0..count)
                .map(device)
                .unzip::<Value, Device, Vec<_>, Vec<_>>()
        };
        let ((mut gpus, mut own_gpus), (nics, mut own_nics)) =
            (make("gpu", gpus), make("nic", nics));
        // A root is where one of its devices says.
        let mut told: BTreeMap<String, String> = BTreeMap::new();
        for device in own_gpus.iter().chain(&own_nics) {
            let numas = device.of("numaNode").into_iter();
            told.extend(device.of("pcieRoot").into_iter().zip(numas));
        }
        for device in own_gpus.iter_mut().chain(&mut own_nics) {
            for root in device.of("pcieRoot") {
                if let Some(numa) = told.get(&root) {
                    device.put("numaNode", numa);
                }
            }
        }
        let partitions = random.chance(40).then(|| partitions(random, &mut gpus));
        Self {
            world: World::new(gpus, nics),
            gpus: own_gpus,
            nics: own_nics,
            wires: BTreeMap::new(),
            is_star: false,
            allowed: Vec::new(),
            partitions: partitions.flatten(),
        }
    }

    /// Returns whether devices have something in common, all of them.
    pub(crate) fn share(&self, scope: &str, devices: &[&Device]) -> bool {
        if scope == "nvLink" {
            let mut pairs = pairs_of(devices).into_iter();
            return pairs.all(|(a, b)| self.rate(a, b) > 0);
        }
        let mut domains = devices.iter().map(|device| device.of(scope));
        let Some(first) = domains.next() else {
            return true;
        };
        let common = domains.fold(first, |common, other| &common & &other);
        !common.is_empty()
    }

    fn rate(&self, a: &Device, b: &Device) -> u64 {
        let (a, b) = (
            a.name.clone().min(b.name.clone()),
            a.name.clone().max(b.name.clone()),
        );
        self.wires.get(&(a, b)).copied().unwrap_or(0)
    }

    /// Returns what rings through devices carry; none where one or none needs no ring.
    ///
    /// Three are on one ring only, which runs both ways; more are not known.
    pub(crate) fn ring(&self, devices: &[&Device]) -> Option<u64> {
        let linked = devices.iter().filter(|device| device.is_linked).copied();
        let linked: Vec<&Device> = linked.collect();
        let outsiders = devices.iter().filter(|device| device.is_outsider).count();
        if linked.len() + outsiders < 2 {
            return None;
        }
        let pairs = pairs_of(&linked);
        let least = pairs.iter().map(|(a, b)| self.rate(a, b)).min();
        let least = least.filter(|_| outsiders == 0).unwrap_or(0);
        assert!(
            least == 0 || linked.len() <= 3,
            "rings of four are not known"
        );
        Some(if linked.len() == 3 { 2 * least } else { least })
    }

    /// Returns whether the machine allows the linked ones among devices together.
    pub(crate) fn allows(&self, devices: &[&Device]) -> bool {
        let linked = devices.iter().filter(|device| device.is_linked);
        let linked: BTreeSet<String> = linked.map(|device| device.name.clone()).collect();
        linked.is_empty() || self.allowed.is_empty() || self.allowed.contains(&linked)
    }
}

impl RandomNode {
    /// Returns whether the GPUs among devices are a fabric partition, where there are some.
    pub(crate) fn is_partition(&self, devices: &[&Device]) -> bool {
        let gpus = devices
            .iter()
            .filter(|device| device.name.starts_with("gpu"));
        let gpus: BTreeSet<String> = gpus.map(|device| device.name.clone()).collect();
        let partitions = self.partitions.as_ref();
        gpus.is_empty() || partitions.is_none_or(|partitions| partitions.contains(&gpus))
    }
}

/// Lets GPUs publish partitions of some sizes, not all of which are whole; returns those
/// that are, and none if nothing is published.
fn partitions(random: &mut Random, gpus: &mut [Value]) -> Option<Vec<BTreeSet<String>>> {
    let (mut whole, mut is_published) = (Vec::new(), false);
    for size in 1..=gpus.len() {
        let mut members: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for (place, gpu) in gpus.iter_mut().enumerate() {
            if random.chance(80) {
                // Mostly as a machine has them.
                let id = if random.chance(85) {
                    place / size
                } else {
                    random.below(3)
                };
                gpu["attributes"][format!("partition{size}")] = json!({"int": id});
                let name = gpu["name"].as_str().unwrap().to_owned();
                members.entry(id).or_default().insert(name);
                is_published = true;
            }
        }
        whole.extend(
            members
                .into_values()
                .filter(|members| members.len() == size),
        );
    }
    is_published.then_some(whole)
}

fn pairs_of<'a>(devices: &[&'a Device]) -> Vec<(&'a Device, &'a Device)> {
    let pairs = devices.iter().enumerate();
    let pairs = pairs.flat_map(|(place, b)| devices.iter().take(place).map(move |a| (*a, *b)));
    pairs.collect()
}

/// Puts devices that links lead to from each other into one domain.
fn join(gpus: &mut [Device], wires: &BTreeMap<(String, String), u64>) {
    let names: BTreeSet<String> = wires
        .keys()
        .flat_map(|(a, b)| [a.clone(), b.clone()])
        .collect();
    let mut parts: BTreeMap<String, String> =
        names.into_iter().map(|name| (name.clone(), name)).collect();
    for (a, b) in wires.keys() {
        let (kept, gone) = (parts[a].clone(), parts[b].clone());
        for part in parts.values_mut().filter(|part| **part == gone) {
            part.clone_from(&kept);
        }
    }
    for gpu in gpus {
        if let Some(part) = parts.get(&gpu.name) {
            gpu.put("nvLinkDomain", part.clone());
        }
    }
}

/// Returns the only sets that may be used; of most nodes none, where all may.
fn allowed(random: &mut Random, linked: &[String]) -> Vec<BTreeSet<String>> {
    let count = *random.pick(&[&0, &0, &0, &4]);
    let set = |_| {
        let mut set = linked.to_vec();
        random.shuffle(&mut set);
        set.truncate(random.between(1, set.len()));
        BTreeSet::from_iter(set)
    };
    (0..count).map(set).collect()
}

/// Links devices with each other, in the document too, and says whether as a star.
fn wired(
    random: &mut Random,
    linked: &[String],
    links: &mut Vec<Value>,
) -> (BTreeMap<(String, String), u64>, bool) {
    let mut wires = BTreeMap::new();
    let density = *random.pick(&[&0, &50, &100]);
    // One of them may be the only one that has links with the others.
    let is_star = linked.len() > 2 && random.chance(30);
    let first_ones = if random.chance(50) {
        1
    } else {
        linked.len().max(1)
    };
    let hub = is_star.then(|| random.below(first_ones));
    for (place, b) in linked.iter().enumerate() {
        for (before, a) in linked.iter().enumerate().take(place) {
            let is_open = match hub {
                Some(hub) => hub == before || hub == place,
                None => random.chance(density),
            };
            if !is_open {
                continue;
            }
            let rate = 25 * random.between(1, 4) as u64;
            wires.insert((a.clone(), b.clone()), rate);
            links.push(json!({"a": a, "b": b, "type": "NVLink", "count": rate / 25,
                "bandwidthGBps": rate}));
        }
    }
    (wires, hub.is_some())
}
