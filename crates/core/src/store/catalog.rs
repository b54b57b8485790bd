//! [`Catalog`]: numbers for the names of nodes, pools and devices.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::{DeviceId, Str};
use crate::number::number;

/// Numbers a pool for as long as its engine lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PoolKey(u32);

impl PoolKey {
    pub(super) const FIRST: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Numbers a device for as long as its engine lives, also while no slice publishes it.
///
/// The numbers of a pool lie in blocks of 64 that no other pool has, so that a
/// word per block says which devices of a pool are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeviceKey(u32);

const BLOCK: u32 = u64::BITS;

impl DeviceKey {
    pub(super) const FIRST: Self = Self(0);
    pub(super) const LAST: Self = Self(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the number of its block.
    pub(crate) fn block(self) -> usize {
        (self.0 / BLOCK) as usize
    }

    /// Returns its bit in the word of its block.
    pub(crate) fn bit(self) -> u64 {
        1 << (self.0 % BLOCK)
    }

    /// Returns the devices of a block whose bits are set.
    pub(crate) fn of_word(block: usize, word: u64) -> impl Iterator<Item = Self> {
        let first = number(block).saturating_mul(BLOCK);
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(Self(first.saturating_add(bit)))
        })
    }
}

/// Numbers a node for as long as its engine lives, also while it is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeKey(u32);

impl NodeKey {
    /// Is the number of no node.
    pub(crate) const NONE: Self = Self(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Gives numbers to names; a name keeps its number.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pools: BTreeMap<(Str, Str), PoolNames>,
    /// Driver and name of each pool.
    names: Vec<(Str, Str)>,
    /// How many blocks of device numbers are given away.
    blocks: u32,
    nodes: BTreeMap<Str, NodeKey>,
    revision: u64,
}

#[derive(Debug)]
struct PoolNames {
    key: PoolKey,
    devices: BTreeMap<Str, DeviceKey>,
    /// The number of the next device; at the end of a block a new one begins.
    next: u32,
}

/// Is the catalog of an engine, its snapshots and their transactions.
///
/// Numbers only ever come to it, so what one adds does not change what others
/// know. It is locked while names of a slice or an exact apply are looked up,
/// never by questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedCatalog(Arc<Mutex<Catalog>>);

impl SharedCatalog {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Catalog> {
        // Whatever was going on, names and numbers are in agreement at each step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Catalog {
    /// Returns the numbers of a pool and of some of its devices.
    pub(crate) fn numbers<'a>(
        &mut self,
        driver: &Str,
        pool: &Str,
        devices: impl Iterator<Item = &'a Str>,
    ) -> (PoolKey, Box<[DeviceKey]>) {
        let mut blocks = self.blocks;
        let names = self.pool((driver.clone(), pool.clone()));
        let key = names.key;
        let numbers = devices.map(|device| {
            if let Some(number) = names.devices.get(device) {
                return *number;
            }
            if names.next.is_multiple_of(BLOCK) {
                // Memory ends before the numbers do.
                names.next = blocks.saturating_mul(BLOCK);
                blocks = blocks.saturating_add(1);
            }
            let number = DeviceKey(names.next);
            names.next = names.next.saturating_add(1);
            names.devices.insert(device.clone(), number);
            number
        });
        let numbers = numbers.collect();
        self.blocks = blocks;
        (key, numbers)
    }

    fn pool(&mut self, name: (Str, Str)) -> &mut PoolNames {
        let names = &mut self.names;
        self.pools.entry(name).or_insert_with_key(|name| {
            // Memory ends before four billion names do.
            let key = PoolKey(u32::try_from(names.len()).unwrap_or(u32::MAX));
            names.push(name.clone());
            PoolNames {
                key,
                devices: BTreeMap::new(),
                next: 0,
            }
        })
    }

    /// Returns the numbers of the pool and the device of a full name.
    pub(crate) fn keys(&mut self, id: &DeviceId) -> (PoolKey, DeviceKey) {
        let (pool, devices) = self.numbers(&id.driver, &id.pool, std::iter::once(&id.device));
        (pool, devices[0])
    }

    /// Returns the number of a pool that has one.
    pub(crate) fn find(&self, driver: &Str, pool: &Str) -> Option<PoolKey> {
        let names = self.pools.get(&(driver.clone(), pool.clone()));
        names.map(|names| names.key)
    }

    /// Returns the driver and the name of a pool.
    pub(crate) fn name(&self, pool: PoolKey) -> (Str, Str) {
        self.names.get(pool.index()).cloned().unwrap_or_default()
    }

    /// Returns the number of a node; numbers follow each other without gaps.
    pub(crate) fn node(&mut self, name: &Str) -> NodeKey {
        if let Some(key) = self.nodes.get(name) {
            return *key;
        }
        // Memory ends before four billion names do.
        let key = NodeKey(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.insert(name.clone(), key);
        key
    }

    /// Returns the number of a node that was there at some time.
    pub(crate) fn known_node(&self, name: &str) -> Option<NodeKey> {
        self.nodes.get(name).copied()
    }

    /// Returns the devices of a pool, by name.
    pub(crate) fn devices(&self, pool: PoolKey) -> impl Iterator<Item = (DeviceKey, &Str)> {
        let names = self.names.get(pool.index());
        let names = names.and_then(|name| self.pools.get(name));
        let devices = names.into_iter().flat_map(|names| &names.devices);
        devices.map(|(name, key)| (*key, name))
    }

    /// Returns a number that no slice and no view of the engine has had.
    pub(crate) fn next_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }
}
