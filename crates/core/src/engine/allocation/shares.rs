//! [`Shares`]: what an answer takes of shared devices.

use super::picked::Picked;
use super::share_id::share_id;
use crate::claims::{Alternative, PreparedClaims};
use crate::model::{Quantity, Str};
use crate::state::Draft;
use crate::store::NodeView;

/// Is what is taken of a device that several share.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub(super) id: Str,
    /// By capacity, in their order.
    pub(super) amounts: Vec<Quantity>,
}

/// Collects the shares of an answer.
pub(super) struct Shares<'a> {
    claims: &'a PreparedClaims,
    held: &'a Draft,
    pub(super) list: Vec<(usize, Share)>,
}

impl<'a> Shares<'a> {
    pub(super) fn new(claims: &'a PreparedClaims, held: &'a Draft) -> Self {
        Self {
            claims,
            held,
            list: Vec::new(),
        }
    }

    /// Adds the share of a pick after those before it, with an id that no other share of its device has.
    pub(super) fn add(
        &mut self,
        place: usize,
        picked: &[Picked],
        alternative: &Alternative,
        view: &NodeView,
        amounts: Vec<Quantity>,
    ) {
        let Picked { claim, device, .. } = picked[place];
        let entry = view.entry(device as usize);
        let held = self.held.device(entry.key);
        let is_outstanding = |id: &str| {
            let mut others = self.list.iter();
            held.is_some_and(|held| held.has_share(id))
                || others.any(|(other, share)| picked[*other].device == device && *share.id == *id)
        };
        let owner = &self.claims.owners()[claim as usize];
        let id = share_id(owner, &alternative.name, entry, is_outstanding);
        self.list.push((place, Share { id, amounts }));
    }
}
