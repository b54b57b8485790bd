//! [`Shares`]: what an answer takes of shared devices.

use std::sync::Arc;

use super::picked::Picked;
use crate::claims::{Alternative, PreparedClaims};
use crate::model::Quantity;
use crate::state::{Draft, HeldDevice, ShareId};
use crate::store::NodeView;

/// Is what is taken of a device that several share.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub(super) id: ShareId,
    /// By capacity, in their order.
    pub(super) amounts: Arc<[Quantity]>,
}

/// Collects the shares of an answer.
pub(super) struct Shares<'a> {
    claims: &'a PreparedClaims,
    held: &'a Draft,
    list: Vec<(usize, Share)>,
}

impl<'a> Shares<'a> {
    pub(super) fn new(claims: &'a PreparedClaims, held: &'a Draft) -> Self {
        Self {
            claims,
            held,
            list: Vec::new(),
        }
    }

    /// Returns the shares, if there are any.
    pub(super) fn done(self) -> Option<Arc<[(usize, Share)]>> {
        (!self.list.is_empty()).then(|| self.list.into())
    }

    /// Adds the share of a pick after those before it, with an id that no other share of its device has.
    pub(super) fn add(
        &mut self,
        place: usize,
        picked: &[Picked],
        alternative: &Alternative,
        view: &NodeView,
        amounts: Arc<[Quantity]>,
    ) {
        let Picked { claim, device, .. } = picked[place];
        let entry = view.entry(device as usize);
        let held = self.held.device(entry.key);
        let owner = &self.claims.owners()[claim as usize];
        let id = ShareId::new(owner, &alternative.name, entry.id(), |id| {
            let held = held.into_iter().flat_map(HeldDevice::share_ids);
            let others = self.list.iter();
            let others = others.filter(|(other, _)| picked[*other].device == device);
            held.chain(others.map(|(_, share)| &share.id))
                .any(|other| other.is(id))
        });
        self.list.push((place, Share { id, amounts }));
    }
}
