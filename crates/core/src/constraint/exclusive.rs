//! [`Exclusive`]: a device that is not shared is picked once.

use super::{Trail, Undo};
use crate::bitmap::Bitmap;

/// Keeps which devices are picked.
///
/// Shared devices are never in use by a pick. Access for administration keeps
/// nobody away, and is kept away only by its own claim.
#[derive(Debug)]
pub(crate) struct Exclusive {
    picked: Bitmap,
    by_claim: Vec<Bitmap>,
}

impl Exclusive {
    pub(crate) fn new(devices: usize, claims: usize) -> Self {
        Self {
            picked: Bitmap::new(devices),
            by_claim: vec![Bitmap::new(devices); claims],
        }
    }

    /// Returns the devices that a request of a claim cannot have any more.
    pub(crate) fn taken(&self, claim: usize, admin: bool) -> &Bitmap {
        if admin {
            &self.by_claim[claim]
        } else {
            &self.picked
        }
    }

    /// Returns the devices that are picked by requests that take them away from others.
    pub(crate) fn taken_by_any(&self) -> &Bitmap {
        &self.picked
    }

    /// Picks a device that is not shared; returns whether it was free.
    pub(crate) fn add(
        &mut self,
        device: usize,
        claim: usize,
        admin: bool,
        trail: &mut Trail,
    ) -> bool {
        if self.taken(claim, admin).contains(device) {
            return false;
        }
        if !admin {
            self.picked.insert(device);
            trail.push(Undo::Picked(device));
        }
        if !self.by_claim[claim].contains(device) {
            self.by_claim[claim].insert(device);
            trail.push(Undo::PickedForClaim(claim, device));
        }
        true
    }

    pub(crate) fn undo_picked(&mut self, device: usize) {
        self.picked.remove(device);
    }

    pub(crate) fn undo_picked_for_claim(&mut self, claim: usize, device: usize) {
        self.by_claim[claim].remove(device);
    }
}
