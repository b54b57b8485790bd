//! [`Limits`]: which sets of devices may be used together.

use crate::bitmap::Bitmap;

/// Says which sets of some things may be used together, such as the partitions of a fabric.
#[derive(Debug)]
pub(crate) struct Limits {
    /// By device, the thing that it is; none if it is none of those that are limited.
    /// Several devices may be one thing.
    pub(super) things: Vec<Option<usize>>,
    pub(super) sets: Vec<Bitmap>,
}

impl Limits {
    /// Returns what a device is, if it counts.
    pub(crate) fn thing(&self, device: usize) -> Option<usize> {
        self.things.get(device).copied().flatten()
    }

    /// Returns whether some set has all of some things; none are part of any.
    pub(crate) fn has_all(&self, things: &(impl Iterator<Item = usize> + Clone)) -> bool {
        let mut sets = self.sets.iter();
        things.clone().next().is_none()
            || sets.any(|set| things.clone().all(|thing| set.contains(thing)))
    }

    /// Returns whether different things are one of the sets, or none.
    pub(crate) fn is_one(&self, things: &(impl Iterator<Item = usize> + Clone)) -> bool {
        let count = things.clone().count();
        let mut sets = self.sets.iter();
        count == 0
            || sets.any(|set| set.len() == count && things.clone().all(|thing| set.contains(thing)))
    }
}
