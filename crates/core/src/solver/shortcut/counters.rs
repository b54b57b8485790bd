//! [`CounterTable`]: what devices take of counters, as plain numbers.

use super::set::Set;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::parts::PartTable;
use crate::state::Draft;
use crate::store::{NodeView, Pool, PoolCounters, PoolKey};

/// Holds the counters of the pools that a node sees, in nano units.
#[derive(Debug, Default)]
pub(super) struct CounterTable {
    /// What each counter has while nothing is held.
    pub(super) total: Vec<i128>,
    uses: Vec<(u32, i128)>,
    /// By device: its part of `uses`.
    of_device: Vec<(u32, u32)>,
    /// Devices that use counters, of those that a request can have.
    pub(super) users: Set,
    /// By device: those that use a counter of it.
    beside: Vec<Set>,
    /// Which of them have to do with each other.
    parts: Option<PartTable>,
    /// By block of the state, all devices of the pools, whether the node can
    /// have them or not: their parts of `uses`.
    published: Vec<(u32, u32)>,
    pools: Vec<(PoolKey, Vec<Part>)>,
}

/// Is what a pool has of a block of the state.
#[derive(Debug)]
struct Part {
    block: usize,
    /// The devices that are published.
    known: u64,
    /// Place of the first of them in `published`.
    first: usize,
}

impl CounterTable {
    /// Returns the table of a view; nothing if it cannot be written in plain numbers.
    ///
    /// Only devices that are wanted can be taken.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn new(
        view: &NodeView,
        wanted: &Set,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, StopCause> {
        let mut table = Self {
            of_device: vec![(0, 0); view.devices.len()],
            ..Self::default()
        };
        for (place, pool) in view.pools.iter().enumerate() {
            if !pool.counters.is_empty() && pool.is_complete() {
                // Each of its devices is looked at, wherever it can be had.
                let slices = pool.slices.iter().chain(&pool.elsewhere);
                let published: usize = slices.map(|stored| stored.devices.len()).sum();
                meter.effort(1 + published as u64)?;
                let plain = pool.plain_counters_within(|work| meter.effort(work))?;
                if plain.is_none_or(|plain| table.add_pool(view, (place, pool), plain).is_none()) {
                    return Ok(None);
                }
            }
        }
        table.users.intersect(wanted);
        table.connect(view.devices.len(), meter)?;
        Ok(Some(table))
    }

    fn add_pool(
        &mut self,
        view: &NodeView,
        (place, pool): (usize, &Pool),
        plain: &PoolCounters,
    ) -> Option<()> {
        let first = u32::try_from(self.total.len()).ok()?;
        self.total.extend_from_slice(&plain.total);
        u32::try_from(self.total.len()).ok()?;
        let mut published = Vec::new();
        for (key, uses) in plain.published() {
            let start = u32::try_from(self.uses.len()).ok()?;
            let uses = uses.iter();
            self.uses
                .extend(uses.map(|(counter, amount)| (first + counter, *amount)));
            published.push((key, (start, u32::try_from(self.uses.len()).ok()?)));
        }
        if published.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        for device in view.of_pool(place) {
            let entry = &view.devices[device];
            let found = published.binary_search_by_key(&entry.key, |(key, _)| *key);
            self.of_device[device] = published[found.ok()?].1;
            if !entry.device().consumes_counters.is_empty() {
                self.users.insert(device);
            }
        }
        let mut blocks: Vec<Part> = Vec::new();
        for (key, uses) in published {
            let same = |last: &&mut Part| last.block == key.block();
            match blocks.last_mut().filter(same) {
                Some(block) => block.known |= key.bit(),
                None => blocks.push(Part {
                    block: key.block(),
                    known: key.bit(),
                    first: self.published.len(),
                }),
            }
            self.published.push(uses);
        }
        self.pools.push((pool.key, blocks));
        Some(())
    }

    /// Finds out which devices have to do with each other.
    fn connect(&mut self, devices: usize, meter: &mut Meter<'_>) -> Result<(), StopCause> {
        let mut users = vec![Set::default(); self.total.len()];
        for device in self.users.iter() {
            for (counter, _) in self.of(device) {
                users[*counter as usize].insert(device);
            }
        }
        self.beside = vec![Set::default(); devices];
        for device in self.users.iter() {
            meter.effort(1)?;
            let mut beside = Set::default();
            for (counter, _) in self.of(device) {
                beside.unite(&users[*counter as usize]);
            }
            self.beside[device] = beside;
        }
        let taken = |device: usize| {
            if self.users.contains(device) {
                self.of(device)
            } else {
                &[]
            }
        };
        let parts = PartTable::new(devices, self.total.len(), taken, &[], meter)?;
        self.parts = Some(parts);
        Ok(())
    }

    /// Makes the table from what there is of each counter, and what devices take.
    #[cfg(test)]
    pub(super) fn of_numbers(total: Vec<i128>, uses: Vec<Vec<(u32, i128)>>) -> Self {
        let mut table = Self {
            total,
            ..Self::default()
        };
        for (device, uses) in uses.into_iter().enumerate() {
            if !uses.is_empty() {
                table.users.insert(device);
            }
            let start = table.uses.len().try_into().unwrap();
            table.uses.extend(uses);
            let end = table.uses.len().try_into().unwrap();
            table.of_device.push((start, end));
        }
        let mut meter = crate::budget::Budget::new().meter();
        table.connect(table.of_device.len(), &mut meter).unwrap();
        table
    }

    fn uses(&self, (first, end): (u32, u32)) -> &[(u32, i128)] {
        &self.uses[first as usize..end as usize]
    }

    /// Writes down what is left; returns nothing if that is not known.
    pub(super) fn leave(&self, held: &Draft, left: &mut Vec<i128>) -> Option<()> {
        left.clear();
        left.extend_from_slice(&self.total);
        for (pool, blocks) in &self.pools {
            let mut found = 0;
            for block in blocks {
                let mut rest = held.held_word(block.block) & block.known;
                found += rest.count_ones() as usize;
                while rest != 0 {
                    let before = block.known & ((rest & rest.wrapping_neg()) - 1);
                    let place = block.first + before.count_ones() as usize;
                    for (counter, amount) in self.uses(self.published[place]) {
                        let left = &mut left[*counter as usize];
                        *left = left.checked_sub(*amount)?;
                    }
                    rest &= rest - 1;
                }
            }
            // A held device that is not published takes what it took last.
            if held.count_in_pool(*pool) != found {
                return None;
            }
        }
        Some(())
    }

    /// Returns what a device takes, by counter.
    pub(super) fn of(&self, device: usize) -> &[(u32, i128)] {
        self.uses(self.of_device[device])
    }

    /// Returns which devices share counters, of those that can be had.
    pub(super) fn parts(&self) -> Option<&PartTable> {
        self.parts.as_ref()
    }

    /// Returns the devices that can be had and use a counter of a device.
    pub(super) fn beside(&self, device: usize) -> &Set {
        &self.beside[device]
    }

    /// Returns whether enough is left for a device.
    pub(super) fn has_room(&self, device: usize, left: &[i128]) -> bool {
        let mut uses = self.uses(self.of_device[device]).iter();
        uses.all(|(counter, amount)| left[*counter as usize] >= *amount)
    }

    /// Takes what a device takes; returns nothing if that is beyond all numbers.
    pub(super) fn take(&self, device: usize, left: &mut [i128]) -> Option<()> {
        for (counter, amount) in self.uses(self.of_device[device]) {
            let left = &mut left[*counter as usize];
            *left = left.checked_sub(*amount)?;
        }
        Some(())
    }

    pub(super) fn weight(&self) -> usize {
        let published = self.published.len();
        let published = published
            + self
                .pools
                .iter()
                .map(|(_, list)| 4 + 3 * list.len())
                .sum::<usize>();
        let beside = 4 * self.beside.len();
        let parts = self.parts.as_ref().map_or(0, PartTable::weight);
        32 + beside
            + parts
            + 2 * self.total.len()
            + 4 * self.uses.len()
            + self.of_device.len()
            + published
    }
}
