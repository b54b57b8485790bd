//! [`Shares`]: what an answer takes of shared devices.

use std::collections::BTreeMap;

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
    pub(super) list: BTreeMap<usize, Share>,
}

impl<'a> Shares<'a> {
    pub(super) fn new(claims: &'a PreparedClaims, held: &'a Draft) -> Self {
        Self {
            claims,
            held,
            list: BTreeMap::new(),
        }
    }

    /// Adds the share of a pick, with an id that no other share of its device has.
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
        let request = alternative.name.to_string();
        let id = share_id(owner, &request, &entry.id(), is_outstanding);
        self.list.insert(place, Share { id, amounts });
    }
}
