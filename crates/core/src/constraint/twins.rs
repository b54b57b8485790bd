//! [`TwinPicks`]: of devices that are physically the same one is picked.

use super::{Trail, Undo};
use crate::bitmap::Bitmap;
use crate::store::NodeView;

/// Keeps which devices that have twins are picked, whole or in part.
///
/// Access for administration is none of it: it holds nothing.
#[derive(Debug)]
pub(crate) struct TwinPicks {
    picked: Bitmap,
}

impl TwinPicks {
    pub(crate) fn new(view: &NodeView) -> Self {
        let devices = if view.twins.is_empty() {
            0
        } else {
            view.devices.len()
        };
        Self {
            picked: Bitmap::new(devices),
        }
    }

    /// Returns whether no twin of a device is picked.
    pub(crate) fn admits(&self, view: &NodeView, device: usize) -> bool {
        let mut places = view.twins.of(device).filter_map(|twin| twin.place);
        !places.any(|place| self.picked.contains(place))
    }

    /// Picks a device.
    pub(crate) fn add(&mut self, view: &NodeView, device: usize, trail: &mut Trail) {
        if view.twins.of(device).next().is_some() && !self.picked.contains(device) {
            self.picked.insert(device);
            trail.push(Undo::Twin(device));
        }
    }

    pub(crate) fn undo(&mut self, device: usize) {
        self.picked.remove(device);
    }
}
