//! [`Weight`]: how much somebody holds, to name those first who would give back least.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use dralloc_quantity::Amount;

use crate::engine::Transaction;
use crate::model::Str;
use crate::state::HeldAs;
use crate::store::{DeviceKey, NodeView};

/// Is what an owner would give back: fewer devices weigh less, then smaller amounts, then
/// the name decides.
#[derive(Debug, PartialEq, Eq)]
struct Weight {
    devices: usize,
    /// What is taken of counters and of devices that are shared, by name; what is not there
    /// is nothing.
    amounts: BTreeMap<Str, Amount>,
    name: Str,
}

impl Ord for Weight {
    fn cmp(&self, other: &Self) -> Ordering {
        let amounts = || {
            let names = self.amounts.keys().chain(other.amounts.keys());
            let mut names: Vec<&Str> = names.collect();
            names.sort_unstable();
            let of = |weight: &Self, name: &Str| weight.amounts.get(name).cloned();
            let mut compared = names.into_iter().map(|name| {
                let (own, others) = (of(self, name), of(other, name));
                let (own, others) = (own.unwrap_or_default(), others.unwrap_or_default());
                own.cmp(&others)
            });
            let unequal = compared.find(|order| order.is_ne());
            unequal.unwrap_or(Ordering::Equal)
        };
        let devices = self.devices.cmp(&other.devices);
        devices
            .then_with(amounts)
            .then_with(|| self.name.cmp(&other.name))
    }
}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Sorts owners, those first who hold least.
pub(super) fn sort(owners: &mut [Str], transaction: &Transaction, view: &NodeView) {
    if owners.len() < 2 {
        return;
    }
    let places = view.devices.iter().enumerate();
    let places: BTreeMap<DeviceKey, usize> =
        places.map(|(place, entry)| (entry.key, place)).collect();
    owners.sort_by_cached_key(|owner| weight(owner, transaction, view, &places));
}

fn weight(
    owner: &Str,
    transaction: &Transaction,
    view: &NodeView,
    places: &BTreeMap<DeviceKey, usize>,
) -> Weight {
    let mut amounts: BTreeMap<Str, Amount> = BTreeMap::new();
    let mut add = |name: &Str, amount: &Amount| {
        *amounts.entry(name.clone()).or_default() += amount;
    };
    let holding = transaction.draft.holding(owner);
    let records = holding.map_or(&[][..], |holding| &holding.records);
    for record in records {
        match &record.held_as {
            HeldAs::Share { consumed, .. } => {
                let consumed = consumed.iter().flat_map(|consumed| consumed.iter());
                consumed.for_each(|(name, amount)| add(name, amount));
            }
            HeldAs::Whole => {
                let place = places.get(&record.device);
                let device = place.map(|place| view.devices[*place].device());
                let counters = device.iter().flat_map(|device| &*device.consumes_counters);
                let counters = counters.flat_map(|of_set| of_set.counters.iter());
                counters.for_each(|(name, counter)| add(name, counter.value.amount()));
            }
        }
    }
    if let Some(used) = transaction.draft.amounts().of(owner) {
        let amounts = used.amounts.iter();
        amounts.for_each(|(name, amount)| add(name, amount.amount()));
    }
    let known = transaction.snapshot.owners.get(owner);
    Weight {
        devices: records.len(),
        amounts,
        name: known.cloned().flatten().unwrap_or_else(|| owner.clone()),
    }
}
