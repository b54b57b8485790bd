//! Shares: their ids, what they take, and that it is there.

use std::collections::BTreeSet;

use dralloc_quantity::Amount;

use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::model::{Map, QualifiedName, Quantity};

/// Checks the share id and the consumed capacity of every result, and that
/// the shares of each device fit in it together.
pub(super) fn check(world: &World<'_>, picks: &[Pick<'_, '_>], report: &mut Report) {
    let mut ids = BTreeSet::new();
    let mut summed = BTreeSet::new();
    for pick in picks {
        check_share_id(world, pick, &mut ids, report);
        check_consumed(world, pick, report);
        if !pick.alternative.admin_access
            && world.is_shared(pick.offer.device)
            && summed.insert(pick.offer.key)
        {
            check_sums(world, pick, picks, report);
        }
    }
}

fn check_share_id<'p>(
    world: &World<'_>,
    pick: &Pick<'p, '_>,
    ids: &mut BTreeSet<(crate::store::DeviceKey, &'p str)>,
    report: &mut Report,
) {
    let path = format!("{}.shareID", pick.path);
    match (&pick.result.share_id, world.is_shared(pick.offer.device)) {
        (None, true) => {
            let message = "no share id, expected one for a shared device";
            report.add(ViolationCode::ShareIdMissing, path, message);
        }
        (Some(id), false) => {
            let message = format!("`{id}`, expected none for a device that is not shared");
            report.add(ViolationCode::ShareIdUnexpected, path, message);
        }
        (Some(id), true) => {
            let held = world.held.device(pick.offer.key);
            let is_held = held.is_some_and(|held| held.share_ids().any(|share| share.text() == id));
            if is_held || !ids.insert((pick.offer.key, id)) {
                let message = format!("`{id}` is another share already, expected a new id");
                report.add(ViolationCode::ShareIdRepeated, path, message);
            }
        }
        (None, false) => {}
    }
}

/// An absent map is the same as an empty one.
fn check_consumed(world: &World<'_>, pick: &Pick<'_, '_>, report: &mut Report) {
    let device = pick.offer.device;
    let mut expected: Map<QualifiedName, Quantity> = Map::new();
    if world.is_shared(device) {
        let names = device.capacity.keys().cloned();
        expected = names.zip(pick.amounts.iter().cloned()).collect();
    }
    let nothing = Map::new();
    let found = pick.result.consumed_capacity.as_ref().unwrap_or(&nothing);
    for name in expected.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
        let (expected, found) = (expected.get(name), found.get(name));
        if expected != found {
            let text = |amount: Option<&Quantity>| {
                amount.map_or_else(|| "none".to_owned(), ToString::to_string)
            };
            let message = format!("{}, expected {}", text(found), text(expected));
            let path = format!("{}.consumedCapacity[{name}]", pick.path);
            report.add(ViolationCode::ConsumedCapacity, path, message);
        }
    }
}

fn check_sums(world: &World<'_>, pick: &Pick<'_, '_>, picks: &[Pick<'_, '_>], report: &mut Report) {
    let held = world.held.device(pick.offer.key);
    let sharers = picks
        .iter()
        .filter(|other| other.offer.key == pick.offer.key && !other.alternative.admin_access);
    for (place, (name, capacity)) in pick.offer.device.capacity.iter().enumerate() {
        let mut sum: Amount = sharers
            .clone()
            .filter_map(|other| other.amounts.get(place))
            .map(Quantity::amount)
            .sum();
        if let Some(consumed) = held.and_then(|held| held.consumed(name)) {
            sum += consumed;
        }
        if sum > *capacity.value.amount() {
            let message = format!(
                "{} of capacity `{name}` with all shares, expected at most {}",
                Quantity::from(sum),
                capacity.value
            );
            report.add(
                ViolationCode::CapacityExceeded,
                format!("{}.device", pick.path),
                message,
            );
        }
    }
}
