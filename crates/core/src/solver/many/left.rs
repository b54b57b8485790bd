//! [`Left`]: what is left of the counters of pools that a walk came to.

use std::sync::{Arc, Weak};

use super::ManyQuestion;
use super::question::Place;
use super::walk::Lost;
use crate::store::{DeviceKey, Pool, PoolCounters, Seen};

/// Is made pool by pool, when a device of it is looked at.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// By part and pool: the walk that came to it, and where its counters start.
    pools: Vec<Vec<(u64, usize)>>,
    /// Number of the walk.
    walk: u64,
    /// Before anything was picked.
    before: Vec<i128>,
    now: Vec<i128>,
    /// What earlier walks found out.
    rooms: Vec<Rooms>,
    oldest: usize,
    /// By part: where its rooms are, if they are kept.
    slots: Vec<Option<usize>>,
}

/// Is what was left of the counters of the pools of a part.
#[derive(Debug)]
struct Rooms {
    seen: Weak<Seen>,
    pools: Vec<Option<Room>>,
}

/// Is for whom something was left of a pool of which some devices were held.
#[derive(Clone, Copy, Debug)]
struct Room {
    held: u64,
    /// Devices for which enough was left.
    roomy: u64,
    /// Whether all devices were held or had too little left.
    used_up: bool,
}

/// Rooms are kept of so many parts, and of parts with so many pools.
const MAX_ROOMS: usize = 8;
const MIN_POOLS: usize = if cfg!(test) { 1 } else { 16 };

/// Is where the counters of a pool start, and what a device takes of them.
type Uses<'v> = (usize, &'v [(u32, i128)]);

impl Left {
    /// Forgets everything.
    pub(super) fn start(&mut self, question: &ManyQuestion<'_>) {
        self.walk += 1;
        if self.pools.len() < question.parts.len() {
            self.pools.resize_with(question.parts.len(), Vec::new);
        }
        for (pools, part) in self.pools.iter_mut().zip(&question.parts) {
            if pools.len() < part.seen.pools.len() {
                pools.resize(part.seen.pools.len(), (0, 0));
            }
        }
        self.before.clear();
        self.now.clear();
        self.slots.clear();
        for part in &question.parts {
            let slot = (part.seen.pools.len() >= MIN_POOLS).then(|| self.slot(part.seen));
            self.slots.push(slot);
        }
    }

    fn slot(&mut self, seen: &Arc<Seen>) -> usize {
        let is_it = |rooms: &Rooms| std::ptr::eq(rooms.seen.as_ptr(), Arc::as_ptr(seen));
        if let Some(slot) = self.rooms.iter().position(is_it) {
            return slot;
        }
        let rooms = Rooms {
            seen: Arc::downgrade(seen),
            pools: vec![None; seen.pools.len()],
        };
        if self.rooms.len() < MAX_ROOMS {
            self.rooms.push(rooms);
            return self.rooms.len() - 1;
        }
        // The next in turn, which no part of this walk has.
        let mut slot = self.oldest;
        while self.slots.contains(&Some(slot)) {
            slot = (slot + 1) % MAX_ROOMS;
        }
        self.oldest = (slot + 1) % MAX_ROOMS;
        self.rooms[slot] = rooms;
        slot
    }

    /// Returns whether enough was left for a device before anything was picked.
    pub(super) fn had_room(
        &mut self,
        place: Place,
        question: &ManyQuestion<'_>,
    ) -> Result<bool, Lost> {
        if question.entry(place).device().consumes_counters.is_empty() {
            return Ok(true);
        }
        if let Some(room) = self.room(place, question)? {
            return Ok(room.roomy & question.entry(place).key.bit() != 0);
        }
        let Some((first, uses)) = self.uses(place, question)? else {
            return Ok(true);
        };
        let mut uses = uses.iter();
        Ok(uses.all(|(counter, amount)| self.before[first + *counter as usize] >= *amount))
    }

    /// Returns whether it is known that nothing is left of the pool of a device.
    pub(super) fn is_used_up(&self, place: Place, question: &ManyQuestion<'_>) -> bool {
        let pool = question.entry(place).pool();
        self.known(place, question).is_some_and(|room| {
            let seen = question.parts[place.part].seen;
            room.used_up && held_word(&seen.pools[pool], question) == Some(room.held)
        })
    }

    fn known(&self, place: Place, question: &ManyQuestion<'_>) -> Option<&Room> {
        let rooms = self.rooms.get((*self.slots.get(place.part)?)?)?;
        rooms.pools.get(question.entry(place).pool())?.as_ref()
    }

    /// Returns what was left of the pool of a device, if a word says all that is
    /// held of it; nothing if it is not worth keeping.
    fn room(&mut self, place: Place, question: &ManyQuestion<'_>) -> Result<Option<Room>, Lost> {
        let Some(slot) = self.slots.get(place.part).copied().flatten() else {
            return Ok(None);
        };
        let seen = question.parts[place.part].seen;
        let pool = question.entry(place).pool();
        let counters = seen.pools[pool].plain_counters().ok_or(Lost)?;
        let Some(held) = held_word(&seen.pools[pool], question) else {
            return Ok(None);
        };
        if let Some(room) = self.rooms[slot].pools[pool]
            && room.held == held
        {
            return Ok(Some(room));
        }
        let Some((first, _)) = self.uses(place, question)? else {
            return Ok(None);
        };
        let roomy = counters.with_room(&self.before[first..]);
        let shareable = &seen.shareable;
        let is_away = |device: usize| {
            let key = seen.devices[device].key;
            !shareable.contains(device) && (held | !roomy) & key.bit() != 0
        };
        let room = Room {
            held,
            roomy,
            used_up: seen.of_pool(pool).all(is_away),
        };
        self.rooms[slot].pools[pool] = Some(room);
        Ok(Some(room))
    }

    /// Returns whether enough is left for a device.
    pub(super) fn has_room(
        &mut self,
        place: Place,
        question: &ManyQuestion<'_>,
    ) -> Result<bool, Lost> {
        let Some((first, uses)) = self.uses(place, question)? else {
            return Ok(true);
        };
        let mut uses = uses.iter();
        Ok(uses.all(|(counter, amount)| self.now[first + *counter as usize] >= *amount))
    }

    /// Takes what a device takes, or gives it back.
    pub(super) fn take(
        &mut self,
        place: Place,
        back: bool,
        question: &ManyQuestion<'_>,
    ) -> Result<(), Lost> {
        let Some((first, uses)) = self.uses(place, question)? else {
            return Ok(());
        };
        for (counter, amount) in uses {
            let left = &mut self.now[first + *counter as usize];
            let changed = if back {
                left.checked_add(*amount)
            } else {
                left.checked_sub(*amount)
            };
            *left = changed.ok_or(Lost)?;
        }
        Ok(())
    }

    /// Returns what a device takes and where the counters of its pool start;
    /// nothing if it takes nothing.
    fn uses<'v>(
        &mut self,
        place: Place,
        question: &ManyQuestion<'v>,
    ) -> Result<Option<Uses<'v>>, Lost> {
        let entry = question.entry(place);
        let pool = &question.parts[place.part].seen.pools[entry.pool()];
        if entry.device().consumes_counters.is_empty() || pool.counters.is_empty() {
            return Ok(None);
        }
        let counters = pool.plain_counters().ok_or(Lost)?;
        let (walk, start) = self.pools[place.part][entry.pool()];
        let first = if walk == self.walk {
            start
        } else {
            let first = self.add(counters, question.held.in_pool(pool.key))?;
            self.pools[place.part][entry.pool()] = (self.walk, first);
            first
        };
        let uses = counters.uses(entry.key).ok_or(Lost)?;
        Ok(Some((first, uses)))
    }

    /// Adds the counters of a pool of which devices are held; returns where they start.
    fn add(
        &mut self,
        counters: &PoolCounters,
        held: impl Iterator<Item = DeviceKey>,
    ) -> Result<usize, Lost> {
        let first = self.before.len();
        self.before.extend_from_slice(&counters.total);
        for key in held {
            // A held device that is not published takes what it took last.
            for (counter, amount) in counters.uses(key).ok_or(Lost)? {
                let left = &mut self.before[first + *counter as usize];
                *left = left.checked_sub(*amount).ok_or(Lost)?;
            }
        }
        self.now.extend_from_slice(&self.before[first..]);
        Ok(first)
    }
}

/// Returns what is held of a pool, if a word says it all.
fn held_word(pool: &Pool, question: &ManyQuestion<'_>) -> Option<u64> {
    let block = pool.plain_counters()?.block()?;
    question.held.only_word(pool.key, block)
}
