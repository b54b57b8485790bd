//! [`Tally`]: how many devices are in which state.

use dralloc::DeviceState;
use serde::Serialize;

use super::usage::Usage;

/// Counts devices by what can be had of them.
///
/// INVARIANT: the states add up to the devices.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Tally {
    pub(super) devices: usize,
    pub(super) free: usize,
    pub(super) held: usize,
    pub(super) shared: usize,
    pub(super) blocked: usize,
    pub(super) tainted: usize,
    pub(super) unusable: usize,
    /// Cards and shared devices of which something is left that nobody can use.
    pub(super) stranded: usize,
    #[serde(rename = "usedPercent")]
    pub(super) usage: Usage,
}

impl Tally {
    pub(super) fn count(&mut self, state: DeviceState) {
        self.devices += 1;
        let of_state = match state {
            DeviceState::Free => &mut self.free,
            DeviceState::Held => &mut self.held,
            DeviceState::Shared => &mut self.shared,
            DeviceState::Blocked => &mut self.blocked,
            DeviceState::Tainted => &mut self.tainted,
            DeviceState::Unusable => &mut self.unusable,
        };
        *of_state += 1;
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.devices += other.devices;
        self.free += other.free;
        self.held += other.held;
        self.shared += other.shared;
        self.blocked += other.blocked;
        self.tainted += other.tainted;
        self.unusable += other.unusable;
        self.stranded += other.stranded;
        self.usage += other.usage;
    }
}
