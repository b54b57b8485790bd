//! [`AllowedSets`]: the `GPU`s are one of some sets.

use std::sync::Arc;

use super::vertices::Vertices;
use crate::bitmap::Bitmap;
use crate::topology::Machine;

/// Keeps the `GPU`s of an answer, which must be one of the sets that a machine allows.
///
/// A device may join while a set has all of them, so that what is refused is part of no
/// answer. In the end they must be a set.
#[derive(Debug)]
pub(crate) struct AllowedSets {
    machine: Arc<Machine>,
    picked: Vertices,
}

impl AllowedSets {
    pub(crate) fn new(machine: Arc<Machine>) -> Self {
        let picked = Vertices::default();
        Self { machine, picked }
    }

    /// Returns whether a device may join.
    pub(crate) fn admits(&self, device: usize) -> bool {
        let Some(vertex) = self.machine.gpu(device) else {
            return true;
        };
        let mut sets = self.machine.allowed_sets().unwrap_or_default().iter();
        let has = |set: &Bitmap, vertex: usize| set.contains(vertex);
        sets.any(|set| has(set, vertex) && self.picked.iter().all(|other| has(set, other)))
    }

    /// Lets a device join.
    pub(crate) fn add(&mut self, device: usize) {
        self.picked.add(self.machine.gpu(device));
    }

    /// Takes the last device back.
    pub(crate) fn undo(&mut self) {
        self.picked.undo();
    }

    /// Returns whether what is picked is one of the sets, or nothing.
    pub(crate) fn is_whole(&self) -> bool {
        let count = self.picked.len();
        let mut sets = self.machine.allowed_sets().unwrap_or_default().iter();
        count == 0
            || sets.any(|set| {
                set.len() == count && self.picked.iter().all(|vertex| set.contains(vertex))
            })
    }
}
