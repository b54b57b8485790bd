//! [`Catalog`]: numbers for the names of nodes, pools and devices.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::rows::KnownRows;
use crate::model::{DeviceId, List, Str};
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

    /// Returns the number itself.
    pub(crate) fn number(self) -> u32 {
        self.0
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
    keys: BTreeMap<(Str, Str), PoolKey>,
    pools: Vec<PoolNames>,
    /// How many blocks of device numbers are given away.
    blocks: u32,
    nodes: BTreeMap<Str, NodeKey>,
    revision: u64,
    /// The names of the pool that came last.
    last: Arc<Names>,
    rows: KnownRows,
}

/// Is a pool with its devices, which have numbers in the order of their coming.
#[derive(Debug)]
struct PoolNames {
    driver: Str,
    name: Str,
    /// Those of most pools are the same.
    devices: Arc<Names>,
    /// How many of the names are devices of the pool.
    count: u32,
    first_block: u32,
    more_blocks: List<u32>,
}

/// Pools with more devices have their names for themselves: what is shared is
/// copied when one of them gets another device.
const MAX_SHARED: usize = 128;

/// Gives places to names in the order of their coming.
#[derive(Clone, Debug, Default)]
struct Names(BTreeMap<Str, u32>);

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
        let key = self.pool(driver, pool);
        let Some(names) = self.pools.get_mut(key.index()) else {
            return (key, Box::default());
        };
        if names.count == 0 {
            // Its first devices are likely to be named as those of the pool before.
            names.devices = Arc::clone(&self.last);
        }
        let numbers = devices.map(|device| names.number(device, &mut self.blocks));
        let numbers = numbers.collect();
        if names.devices.0.len() <= MAX_SHARED && !Arc::ptr_eq(&self.last, &names.devices) {
            self.last = Arc::clone(&names.devices);
        }
        (key, numbers)
    }

    fn pool(&mut self, driver: &Str, name: &Str) -> PoolKey {
        // Memory ends before four billion names do.
        let next = PoolKey(number(self.pools.len()));
        let key = *self
            .keys
            .entry((driver.clone(), name.clone()))
            .or_insert(next);
        if key == next {
            self.pools.push(PoolNames {
                driver: driver.clone(),
                name: name.clone(),
                devices: Arc::default(),
                count: 0,
                first_block: 0,
                more_blocks: List::new(),
            });
        }
        key
    }

    /// Returns the numbers of the pool and the device of a full name.
    pub(crate) fn keys(&mut self, id: &DeviceId) -> (PoolKey, DeviceKey) {
        let (pool, devices) = self.numbers(&id.driver, &id.pool, std::iter::once(&id.device));
        (pool, devices[0])
    }

    /// Returns the number of a pool that has one.
    pub(crate) fn find(&self, driver: &Str, pool: &Str) -> Option<PoolKey> {
        self.keys.get(&(driver.clone(), pool.clone())).copied()
    }

    /// Returns the driver and the name of a pool.
    pub(crate) fn name(&self, pool: PoolKey) -> (Str, Str) {
        let pool = self.pools.get(pool.index());
        pool.map(|pool| (pool.driver.clone(), pool.name.clone()))
            .unwrap_or_default()
    }

    /// Returns the rows that slices had lately.
    pub(super) fn rows(&self) -> KnownRows {
        self.rows.clone()
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
        let pool = self.pools.get(pool.index()).into_iter();
        pool.flat_map(|pool| {
            let names = pool.devices.0.iter();
            let of_pool = names.filter(|(_, place)| **place < pool.count);
            of_pool.map(|(name, place)| (pool.key(*place), name))
        })
    }

    /// Returns the full name of the device with a number, if one has it.
    pub(crate) fn device(&self, index: u32) -> Option<DeviceId> {
        let (block, place) = (index / BLOCK, index % BLOCK);
        let pool = self.pools.iter().find(|pool| pool.has_block(block))?;
        let mut names = pool.devices.0.iter();
        let mut of_pool = names.by_ref().filter(|(_, place)| **place < pool.count);
        let key = DeviceKey(block.checked_mul(BLOCK)?.checked_add(place)?);
        let (name, _) = of_pool.find(|(_, place)| pool.key(**place) == key)?;
        Some(DeviceId {
            driver: pool.driver.clone(),
            pool: pool.name.clone(),
            device: name.clone(),
        })
    }

    /// Returns a number that no slice and no view of the engine has had.
    pub(crate) fn next_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }
}

impl PoolNames {
    /// Returns the number of a device; a new one takes the next.
    fn number(&mut self, device: &Str, blocks: &mut u32) -> DeviceKey {
        let known = self.devices.0.get(device).copied();
        let place = match known {
            // What the pools that share the names have is the same as far as it goes.
            Some(place) if place <= self.count => place,
            _ => {
                let names = Arc::make_mut(&mut self.devices);
                let count = self.count;
                if names.0.len() > count as usize {
                    names.0.retain(|_, place| *place < count);
                }
                names.0.insert(device.clone(), count);
                count
            }
        };
        if place == self.count {
            self.count = self.count.saturating_add(1);
            if place.is_multiple_of(BLOCK) {
                match place {
                    0 => self.first_block = *blocks,
                    _ => self.more_blocks.push(*blocks),
                }
                // Memory ends before the numbers do.
                *blocks = blocks.saturating_add(1);
            }
        }
        self.key(place)
    }

    fn has_block(&self, block: u32) -> bool {
        self.count > 0 && (self.first_block == block || self.more_blocks.contains(&block))
    }

    fn key(&self, place: u32) -> DeviceKey {
        let block = match (place / BLOCK) as usize {
            0 => self.first_block,
            index => self.more_blocks.get(index - 1).copied().unwrap_or_default(),
        };
        DeviceKey(block.saturating_mul(BLOCK).saturating_add(place % BLOCK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(catalog: &mut Catalog, pool: &str, devices: &[String]) -> Vec<usize> {
        let devices: Vec<Str> = devices.iter().map(Str::from).collect();
        let (_, numbers) = catalog.numbers(&"driver".into(), &pool.into(), devices.iter());
        numbers.iter().map(|number| number.index()).collect()
    }

    #[test]
    fn pools_with_the_same_names_have_numbers_of_their_own() {
        let mut catalog = Catalog::default();
        let names: Vec<String> = (0..66).map(|index| format!("gpu-{index}")).collect();
        let few = &names[..2];
        assert_eq!(numbers(&mut catalog, "a", few), [0, 1]);
        assert_eq!(numbers(&mut catalog, "b", few), [64, 65]);
        // In another order, and with others.
        let turned = [names[1].clone(), names[0].clone(), names[5].clone()];
        assert_eq!(numbers(&mut catalog, "c", &turned), [128, 129, 130]);
        assert_eq!(numbers(&mut catalog, "c", few), [129, 128]);
        assert_eq!(numbers(&mut catalog, "d", &names[..3]), [192, 193, 194]);
        // More than a block: a second one begins where all others have ended.
        let many = numbers(&mut catalog, "a", &names);
        assert_eq!(many[..64], (0..64).collect::<Vec<_>>());
        assert_eq!(many[64..], [256, 257]);
        assert_eq!(numbers(&mut catalog, "b", &names[1..3]), [65, 66]);
        assert_eq!(numbers(&mut catalog, "a", &names), many);
        assert_eq!(catalog.name(PoolKey(1)), ("driver".into(), "b".into()));
        assert_eq!(catalog.name(PoolKey(9)), Default::default());
    }

    #[test]
    fn names_that_many_pools_have_are_kept_once() {
        let mut catalog = Catalog::default();
        let names = ["gpu-0".to_owned(), "gpu-1".to_owned()];
        for pool in ["a", "b", "c"] {
            numbers(&mut catalog, pool, &names);
        }
        assert_eq!(Arc::strong_count(&catalog.last), 4);
    }

    #[test]
    fn numbers_have_the_names_that_they_were_given_for() {
        let mut catalog = Catalog::default();
        let names: Vec<String> = (0..70).map(|index| format!("gpu-{index}")).collect();
        for pool in ["a", "b"] {
            let given = numbers(&mut catalog, pool, &names);
            for (name, number) in names.iter().zip(given) {
                let id = DeviceId::new("driver", pool, name);
                assert_eq!(catalog.device(super::number(number)), Some(id));
            }
        }
        // Two blocks for each pool, the second of which has six names.
        assert_eq!(catalog.device(70), None);
        assert_eq!(catalog.device(256), None);
        assert_eq!(catalog.device(u32::MAX), None);
    }
}
