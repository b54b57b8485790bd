//! [`Left`]: what is left of the counters of pools that a walk came to.

use super::walk::Lost;
use crate::state::Draft;
use crate::store::{DeviceKey, NodeView, PoolCounters};

/// Is made pool by pool, when a device of it is looked at.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// By pool: the walk that came to it, and where its counters start.
    pools: Vec<(u64, usize)>,
    /// Number of the walk.
    walk: u64,
    /// Before anything was picked.
    before: Vec<i128>,
    now: Vec<i128>,
}

impl Left {
    /// Forgets everything.
    pub(super) fn start(&mut self, view: &NodeView) {
        self.walk += 1;
        if self.pools.len() < view.pools.len() {
            self.pools.resize(view.pools.len(), (0, 0));
        }
        self.before.clear();
        self.now.clear();
    }

    /// Returns whether enough was left for a device before anything was picked.
    pub(super) fn had_room(
        &mut self,
        device: usize,
        view: &NodeView,
        held: &Draft,
    ) -> Result<bool, Lost> {
        let Some((first, uses)) = self.uses(device, view, held)? else {
            return Ok(true);
        };
        let mut uses = uses.iter();
        Ok(uses.all(|(counter, amount)| self.before[first + *counter as usize] >= *amount))
    }

    /// Returns whether enough is left for a device.
    pub(super) fn has_room(
        &mut self,
        device: usize,
        view: &NodeView,
        held: &Draft,
    ) -> Result<bool, Lost> {
        let Some((first, uses)) = self.uses(device, view, held)? else {
            return Ok(true);
        };
        let mut uses = uses.iter();
        Ok(uses.all(|(counter, amount)| self.now[first + *counter as usize] >= *amount))
    }

    /// Takes what a device takes, or gives it back.
    pub(super) fn take(
        &mut self,
        device: usize,
        back: bool,
        view: &NodeView,
        held: &Draft,
    ) -> Result<(), Lost> {
        let Some((first, uses)) = self.uses(device, view, held)? else {
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
        device: usize,
        view: &'v NodeView,
        held: &Draft,
    ) -> Result<Option<(usize, &'v [(u32, i128)])>, Lost> {
        let entry = &view.devices[device];
        let pool = &view.pools[entry.pool];
        if entry.device().consumes_counters.is_empty() || pool.counters.is_empty() {
            return Ok(None);
        }
        let counters = pool.plain_counters().ok_or(Lost)?;
        let (walk, start) = self.pools[entry.pool];
        let first = if walk == self.walk {
            start
        } else {
            let first = self.add(counters, held.in_pool(pool.key))?;
            self.pools[entry.pool] = (self.walk, first);
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
