//! [`Waste`]: how much more devices are than what would have done.
//!
//! The size of a device is the share of the counters that it takes, on average over
//! all counters of the sets from which it consumes: of partitions with memory slices
//! of their own each takes one of them whole, so the largest share says nothing. A
//! pick wastes what its device is larger than the smallest that its alternative could
//! have had in the question; of a device that is shared also what is taken of
//! each capacity that the request names beyond what it asks for.
//!
//! Bound: the waste itself. Admissible: it is what the pick adds, whatever else
//! is picked.

use std::collections::BTreeSet;

use super::ppm::ppm;
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::constraint::Counters;
use crate::model::{CapacityRequirements, Device, Quantity};
use crate::outcome::StopCause;
use crate::store::NodeView;

/// Holds the sizes of devices, in parts per million of a card.
#[derive(Debug)]
pub(crate) struct Waste {
    sizes: Vec<i64>,
}

impl Waste {
    pub(super) fn new(
        view: &NodeView,
        counters: &Counters,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let pools = view.pools.iter().filter(|pool| pool.is_complete());
        let sets: Vec<_> = pools.flat_map(|pool| pool.counters.values()).collect();
        let places = sets.iter().enumerate();
        let totals = places.flat_map(|(place, set)| set.values().map(move |total| (place, total)));
        let totals: Vec<_> = totals.collect();
        let size = |device: usize| {
            let mut sum = 0_i64;
            let mut of = BTreeSet::new();
            for (counter, amount) in counters.uses(device) {
                if let Some((set, total)) = totals.get(*counter) {
                    sum = sum.saturating_add(ppm(amount, total));
                    of.insert(*set);
                }
            }
            let count: usize = of.into_iter().map(|set| sets[set].len()).sum();
            let count = i64::try_from(count).unwrap_or(i64::MAX).max(1);
            sum / count + i64::from(sum % count != 0)
        };
        let mut sizes = Vec::with_capacity(view.devices.len());
        for device in 0..view.devices.len() {
            meter.effort(1 + counters.uses(device).len() as u64)?;
            sizes.push(size(device));
        }
        Ok(Self { sizes })
    }

    /// Returns the size of a device.
    pub(super) fn size(&self, device: usize) -> i64 {
        self.sizes.get(device).copied().unwrap_or(0)
    }

    /// Returns the size of the smallest of some devices.
    pub(super) fn least(&self, devices: &Bitmap) -> i64 {
        devices
            .iter()
            .map(|device| self.size(device))
            .min()
            .unwrap_or(0)
    }
}

/// Returns what is taken of a shared device beyond what is asked for.
pub(super) fn rounding(
    device: &Device,
    asked: Option<&CapacityRequirements>,
    taken: &[Quantity],
) -> i64 {
    let Some(asked) = asked else { return 0 };
    let mut sum = 0_i64;
    for ((name, capacity), taken) in device.capacity.iter().zip(taken) {
        if let Some(asked) = asked.requests.get(name) {
            let beyond = taken.amount() - asked.amount();
            sum = sum.saturating_add(ppm(&beyond, capacity.value.amount()));
        }
    }
    sum
}
