//! What a search looks at: the case, the pools seen from the node, the picks.

use std::collections::BTreeMap;

use dralloc::model::{CounterSet, Device, DeviceId, QualifiedName, ResourceSlice, Str};
use dralloc_quantity::Amount;

use super::expressions::Expressions;
use super::requests::Alternative;
use crate::case::Case;

/// Is all that stays the same during a search.
pub(super) struct World<'a> {
    pub(super) case: &'a Case,
    pub(super) pools: Vec<Pool<'a>>,
    pub(super) expressions: &'a dyn Expressions,
    /// Each two names of one device.
    pub(super) twins: Vec<(DeviceId, DeviceId)>,
}

impl<'a> World<'a> {
    /// Returns what is offered at a place.
    pub(super) fn offer(&self, place: Place) -> &Offer<'a> {
        &self.pools[place.pool].offers[place.offer]
    }

    /// Returns the places of all devices that can be given, in canonical order.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (pool, content) in self.pools.iter().enumerate() {
            for offer in 0..content.offers.len() {
                places.push(Place { pool, offer });
            }
        }
        places
    }

    /// Returns whether several claims may share a device.
    pub(super) fn is_shareable(&self, device: &Device) -> bool {
        self.case.features.consumable_capacity && device.allow_multiple_allocations == Some(true)
    }

    /// Returns whether a device is held whole; one with a negative amount on
    /// record is, since that amount would make room that is not there.
    pub(super) fn is_held_whole(&self, id: &DeviceId) -> bool {
        let allocated = &self.case.allocated;
        let mut records = allocated.consumed_capacity.iter();
        allocated.devices.contains(id)
            || records.any(|record| {
                record.device == *id
                    && record
                        .capacity
                        .values()
                        .any(|amount| amount.amount().is_negative())
            })
    }

    /// Returns whether there is a record of shares of a device.
    pub(super) fn has_held_shares(&self, id: &DeviceId) -> bool {
        let allocated = &self.case.allocated;
        allocated
            .shared_device_ids
            .iter()
            .any(|share| share.device == *id)
            || allocated
                .consumed_capacity
                .iter()
                .any(|consumed| consumed.device == *id)
    }
}

/// Is a pool as it looks from the node.
#[derive(Debug)]
pub(super) struct Pool<'a> {
    pub(super) driver: Str,
    pub(super) name: Str,
    pub(super) condition: Condition,
    /// Devices for the node, in canonical order; none unless usable.
    pub(super) offers: Vec<Offer<'a>>,
    /// Devices of the pool in slices for other nodes.
    pub(super) elsewhere: Vec<Offer<'a>>,
    pub(super) counter_sets: Vec<&'a CounterSet>,
}

impl<'a> Pool<'a> {
    /// Returns all devices of the pool, wherever they are.
    pub(super) fn devices(&self) -> impl Iterator<Item = &Offer<'a>> {
        self.offers.iter().chain(&self.elsewhere)
    }
}

/// Says whether devices of a pool can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Usable,
    Incomplete,
    Invalid,
}

/// Is a device and where it was published.
#[derive(Clone, Debug)]
pub(super) struct Offer<'a> {
    pub(super) id: DeviceId,
    pub(super) slice: &'a ResourceSlice,
    pub(super) device: &'a Device,
}

/// Says where an offer is; the order is the canonical one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) pool: usize,
    pub(super) offer: usize,
}

/// Is a device chosen for a request.
#[derive(Clone)]
pub(super) struct Pick<'a, 'w> {
    pub(super) alternative: &'w Alternative<'a>,
    pub(super) place: Place,
    /// Whether it is a share of a device, not the whole.
    pub(super) is_share: bool,
    /// What it takes of each capacity; empty unless it is a share.
    pub(super) amounts: BTreeMap<QualifiedName, Amount>,
}
