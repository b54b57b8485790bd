//! Random machines: a document, or attributes alone, and the slices of its devices.

use serde_json::{Value, json};

use super::Random;
use super::text::NODE;

/// Is a machine.
pub(super) struct Built {
    pub(super) topologies: Vec<Value>,
    pub(super) slices: Vec<Value>,
    /// The ids of all devices.
    pub(super) devices: Vec<Value>,
    /// Whether GPUs publish the partitions of a fabric.
    pub(super) is_partitioned: bool,
}

/// Is a document that grows.
#[derive(Default)]
struct Document {
    vertices: Vec<Value>,
    links: Vec<Value>,
}

impl Document {
    fn vertex(&mut self, id: &str, kind: &str, more: &Value) {
        let mut vertex = json!({"id": id, "kind": kind});
        for (key, value) in more.as_object().into_iter().flatten() {
            vertex[key] = value.clone();
        }
        self.vertices.push(vertex);
    }

    fn link(&mut self, a: &str, b: &str, kind: &str, more: &Value) {
        let mut link = json!({"a": a, "b": b, "type": kind});
        for (key, value) in more.as_object().into_iter().flatten() {
            link[key] = value.clone();
        }
        self.links.push(link);
    }
}

/// Returns a machine with two to eight GPUs.
pub(super) fn machine(random: &mut Random) -> Built {
    let gpus = random.between(2, 8);
    let nics = random.below(4);
    let has_document = random.chance(80);
    let mut document = Document::default();
    let several = random.chance(25);
    let hosts: Vec<String> = (0..=usize::from(several))
        .map(|one| format!("h{one}"))
        .collect();
    let here = random.below(hosts.len());
    for (number, host) in hosts.iter().enumerate() {
        let name = if number == here {
            NODE.to_owned()
        } else {
            format!("other-{number}")
        };
        if several || random.chance(40) {
            document.vertex(host, "host", &json!({"name": name}));
        }
        places(random, &mut document, host, several);
        devices(random, &mut document, host, (gpus, nics));
    }
    if several && random.chance(50) {
        document.vertex("dom", "nvLinkDomain", &json!({}));
        for host in &hosts {
            document.link(host, "dom", "NVLinkTray", &json!({}));
        }
    }
    if random.chance(15) && hosts.len() == 1 {
        document.vertex("block", "block", &json!({}));
        if document
            .vertices
            .iter()
            .any(|vertex| vertex["kind"] == "host")
        {
            document.link(&hosts[0], "block", "NetTier", &json!({"tier": 1}));
        }
    }
    let mut spec = json!({"vertices": document.vertices, "links": document.links});
    if random.chance(12) {
        let mut sets = Vec::new();
        for _ in 0..random.between(2, 8) {
            let mut all: Vec<usize> = (0..gpus).collect();
            random.shuffle(&mut all);
            all.truncate(random.between(1, gpus));
            let ids = all.iter().map(|gpu| format!("{}-gpu{gpu}", hosts[here]));
            sets.push(json!({"vertices": ids.collect::<Vec<String>>()}));
        }
        spec["allowedSets"] = json!(sets);
    }
    let mut topologies = Vec::new();
    if has_document {
        topologies.push(json!({"metadata": {"name": "m"}, "spec": spec}));
    }
    let mut slices = Vec::new();
    let mut devices = Vec::new();
    let is_partitioned = random.chance(30);
    for (driver, count) in [("gpu", gpus), ("nic", nics)] {
        let mut published = published(random, driver, count);
        if is_partitioned && driver == "gpu" {
            partition(random, &mut published);
        }
        let driver = format!("{driver}.example.com");
        devices.extend(
            published
                .iter()
                .map(|device| json!({"driver": driver, "pool": "p", "device": device["name"]})),
        );
        slices.push(
            json!({"metadata": {"name": driver}, "spec": {"driver": driver,
            "nodeName": NODE, "devices": published,
            "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}}),
        );
    }
    Built {
        topologies,
        slices,
        devices,
        is_partitioned,
    }
}

/// Adds NUMA nodes and switches of a host.
fn places(random: &mut Random, document: &mut Document, host: &str, has_host: bool) {
    let numas = random.below(3);
    for numa in 0..numas {
        let id = format!("{host}-numa{numa}");
        document.vertex(&id, "numaNode", &json!({}));
        let is_host = document.vertices.iter().any(|vertex| vertex["id"] == *host);
        if has_host || is_host {
            document.link(&id, host, "Host", &json!({}));
        }
    }
    for switch in 0..random.below(4) {
        let id = format!("{host}-sw{switch}");
        document.vertex(&id, "pcieSwitch", &json!({}));
        if switch > 0 && random.chance(30) {
            document.link(&id, &format!("{host}-sw{}", switch - 1), "PCIe", &json!({}));
        } else if numas > 0 && random.chance(90) {
            let numa = format!("{host}-numa{}", random.below(numas));
            document.link(&id, &numa, "PCIe", &json!({}));
        } else if has_host {
            document.link(&id, host, "PCIe", &json!({}));
        }
    }
}

/// Adds GPUs and NICs of a host, and what links the GPUs.
fn devices(random: &mut Random, document: &mut Document, host: &str, (gpus, nics): (usize, usize)) {
    let of_kind = |document: &Document, kinds: &[&str]| -> Vec<String> {
        let all = document.vertices.iter();
        let all = all.filter(|vertex| {
            let id = vertex["id"].as_str().unwrap_or_default();
            id.starts_with(host) && kinds.iter().any(|kind| vertex["kind"] == *kind)
        });
        all.filter_map(|vertex| vertex["id"].as_str().map(str::to_owned))
            .collect()
    };
    let around = of_kind(document, &["pcieSwitch", "numaNode", "host"]);
    for (kind, count) in [("gpu", gpus), ("nic", nics)] {
        for number in 0..count {
            let id = format!("{host}-{kind}{number}");
            // Also a device without a link is in its host.
            let is_host = document.vertices.iter().any(|vertex| vertex["id"] == *host);
            let mut more = if is_host {
                json!({"host": host})
            } else {
                json!({})
            };
            if random.chance(8) {
                // It stays unknown which device that is.
            } else if random.chance(30) && !host.ends_with('1') {
                more["device"] = json!(format!("{kind}.example.com/p/{kind}{number}"));
            } else {
                more["match"] = json!({"attribute": "resource.kubernetes.io/pciBusID",
                    "value": format!("{kind}{number}")});
            }
            if random.chance(20) {
                more["numaNode"] = json!(random.below(3));
            }
            if random.chance(10) {
                more["rack"] = json!(random.below(2));
            }
            if kind == "gpu" && random.chance(10) {
                more["clique"] = json!(format!("k{}", random.below(2)));
            }
            if kind == "nic" && random.chance(50) {
                more["bandwidthGBps"] = json!(random.between(1, 4) * 25);
            }
            document.vertex(&id, kind, &more);
            if !around.is_empty() && random.chance(92) {
                let place = &around[random.below(around.len())];
                document.link(&id, place, "PCIe", &json!({}));
            }
        }
    }
    links(random, document, host, gpus);
}

/// Links the GPUs of a host: a mesh, over switches, by way of the host, or not at all.
fn links(random: &mut Random, document: &mut Document, host: &str, gpus: usize) {
    let ids: Vec<String> = (0..gpus).map(|gpu| format!("{host}-gpu{gpu}")).collect();
    let density = random.pick(&[&0_usize, &40, &70, &100]).to_owned();
    let has_rates = random.chance(60);
    let wire = |random: &mut Random, most: usize| {
        let count = random.between(1, most);
        let mut wire = json!({"count": count});
        if has_rates && random.chance(97) {
            wire["bandwidthGBps"] = json!(count * 25);
        }
        if has_rates && random.chance(5) {
            wire["bandwidthGBps"] = json!(10);
        }
        wire
    };
    let style = random.below(10);
    if style < 5 {
        let kind = random.pick(&["NVLink", "NVLink", "XGMI"]);
        let dense = gpus > 6;
        for (place, a) in ids.iter().enumerate() {
            for b in &ids[..place] {
                if random.chance(if dense { density.min(60) } else { density }) {
                    let more = wire(random, 4);
                    document.link(a, b, kind, &more);
                    if random.chance(4) {
                        // The other end reports something else.
                        let more = wire(random, 4);
                        document.link(b, a, kind, &more);
                    }
                }
            }
        }
    } else if style < 8 {
        let switches = random.between(1, 3);
        for switch in 0..switches {
            let id = format!("{host}-nv{switch}");
            document.vertex(&id, "nvSwitch", &json!({}));
            if switch > 0 && random.chance(40) {
                document.link(
                    &id,
                    &format!("{host}-nv0"),
                    "NVSwitchTrunk",
                    &json!({"count": 8}),
                );
            }
            for gpu in &ids {
                if random.chance(80) {
                    let more = wire(random, 3);
                    document.link(gpu, &id, "NVSwitch", &more);
                }
            }
        }
        if random.chance(30) && gpus < 7 {
            let more = wire(random, 2);
            document.link(&ids[0], &ids[1], "NVLink", &more);
        }
    } else if style == 8 && document.vertices.iter().any(|vertex| vertex["id"] == *host) {
        for gpu in &ids {
            let more = wire(random, 3);
            document.link(gpu, host, "Tray", &more);
        }
    }
}

/// Returns the devices that a driver publishes: those of the document, parts of them, and
/// others.
fn published(random: &mut Random, kind: &str, count: usize) -> Vec<Value> {
    let mut devices = Vec::new();
    let with_roots = random.chance(40);
    let with_numa = random.chance(50);
    let mut add = |random: &mut Random, name: String, bus: Option<String>| {
        let mut attributes = json!({});
        if let Some(bus) = bus {
            attributes["resource.kubernetes.io/pciBusID"] = json!({"string": bus});
        }
        if with_roots && random.chance(85) {
            let root = format!("pci{}", random.below(3));
            attributes["resource.kubernetes.io/pcieRoot"] = json!({"string": root});
        }
        if with_numa && random.chance(85) {
            attributes["resource.kubernetes.io/numaNode"] = if random.chance(10) {
                json!({"ints": [0, 1]})
            } else if random.chance(5) {
                json!({"int": -1})
            } else {
                json!({"int": random.below(3)})
            };
        }
        if random.chance(4) {
            attributes["parentUUID"] = json!({"string": "card"});
        }
        devices.push(json!({"name": name, "attributes": attributes}));
    };
    for number in 0..count {
        let name = format!("{kind}{number}");
        let bus = random.chance(95).then(|| name.clone());
        add(random, name.clone(), bus);
        if random.chance(6) && count < 7 {
            // A partition of the same card.
            add(random, format!("{name}-b"), Some(name));
        }
    }
    if random.chance(12) && count < 7 {
        add(random, format!("{kind}-apart"), None);
    }
    random.shuffle(&mut devices);
    devices
}

/// Lets GPUs publish the partitions of a fabric, of one to four cards; some say nothing, and
/// some are not where the others of their partition are.
fn partition(random: &mut Random, devices: &mut [Value]) {
    for device in devices {
        let name = device["name"].as_str().unwrap_or_default();
        let number = name.trim_start_matches("gpu").split('-').next();
        let Some(number) = number.and_then(|number| number.parse::<usize>().ok()) else {
            continue;
        };
        for size in 1..=4 {
            if random.chance(10) {
                continue;
            }
            let place = if random.chance(90) {
                number / size
            } else {
                random.below(3)
            };
            let domain = random.pick(&["", "", "gpu.example.com/", "other.example.com/"]);
            device["attributes"][format!("{domain}partition{size}")] = if random.chance(4) {
                json!({"string": place.to_string()})
            } else {
                json!({"int": place})
            };
        }
    }
}
