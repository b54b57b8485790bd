//! What picks leave to constraints, and so to the requests under them.

use super::Shortcut;
use super::hall::Need;
use super::needs::Needs;
use super::set::Set;
use super::values::{Bits, for_each_bit, for_each_value};

/// Drops values that cannot be those of all devices of a constraint in the end,
/// and with them the devices that have no other; returns whether all
/// constraints are left some value.
///
/// A value stays if each request that is sure to be under the constraint, and
/// all of them together, find enough devices with it. What is dropped never
/// comes back while picks only are added, so no solution is lost. A constraint
/// that may be for one device only says nothing: that one need not have a value.
///
/// `changed` are constraints whose values or requests changed, and `lost` the
/// devices that were taken away from all.
pub(super) fn settle(shortcut: &Shortcut, needs: &mut Needs, changed: u64, lost: &Set) -> bool {
    let mut changed = changed;
    for constraint in 0..shortcut.attributes.len() {
        if needs.members[constraint] == 0 {
            continue;
        }
        let is_changed = changed >> constraint & 1 == 1;
        let values = needs.common[constraint];
        let at_stake = if is_changed {
            values
        } else {
            values & shortcut.shown_to(constraint).shown_by(lost)
        };
        if at_stake != 0 || is_changed {
            changed &= !(1 << constraint);
            match narrow(shortcut, needs, constraint, at_stake) {
                Some(others) => changed |= others,
                None => return false,
            }
        }
    }
    // Each round drops a value or a device, or is the last.
    while changed != 0 {
        let constraint = changed.trailing_zeros() as usize;
        changed &= changed - 1;
        match narrow(shortcut, needs, constraint, needs.common[constraint]) {
            Some(others) => changed |= others,
            None => return false,
        }
    }
    true
}

/// Drops values of a constraint, of some that are at stake; returns the other
/// constraints that this bears on, or nothing if no value is left.
fn narrow(
    shortcut: &Shortcut,
    needs: &mut Needs,
    constraint: usize,
    at_stake: Bits,
) -> Option<u64> {
    let mut wanted = 0;
    let members = needs.members[constraint];
    for_each_bit(members, |request| wanted += needs.of[request].count);
    let has_begun = needs.started >> constraint & 1 == 1;
    if wanted == 0 || (wanted == 1 && !has_begun) {
        return Some(0);
    }
    let shown = shortcut.shown_to(constraint);
    let before = needs.common[constraint];
    let mut values = before;
    for_each_value(at_stake, |value| {
        if !serves(&shown.devices[value], needs, members, wanted) {
            values &= !(1 << value);
        }
    });
    if values == 0 {
        return None;
    }
    if values != before {
        needs.set_common(constraint, values);
    }
    let with = shown.with(values);
    let mut others = 0;
    for_each_bit(members, |request| {
        let need = needs.of[request];
        let mut devices = need.devices;
        devices.intersect(&with);
        if need.count > 0 && devices != need.devices {
            needs.set_need(request, Need { devices, ..need });
            for (other, members) in needs.members.iter().enumerate() {
                if other != constraint && members >> request & 1 == 1 {
                    others |= 1 << other;
                }
            }
        }
    });
    Some(others)
}

/// Returns whether requests find enough devices that have a value.
fn serves(having: &Set, needs: &Needs, members: u64, wanted: usize) -> bool {
    let mut all = Set::default();
    let mut rest = members;
    while rest != 0 {
        let need = &needs.of[rest.trailing_zeros() as usize];
        rest &= rest - 1;
        if need.count > 0 {
            let mut devices = need.devices;
            devices.intersect(having);
            devices.subtract(&needs.gone);
            if !devices.has(need.count) {
                return false;
            }
            all.unite(&devices);
        }
    }
    all.has(wanted)
}
