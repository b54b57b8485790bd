//! [`MatchAttribute`]: all devices have a value in common.

use super::{AttributeSets, SetId};

/// Keeps the values that all devices so far have in common.
#[derive(Debug, Default)]
pub(crate) struct MatchAttribute {
    /// None before the first device.
    common: Option<SetId>,
}

impl MatchAttribute {
    /// Returns the values in common, once there is a device.
    pub(crate) fn common(&self) -> Option<SetId> {
        self.common
    }

    /// Returns what is left in common when a device joins; none if it must not.
    pub(crate) fn join(&self, sets: &mut AttributeSets, device: SetId) -> Option<SetId> {
        match self.common {
            None => Some(device),
            Some(common) => sets.common(common, device),
        }
    }

    /// Sets what is in common, and returns what was.
    pub(crate) fn set(&mut self, common: Option<SetId>) -> Option<SetId> {
        std::mem::replace(&mut self.common, common)
    }
}
