//! [`PoolCounters`]: what the devices of a pool take of its counters, as plain
//! numbers.

use std::collections::BTreeMap;

use super::{DeviceKey, Pool};
use crate::model::{Device, Str};

/// Holds the counters of a pool and what takes of them, in nano units.
#[derive(Debug)]
pub(crate) struct PoolCounters {
    /// What each counter has while nothing is held.
    pub(crate) total: Box<[i128]>,
    uses: Vec<(u32, i128)>,
    /// Devices in order, whether a node can have them or not, with their parts
    /// of `uses`.
    published: Vec<(DeviceKey, u32, u32)>,
    /// The block of all devices, if it is one.
    block: Option<usize>,
}

type Index<'a> = BTreeMap<(&'a Str, &'a Str), u32>;

impl PoolCounters {
    /// Returns those of a pool; nothing if they cannot be written in plain numbers.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn new<E>(
        pool: &Pool,
        effort: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let mut stopped = None;
        let made = Self::make(pool, effort, &mut stopped);
        stopped.map_or(Ok(made), Err)
    }

    fn make<E>(
        pool: &Pool,
        mut effort: impl FnMut(u64) -> Result<(), E>,
        stopped: &mut Option<E>,
    ) -> Option<Self> {
        let mut goes_on = |work: usize| match effort(work as u64) {
            Ok(()) => Some(()),
            Err(cause) => {
                *stopped = Some(cause);
                None
            }
        };
        let (mut index, mut total) = (Index::new(), Vec::new());
        for (set, counters) in &pool.counters {
            goes_on(1 + counters.len())?;
            for (name, value) in counters {
                index.insert((set, name), u32::try_from(total.len()).ok()?);
                total.push(value.as_nanos()?);
            }
        }
        let mut counters = Self {
            total: total.into(),
            uses: Vec::new(),
            published: Vec::new(),
            block: None,
        };
        for stored in pool.slices.iter().chain(&pool.elsewhere) {
            for (key, device) in stored.devices.iter().zip(&stored.slice.spec.devices) {
                let (first, end) = counters.add_uses(device, &index)?;
                goes_on(1 + (end - first) as usize / 2)?;
                counters.published.push((*key, first, end));
            }
        }
        counters.published.sort_unstable_by_key(|(key, ..)| *key);
        let mut blocks = counters.published.iter().map(|(key, ..)| key.block());
        let block = blocks.next();
        counters.block = block.filter(|first| blocks.all(|block| block == *first));
        Some(counters)
    }

    fn add_uses(&mut self, device: &Device, index: &Index<'_>) -> Option<(u32, u32)> {
        let first = self.uses.len();
        for of_set in &device.consumes_counters {
            for (name, counter) in &of_set.counters {
                let place = *index.get(&(&of_set.counter_set, name))?;
                let amount = counter.value.amount().as_nanos()?;
                let known = self.uses[first..]
                    .iter_mut()
                    .find(|(other, _)| *other == place);
                match known {
                    Some((_, sum)) => *sum = sum.checked_add(amount)?,
                    None => self.uses.push((place, amount)),
                }
            }
        }
        let number = |length: usize| u32::try_from(length).ok();
        Some((number(first)?, number(self.uses.len())?))
    }

    /// Returns the devices in order with what they take, by counter; one that
    /// slices publish twice is there twice.
    pub(crate) fn published(&self) -> impl Iterator<Item = (DeviceKey, &[(u32, i128)])> {
        let published = self.published.iter();
        published.map(|(key, first, end)| (*key, &self.uses[*first as usize..*end as usize]))
    }

    /// Returns what a device takes, by counter; nothing if it is not published.
    pub(crate) fn uses(&self, device: DeviceKey) -> Option<&[(u32, i128)]> {
        let place = self
            .published
            .binary_search_by_key(&device, |(key, ..)| *key);
        let (_, first, end) = self.published.get(place.ok()?)?;
        self.uses.get(*first as usize..*end as usize)
    }

    /// Returns the block of all devices, if it is one: its word says all that
    /// is held of the pool's counters.
    pub(crate) fn block(&self) -> Option<usize> {
        self.block
    }

    /// Returns the devices for which `left` is enough, as bits of their block.
    pub(crate) fn with_room(&self, left: &[i128]) -> u64 {
        let has_room = |(_, first, end): &&(DeviceKey, u32, u32)| {
            let uses = self.uses.get(*first as usize..*end as usize);
            let mut uses = uses.into_iter().flatten();
            uses.all(|(counter, amount)| left[*counter as usize] >= *amount)
        };
        let roomy = self.published.iter().filter(has_room);
        roomy.fold(0, |word, (key, ..)| word | key.bit())
    }
}
