//! [`Catalog`]: numbers for the names of pools and devices.

use std::collections::BTreeMap;

use crate::model::{DeviceId, Str};

/// Numbers a pool for as long as its engine lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PoolKey(u32);

/// Numbers a device for as long as its engine lives, also while no slice publishes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeviceKey(u32);

impl DeviceKey {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Gives numbers to names; a name keeps its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    pools: BTreeMap<(Str, Str), PoolKey>,
    devices: BTreeMap<(PoolKey, Str), DeviceKey>,
}

impl Catalog {
    /// Returns the number of a pool.
    pub(crate) fn pool(&mut self, driver: &Str, pool: &Str) -> PoolKey {
        let name = (driver.clone(), pool.clone());
        if let Some(key) = self.pools.get(&name) {
            return *key;
        }
        let key = PoolKey(number(self.pools.len()));
        self.pools.insert(name, key);
        key
    }

    /// Returns the number of a device of a pool.
    pub(crate) fn device(&mut self, pool: PoolKey, device: &Str) -> DeviceKey {
        let name = (pool, device.clone());
        if let Some(key) = self.devices.get(&name) {
            return *key;
        }
        let key = DeviceKey(number(self.devices.len()));
        self.devices.insert(name, key);
        key
    }

    /// Returns the numbers of the pool and the device of a full name.
    pub(crate) fn keys(&mut self, id: &DeviceId) -> (PoolKey, DeviceKey) {
        let pool = self.pool(&id.driver, &id.pool);
        (pool, self.device(pool, &id.device))
    }
}

/// Memory ends before four billion names do.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
