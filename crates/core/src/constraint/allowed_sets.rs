//! [`AllowedSets`]: devices are one of some sets.

use std::sync::Arc;

use super::vertices::Vertices;
use crate::topology::Limits;

/// Keeps the devices of which there must be one of some sets, such as the `GPU`s of an
/// answer, of which a machine allows some sets only.
///
/// A device may join while a set has all of them, so that what is refused is part of no
/// answer. In the end they must be a set.
#[derive(Debug)]
pub(crate) struct AllowedSets {
    limits: Arc<Limits>,
    picked: Vertices,
}

impl AllowedSets {
    pub(crate) fn new(limits: Arc<Limits>) -> Self {
        let picked = Vertices::default();
        Self { limits, picked }
    }

    /// Returns whether a device may join.
    pub(crate) fn admits(&self, device: usize) -> bool {
        let new = self.limits.thing(device);
        new.is_none() || self.limits.has_all(&self.picked.iter().chain(new))
    }

    /// Lets a device join.
    pub(crate) fn add(&mut self, device: usize) {
        self.picked.add(self.limits.thing(device));
    }

    /// Takes the last device back.
    pub(crate) fn undo(&mut self) {
        self.picked.undo();
    }

    /// Returns whether what is picked is one of the sets, or nothing.
    pub(crate) fn is_whole(&self) -> bool {
        self.limits.is_one(&self.picked.iter())
    }
}
