//! What is held in the state below a [`Draft`], and which devices the draft has
//! written: what was found out of the state holds for all but those.

use super::Draft;
use crate::state::HeldDevice;
use crate::store::DeviceKey;

impl Draft {
    /// Returns which devices of a block are held in the state below.
    pub(crate) fn word_below(&self, block: usize) -> u64 {
        self.base.held_word(block)
    }

    /// Returns what is held of a device in the state below.
    pub(crate) fn device_below(&self, key: DeviceKey) -> Option<&HeldDevice> {
        self.base.device(key)
    }

    /// Returns the number of the last change of shares in a block of the state
    /// below, and which devices were written after the change of a number;
    /// nothing if that is not known.
    pub(crate) fn written_below(&self, block: usize, change: u64) -> (u64, Option<u64>) {
        self.base.written_since(block, change)
    }

    /// Returns the devices of a block of which something else may be held than in
    /// the state below.
    pub(crate) fn drafted(&self, block: usize) -> u64 {
        let flipped = match self.place(block) {
            Ok(place) => self.words[place].held ^ self.base.held_word(block),
            Err(_) => 0,
        };
        if self.details.is_empty() {
            return flipped;
        }
        let mut all = DeviceKey::of_word(block, 1 | 1 << (u64::BITS - 1));
        let (Some(first), Some(last)) = (all.next(), all.next()) else {
            return u64::MAX;
        };
        let detailed = self.details.range(first..=last);
        detailed.fold(flipped, |bits, (key, _)| bits | key.bit())
    }
}
