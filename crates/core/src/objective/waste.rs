//! [`Waste`]: how much more devices are than what would have done.
//!
//! The size of a device is the largest share that it takes of a counter. A pick
//! wastes what its device is larger than the smallest that its alternative could
//! have had in the question; of a device that is shared also what is taken of
//! each capacity that the request names beyond what it asks for.
//!
//! Bound: the waste itself. Admissible: it is what the pick adds, whatever else
//! is picked.

use super::ppm::ppm;
use crate::bitmap::Bitmap;
use crate::constraint::Counters;
use crate::model::{CapacityRequirements, Device, Quantity};
use crate::store::NodeView;

/// Holds the sizes of devices, in parts per million of a card.
#[derive(Debug)]
pub(crate) struct Waste {
    sizes: Vec<i64>,
}

impl Waste {
    pub(super) fn new(view: &NodeView, counters: &Counters) -> Self {
        let pools = view.pools.iter().filter(|pool| pool.is_complete());
        let sets = pools.flat_map(|pool| pool.counters.values());
        let totals: Vec<_> = sets.flat_map(|set| set.values()).collect();
        let size = |device: usize| {
            let uses = counters.uses(device).iter();
            let shares =
                uses.filter_map(|(counter, amount)| Some(ppm(amount, totals.get(*counter)?)));
            shares.max().unwrap_or(0)
        };
        Self {
            sizes: (0..view.devices.len()).map(size).collect(),
        }
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
