//! [`Left`]: what cards can still give.

use super::{DeviceState, PartScratch, PartTable, Seen, Stock};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::constraint::Counters;
use crate::outcome::StopCause;

/// Knows which devices that nobody holds share counters, and what is left of those.
#[derive(Debug, Default)]
pub(super) struct Left {
    table: Option<PartTable>,
    amounts: Vec<i128>,
    /// Places of the devices in the stock, in order.
    devices: Vec<usize>,
    uses: Vec<Vec<(u32, i128)>>,
}

impl Left {
    /// Looks at the devices that can be had, those with taints that keep most claims away
    /// among them.
    pub(super) fn new(
        stock: &Stock,
        seen: &Seen,
        counters: &Counters,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let mut result = Self::default();
        counters.plain_left(&mut result.amounts);
        for (pool, stocked) in stock.pools.iter().enumerate() {
            for (device, place) in seen.of_pool(pool).zip(stocked.devices.clone()) {
                let stocked = &stock.devices[place];
                let is_there = match stocked.state {
                    DeviceState::Free => true,
                    DeviceState::Tainted => !stocked.is_barred,
                    _ => false,
                };
                let uses = counters.plain_uses(device);
                if is_there && !uses.is_empty() {
                    result.devices.push(place);
                    result.uses.push(uses);
                }
            }
        }
        let uses = |device: usize| result.uses[device].as_slice();
        let table = PartTable::new(result.devices.len(), result.amounts.len(), uses, &[], meter)?;
        result.table = Some(table);
        Ok(result)
    }

    /// Returns whether a device is among those that take of counters.
    pub(super) fn has(&self, device: usize) -> bool {
        self.devices.binary_search(&device).is_ok()
    }

    /// Returns how many devices can be had together, by card.
    pub(super) fn most(
        &self,
        is_wanted: impl Fn(usize) -> bool,
        meter: &mut Meter<'_>,
    ) -> Vec<(usize, usize)> {
        let Some(table) = &self.table else {
            return Vec::new();
        };
        let mut wanted = Bitmap::new(self.devices.len());
        for (place, device) in self.devices.iter().enumerate() {
            if is_wanted(*device) {
                wanted.insert(place);
            }
        }
        let most = PartScratch::default().most(table, &self.amounts, wanted.words(), meter);
        most.into_iter()
            .map(|(place, count)| (self.devices[place], count))
            .collect()
    }

    /// Returns how much of each counter devices that nobody holds can take, in nano units.
    pub(super) fn usable(&self, counters: usize) -> Vec<i128> {
        let uses = |device: usize| self.uses[device].as_slice();
        let usable = self
            .table
            .as_ref()
            .map(|table| table.usable(uses, &self.amounts));
        usable.unwrap_or_else(|| vec![0; counters])
    }
}
