//! Whether something is given or held twice under different names.

use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::rules::Physical;
use crate::store::{DeviceKey, PoolKey, StoredSlice};

/// Checks that no device is given that is physically one that is held or given
/// under a name in another pool. Access for administration holds nothing.
pub(super) fn check(world: &World<'_>, picks: &[Pick<'_, '_>], report: &mut Report) {
    let held = |(pool, key): (PoolKey, DeviceKey)| {
        let device = world.held.device(key)?;
        let is_held = device.is_whole() || device.is_shared();
        let name = || match world.inventory.of_pool(pool).first() {
            Some(stored) => format!(
                "one of `{}/{}`",
                stored.slice.spec.driver, stored.slice.spec.pool.name
            ),
            None => "one of another pool".to_owned(),
        };
        is_held.then(|| format!("{} that is held", name()))
    };
    for (index, pick) in picks.iter().enumerate() {
        if pick.alternative.admin_access {
            continue;
        }
        let given = |(_, key): (PoolKey, DeviceKey)| {
            let mut before = picks[..index].iter();
            let other =
                before.find(|other| other.offer.key == key && !other.alternative.admin_access)?;
            Some(format!("`{}` in {}", other.offer.id(), other.path))
        };
        let others = others(world, pick);
        let found = others
            .iter()
            .find_map(|other| held(*other).or_else(|| given(*other)));
        if let Some(found) = found {
            let message = format!(
                "`{}` is physically {found}, expected another device",
                pick.offer.id()
            );
            let path = format!("{}.device", pick.path);
            report.add(ViolationCode::PhysicalDevice, path, message);
        }
    }
}

/// Returns all names of other pools for what is given, from all that is published.
fn others(world: &World<'_>, pick: &Pick<'_, '_>) -> Vec<(PoolKey, DeviceKey)> {
    let mut others = Vec::new();
    let offer = pick.offer;
    let own = Physical::of(offer.spec, offer.device);
    let pool = world.pools[offer.pool].key;
    let mut look = |stored: &StoredSlice| {
        let devices = stored.devices.iter().zip(&stored.slice.spec.devices);
        for (key, device) in devices {
            if own.is_same(&Physical::of(&stored.slice.spec, device)) {
                others.push((stored.pool, *key));
            }
        }
    };
    if own.bus_id.is_some() || own.uuid.is_some() {
        match own.node {
            // What names another node is another device.
            Some(node) => world
                .inventory
                .candidates(node)
                .for_each(|stored| look(stored)),
            None => world.inventory.all_slices().for_each(|stored| look(stored)),
        }
    }
    for (pool, key, physical) in world.inventory.departed().iter() {
        if own.is_same(&physical) {
            others.push((pool, key));
        }
    }
    for group in world.inventory.declared_twins().groups() {
        if group.contains(&(pool, offer.key)) {
            others.extend(group);
        }
    }
    others.retain(|(other, _)| *other != pool);
    others
}
