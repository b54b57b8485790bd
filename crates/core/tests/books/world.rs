//! [`World`]: what is published, as plain facts and as objects.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{DeviceClass, DeviceId, DeviceTaintRule, Node, ResourceSlice};
use dralloc::{Change, Removed, Twins};
use dralloc_testkit::generate::Random;
use serde_json::json;

use super::model::State;

pub(crate) const NODES: [&str; 5] = ["n0", "n1", "n2", "n3", "n4"];

/// Drivers; each has a class of its name.
pub(crate) const DRIVERS: [&str; 6] = ["gpu", "vfio", "part", "share", "net", "netdev"];

/// A device as its pool publishes it.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) name: String,
    bus_id: Option<String>,
    uuid: Option<String>,
    /// What a shared device has of its capacity.
    pub(crate) shared: Option<i64>,
    /// What it takes of the counter of its pool.
    pub(crate) takes: i64,
}

/// A pool that is published now.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// Its only node, or none if all nodes have it.
    pub(crate) node: Option<&'static str>,
    pub(crate) devices: Vec<Device>,
    /// What there is of its counter.
    pub(crate) budget: Option<i64>,
    /// Whether the slice with its counters is there.
    pub(crate) complete: bool,
    version: u64,
    /// Is another after slices were taken away.
    incarnation: u64,
}

/// Driver and name of a pool.
pub(crate) type PoolName = (&'static str, &'static str);

/// Is all that is published.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) nodes: BTreeSet<&'static str>,
    pub(crate) pools: BTreeMap<PoolName, Pool>,
    pub(crate) tainted: BTreeSet<DeviceId>,
    declared: Vec<Vec<DeviceId>>,
    /// Devices that were held when their pool left them out, with their node.
    departed: BTreeMap<DeviceId, (Option<&'static str>, Device)>,
    /// Grows with each object.
    version: u64,
}

/// Returns all pools that there can be.
pub(crate) fn pool_names() -> Vec<PoolName> {
    let of_node = |node: &'static str| ["gpu", "vfio", "part", "share"].map(|it| (it, node));
    let mut names: Vec<PoolName> = NODES.into_iter().flat_map(of_node).collect();
    names.extend([("net", "fabric"), ("netdev", "n0")]);
    names
}

/// Returns all names of devices that a pool can have.
pub(crate) fn device_names(driver: &str) -> Vec<String> {
    let count = match driver {
        "gpu" | "part" => 4,
        "share" | "netdev" => 2,
        _ => 3,
    };
    (0..count)
        .map(|number| format!("{driver}-{number}"))
        .collect()
}

pub(crate) fn id((driver, pool): PoolName, device: &str) -> DeviceId {
    DeviceId::new(driver, pool, device)
}

impl World {
    fn next_version(&mut self) -> u64 {
        self.version += 1;
        self.version
    }

    /// Returns what publishes a pool anew, as it may be now.
    pub(crate) fn publish(
        &mut self,
        name: PoolName,
        held: &State,
        random: &mut Random,
    ) -> Vec<ResourceSlice> {
        let (driver, pool) = name;
        let version = self.next_version();
        let old = self.pools.get(&name).filter(|pool| pool.complete);
        let incarnation = old.map_or(version, |old| old.incarnation);
        let mut devices = Vec::new();
        for (number, device) in device_names(driver).into_iter().enumerate() {
            let partition = driver == "part";
            if !partition && random.chance(12) {
                continue;
            }
            let other = if random.chance(8) {
                random.below(4)
            } else {
                number
            };
            let bus_id = match driver {
                "gpu" | "vfio" => Some(format!("bus-{other}")),
                // The first shared device is the last card.
                "share" if number == 0 => Some("bus-3".to_owned()),
                _ => None,
            };
            let uuid = match driver {
                "gpu" => Some(format!("{pool}-{number}")),
                "net" | "netdev" => Some(format!("net-{other}")),
                _ => None,
            };
            let shared = driver == "share" && !random.chance(6);
            devices.push(Device {
                name: device,
                bus_id,
                uuid,
                shared: shared.then(|| 4 + i64::try_from(random.below(6)).unwrap()),
                takes: if partition { [1, 1, 2, 4][number] } else { 0 },
            });
        }
        let budget = 3 + i64::try_from(random.below(3)).unwrap();
        let published = Pool {
            node: (driver != "net").then_some(pool),
            devices,
            budget: (driver == "part").then_some(budget),
            complete: true,
            version,
            incarnation,
        };
        let slices = published.slices(name);
        let old = self.pools.insert(name, published);
        self.depart(name, old, held);
        slices
    }

    /// Remembers what held devices are that a pool does not publish any more.
    fn depart(&mut self, name: PoolName, old: Option<Pool>, held: &State) {
        let now = self.pools.get(&name);
        for device in now.into_iter().flat_map(|pool| &pool.devices) {
            self.departed.remove(&id(name, &device.name));
        }
        let is_there = |device: &Device| {
            let mut devices = now.into_iter().flat_map(|pool| &pool.devices);
            devices.any(|other| other.name == device.name)
        };
        let Some(old) = old else { return };
        for device in old.devices.into_iter().filter(|device| !is_there(device)) {
            let full = id(name, &device.name);
            if held.is_held(&full) {
                self.departed.insert(full, (old.node, device));
            }
        }
    }

    /// Returns the slices of all pools.
    pub(crate) fn slices(&self) -> Vec<ResourceSlice> {
        let pools = self.pools.iter();
        pools.flat_map(|(name, pool)| pool.slices(*name)).collect()
    }

    /// Takes a pool away, or the slice with its counters alone.
    pub(crate) fn withdraw(
        &mut self,
        name: PoolName,
        held: &State,
        counters_alone: bool,
    ) -> Vec<Change> {
        let Some(mut pool) = self.pools.remove(&name) else {
            return Vec::new();
        };
        let mut gone: Vec<ResourceSlice> = pool.slices(name);
        if counters_alone && pool.budget.is_some() {
            gone.retain(|slice| slice.spec.devices.is_empty());
            pool.complete = false;
            self.pools.insert(name, pool);
        } else {
            self.depart(name, Some(pool), held);
        }
        let uids = gone.into_iter().filter_map(|slice| slice.metadata.uid);
        uids.map(|uid| Change::Removed(Removed::ResourceSlice(uid)))
            .collect()
    }

    /// Returns a rule that taints one device.
    pub(crate) fn taint(&mut self, device: DeviceId) -> Change {
        let rule = json!({
            "metadata": {"name": device.to_string(), "uid": format!("rule-{}", self.next_version())},
            "spec": {"deviceSelector": {
                         "driver": device.driver, "pool": device.pool, "device": device.device},
                     "taint": {"key": "example.com/bad", "effect": "NoSchedule"}},
        });
        self.tainted.insert(device);
        Change::DeviceTaintRule(serde_json::from_value::<DeviceTaintRule>(rule).unwrap())
    }

    /// Declares that some partitions are of a card.
    pub(crate) fn declare(&mut self, random: &mut Random) -> Change {
        let mut devices = Vec::new();
        for node in NODES {
            if random.chance(40) {
                let card = id(("gpu", node), &format!("gpu-{}", random.below(4)));
                let parts = ["part-0", "part-1"].map(|part| id(("part", node), part));
                devices.push([&[card][..], &parts].concat());
            }
        }
        self.declared.clone_from(&devices);
        Change::Twins(Twins { devices })
    }

    /// Returns the devices that are published, each with its only node.
    fn published(&self) -> impl Iterator<Item = (DeviceId, Option<&str>, &Device)> {
        self.pools.iter().flat_map(|(name, pool)| {
            let devices = pool.devices.iter();
            devices.map(move |device| (id(*name, &device.name), pool.node, device))
        })
    }

    /// Returns the other names of a device.
    pub(crate) fn twins(&self, device: &DeviceId) -> BTreeSet<DeviceId> {
        let mut twins = BTreeSet::new();
        if let Some((_, node, own)) = self.published().find(|(id, ..)| id == device) {
            let departed = self.departed.iter();
            let departed = departed.map(|(id, (node, device))| (id.clone(), *node, device));
            for (id, other_node, other) in self.published().chain(departed) {
                let here = node.is_some() && node == other_node;
                let apart = node.is_some() && other_node.is_some() && !here;
                let same_bus = here && own.bus_id.is_some() && own.bus_id == other.bus_id;
                let same_uuid = !apart && own.uuid.is_some() && own.uuid == other.uuid;
                if same_bus || same_uuid {
                    twins.insert(id);
                }
            }
        }
        for group in self.declared.iter().filter(|group| group.contains(device)) {
            twins.extend(group.iter().cloned());
        }
        twins.retain(|twin| (&twin.driver, &twin.pool) != (&device.driver, &device.pool));
        twins
    }

    /// Returns the pool of a driver that a node sees, if it can be used.
    pub(crate) fn usable(&self, driver: &'static str, node: &str) -> Option<(PoolName, &Pool)> {
        let mut pools = self.pools.iter();
        let found = pools.find(|((other, _), pool)| {
            *other == driver && pool.complete && pool.node.is_none_or(|name| name == node)
        });
        found.map(|(name, pool)| (*name, pool))
    }
}

impl Pool {
    pub(crate) fn slices(&self, (driver, name): PoolName) -> Vec<ResourceSlice> {
        let devices = self.devices.iter().map(|device| {
            let mut attributes = json!({});
            if let Some(bus_id) = &device.bus_id {
                attributes["resource.kubernetes.io/pciBusID"] = json!({"string": bus_id});
            }
            if let Some(uuid) = &device.uuid {
                attributes["uuid"] = json!({"string": uuid});
            }
            let mut json = json!({"name": device.name, "attributes": attributes});
            if driver == "share" {
                let memory = device.shared.unwrap_or(8).to_string();
                json["capacity"] = json!({"memory": {"value": memory}});
                json["allowMultipleAllocations"] = json!(device.shared.is_some());
            }
            if device.takes > 0 {
                let taken = json!({"slots": {"value": device.takes.to_string()}});
                json["consumesCounters"] = json!([{"counterSet": "card", "counters": taken}]);
            }
            json
        });
        let mut spec = json!({"driver": driver, "devices": devices.collect::<Vec<_>>(), "pool": {
            "name": name, "generation": self.version,
            "resourceSliceCount": 1 + usize::from(self.budget.is_some()),
        }});
        match self.node {
            Some(node) => spec["nodeName"] = json!(node),
            None => spec["allNodes"] = json!(true),
        }
        let mut specs = vec![(format!("{driver}-{name}"), spec)];
        if let Some(budget) = self.budget.filter(|_| self.complete) {
            let mut spec = specs[0].1.clone();
            spec["devices"] = json!([]);
            let counters = json!({"slots": {"value": budget.to_string()}});
            spec["sharedCounters"] = json!([{"name": "card", "counters": counters}]);
            specs.push((format!("{driver}-{name}-counters"), spec));
        }
        let slices = specs.into_iter().map(|(name, spec)| {
            let (uid, version) = (
                format!("{name}-{}", self.incarnation),
                self.version.to_string(),
            );
            let metadata = json!({"name": name, "uid": uid, "resourceVersion": version});
            serde_json::from_value(json!({"metadata": metadata, "spec": spec})).unwrap()
        });
        slices.collect()
    }
}

pub(crate) fn class(driver: &str, version: u64) -> Change {
    let class = json!({
        "metadata": {"name": driver, "uid": format!("class-{driver}"),
                     "resourceVersion": version.to_string()},
        "spec": {"selectors": [{"cel": {"expression": format!("device.driver == '{driver}'")}}]},
    });
    Change::DeviceClass(serde_json::from_value::<DeviceClass>(class).unwrap())
}

pub(crate) fn node(name: &str) -> Change {
    Change::Node(Node::new(name, []))
}
