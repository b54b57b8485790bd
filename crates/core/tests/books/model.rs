//! [`Books`]: who has what, written as plainly as possible.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{AllocationResult, DeviceId, Str};
use serde_json::{Value, json};

use super::world::{PoolName, World, id};

/// How a device is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Whole,
    Share(Str, i64),
}

/// What an owner has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holding {
    pub(crate) devices: Vec<(DeviceId, Way)>,
    pub(crate) users: BTreeSet<String>,
    pub(crate) releasing: bool,
}

impl Holding {
    pub(crate) fn is_empty(&self) -> bool {
        self.devices.is_empty() && self.users.is_empty()
    }

    /// Returns the allocation that says the same.
    pub(crate) fn result(&self) -> AllocationResult {
        let results = self.devices.iter().map(|(id, way)| {
            let mut result = json!({"request": "r",
                "driver": id.driver, "pool": id.pool, "device": id.device});
            if let Way::Share(share, amount) = way {
                result["shareID"] = json!(share);
                result["consumedCapacity"] = json!({"memory": amount.to_string()});
            }
            result
        });
        let results: Vec<Value> = results.collect();
        serde_json::from_value(json!({"devices": {"results": results}})).unwrap()
    }

    /// Returns what an allocation holds.
    pub(crate) fn of(result: &AllocationResult) -> Self {
        let devices = result.devices.results.iter().map(|one| {
            let id = DeviceId::new(one.driver.clone(), one.pool.clone(), one.device.clone());
            let way = match &one.share_id {
                None => Way::Whole,
                Some(share) => {
                    let consumed = one.consumed_capacity.as_ref().unwrap();
                    let amount = consumed.get("memory").unwrap().to_string();
                    Way::Share(share.clone(), amount.parse().unwrap())
                }
            };
            (id, way)
        });
        Self {
            devices: devices.collect(),
            ..Self::default()
        }
    }

    fn pools(&self) -> impl Iterator<Item = (Str, Str)> {
        let pools = self.devices.iter();
        pools.map(|(id, _)| (id.driver.clone(), id.pool.clone()))
    }
}

/// All that is held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    owners: BTreeMap<String, Holding>,
}

impl State {
    pub(crate) fn of(&self, owner: &str) -> Holding {
        self.owners.get(owner).cloned().unwrap_or_default()
    }

    pub(crate) fn owners(&self) -> impl Iterator<Item = &String> {
        self.owners.keys()
    }

    /// Makes an owner have exactly this; returns the pools of which something
    /// else is held then.
    pub(crate) fn set(&mut self, owner: &str, holding: Holding) -> BTreeSet<(Str, Str)> {
        let old = self.of(owner);
        let mut pools = BTreeSet::new();
        if old.devices != holding.devices {
            pools.extend(old.pools().chain(holding.pools()));
        }
        if holding.is_empty() {
            self.owners.remove(owner);
        } else {
            self.owners.insert(owner.to_owned(), holding);
        }
        pools
    }

    /// Returns the same without what is on its way out.
    pub(crate) fn without_releasing(&self) -> Self {
        let mut state = self.clone();
        state.owners.retain(|_, holding| !holding.releasing);
        state
    }

    /// Returns how a device is held by all together.
    fn ways<'a>(&'a self, id: &'a DeviceId) -> impl Iterator<Item = &'a Way> {
        let all = self.owners.values().flat_map(|holding| &holding.devices);
        all.filter(move |(other, _)| other == id)
            .map(|(_, way)| way)
    }

    pub(crate) fn is_held(&self, id: &DeviceId) -> bool {
        self.ways(id).next().is_some()
    }

    /// Says why a device must not be given in a way, if it must not.
    pub(crate) fn refusal(&self, world: &World, id: &DeviceId, way: &Way) -> Option<String> {
        let name = world.pools.keys().copied();
        let name = name.into_iter().find(|name| is_of(id, *name));
        let Some((pool, device)) = name.and_then(|name| {
            let pool = &world.pools[&name];
            let mut devices = pool.devices.iter();
            Some((pool, devices.find(|device| *device.name == *id.device)?))
        }) else {
            return Some("nobody publishes it".to_owned());
        };
        if !pool.complete {
            return Some("its pool is not complete".to_owned());
        }
        if world.tainted.contains(id) {
            return Some("it is tainted".to_owned());
        }
        if let Some(twin) = world.twins(id).iter().find(|twin| self.is_held(twin)) {
            return Some(format!("`{twin}` is the same and is held"));
        }
        match (way, device.shared) {
            (Way::Whole, None) if self.is_held(id) => return Some("it is held".to_owned()),
            (Way::Whole, None) => {}
            (Way::Share(share, amount), Some(capacity)) => {
                let mut sum = *amount;
                for other in self.ways(id) {
                    match other {
                        Way::Whole => return Some("it is held whole".to_owned()),
                        Way::Share(other, _) if other == share => {
                            return Some(format!("share `{share}` is there already"));
                        }
                        Way::Share(_, taken) => sum += taken,
                    }
                }
                if sum > capacity {
                    return Some(format!("{sum} are taken of {capacity}"));
                }
            }
            _ => return Some("it is given in the wrong way".to_owned()),
        }
        if let Some(budget) = pool.budget {
            let of_pool = pool.devices.iter().filter(|other| {
                let held = DeviceId::new(id.driver.clone(), id.pool.clone(), &*other.name);
                other.name == device.name || self.is_held(&held)
            });
            let sum: i64 = of_pool.map(|other| other.takes).sum();
            if sum > budget {
                return Some(format!("{sum} are taken of a counter of {budget}"));
            }
        }
        None
    }

    /// Returns the first devices of a driver that a node can give.
    ///
    /// Of the driver with counters and of that with shares only one is asked for.
    pub(crate) fn first(
        &self,
        world: &World,
        node: &str,
        (driver, count, amount): (&'static str, usize, i64),
    ) -> Option<Vec<DeviceId>> {
        let (name, pool) = world.usable(driver, node)?;
        let devices = pool.devices.iter().filter_map(|device| {
            let id = id(name, &device.name);
            let way = match device.shared {
                Some(_) => Way::Share("new".into(), amount),
                None => Way::Whole,
            };
            self.refusal(world, &id, &way).is_none().then_some(id)
        });
        let devices: Vec<DeviceId> = devices.take(count).collect();
        (devices.len() == count).then_some(devices)
    }
}

fn is_of(id: &DeviceId, (driver, pool): PoolName) -> bool {
    *id.driver == *driver && *id.pool == *pool
}

/// What the engine knows of claims.
#[derive(Debug, Default)]
pub(crate) struct Books {
    pub(crate) state: State,
    /// Whether devices were given that no event has shown, and the users of whom
    /// none has.
    pub(crate) assumed: BTreeMap<String, (bool, BTreeSet<String>)>,
    /// What the last event said, and its version.
    pub(crate) known: BTreeMap<String, (u64, Holding)>,
    pub(crate) gone: BTreeSet<String>,
    /// Pools of which something else was held, one after the other.
    pub(crate) changes: Vec<(Str, Str)>,
}

impl Books {
    fn set(&mut self, owner: &str, holding: Holding) {
        self.changes.extend(self.state.set(owner, holding));
    }

    /// A transaction decided that an owner has this.
    pub(crate) fn assume(&mut self, owner: &str, holding: Holding) {
        let before = self.state.of(owner);
        if holding.is_empty() {
            self.assumed.remove(owner);
        } else {
            let (devices, users) = self.assumed.entry(owner.to_owned()).or_default();
            *devices |= before.devices != holding.devices;
            users.retain(|user| holding.users.contains(user));
            users.extend(holding.users.difference(&before.users).cloned());
            if !*devices && users.is_empty() {
                self.assumed.remove(owner);
            }
        }
        self.set(owner, holding);
    }

    /// An event says that a claim has this.
    pub(crate) fn event(&mut self, owner: &str, version: u64, said: Holding) {
        let known = self.known.get(owner);
        if self.gone.contains(owner) || known.is_some_and(|(known, _)| *known >= version) {
            return;
        }
        let said_nothing = said.devices.is_empty();
        self.known.insert(owner.to_owned(), (version, said.clone()));
        let Some((devices, users)) = self.assumed.get_mut(owner) else {
            self.set(owner, said);
            return;
        };
        if said_nothing && *devices {
            return;
        }
        *devices = false;
        users.retain(|user| !said.users.contains(user));
        let mut holding = said;
        if said_nothing {
            users.clear();
        }
        holding.users.extend(users.iter().cloned());
        if users.is_empty() {
            self.assumed.remove(owner);
        }
        self.set(owner, holding);
    }

    pub(crate) fn remove(&mut self, owner: &str) {
        self.assumed.remove(owner);
        self.known.remove(owner);
        self.gone.insert(owner.to_owned());
        self.set(owner, Holding::default());
    }

    pub(crate) fn forget(&mut self, owner: &str) {
        if self.assumed.remove(owner).is_some() {
            let known = self.known.get(owner);
            let said = known.map(|(_, said)| said.clone()).unwrap_or_default();
            self.set(owner, said);
        }
    }
}
