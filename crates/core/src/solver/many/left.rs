//! [`Left`]: what is left of the counters of pools that a walk came to.

use super::ManyQuestion;
use super::question::Place;
use super::walk::Lost;
use crate::store::{DeviceKey, PoolCounters};

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
}

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
    }

    /// Returns whether enough was left for a device before anything was picked.
    pub(super) fn had_room(
        &mut self,
        place: Place,
        question: &ManyQuestion<'_>,
    ) -> Result<bool, Lost> {
        let Some((first, uses)) = self.uses(place, question)? else {
            return Ok(true);
        };
        let mut uses = uses.iter();
        Ok(uses.all(|(counter, amount)| self.before[first + *counter as usize] >= *amount))
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
        let pool = &question.parts[place.part].seen.pools[entry.pool];
        if entry.device().consumes_counters.is_empty() || pool.counters.is_empty() {
            return Ok(None);
        }
        let counters = pool.plain_counters().ok_or(Lost)?;
        let (walk, start) = self.pools[place.part][entry.pool];
        let first = if walk == self.walk {
            start
        } else {
            let first = self.add(counters, question.held.in_pool(pool.key))?;
            self.pools[place.part][entry.pool] = (self.walk, first);
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
