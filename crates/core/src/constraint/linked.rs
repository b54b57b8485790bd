//! [`Linked`]: each two devices have a link.

use std::sync::Arc;

use crate::topology::{AffinityScope, Machine};

/// Keeps the devices of which each two are to have a link that is no `PCIe`.
///
/// What a device refuses it refuses whatever comes after: links do not depend on
/// what else is picked.
#[derive(Debug)]
pub(crate) struct Linked {
    machine: Arc<Machine>,
    picked: Vec<usize>,
}

impl Linked {
    pub(crate) fn new(machine: Arc<Machine>) -> Self {
        Self {
            machine,
            picked: Vec::new(),
        }
    }

    /// Returns whether a device may join.
    pub(crate) fn admits(&self, device: usize) -> bool {
        let mut picked = self.picked.iter();
        picked.all(|other| self.machine.share(AffinityScope::NvLink, *other, device))
    }

    /// Lets a device join.
    pub(crate) fn add(&mut self, device: usize) {
        self.picked.push(device);
    }

    /// Takes the last device back.
    pub(crate) fn undo(&mut self) {
        self.picked.pop();
    }
}
