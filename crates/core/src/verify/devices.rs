//! What each device must be by itself, whatever else is given.

use super::pools::{Condition, Offer, Pool};
use super::requests::Alternative;
use super::selectors::Expressions;
use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::model::{DeviceRequestAllocationResult, Quantity};
use crate::rules::{self, NodeSelection};

/// Is why a device cannot be had.
pub(super) type Refusal = (ViolationCode, String);

/// Returns the device that a result names.
pub(super) fn find<'w, 'a>(
    world: &'w World<'a>,
    result: &DeviceRequestAllocationResult,
) -> Result<&'w Offer<'a>, Refusal> {
    let pool = world
        .pools
        .iter()
        .find(|pool| pool.is_named(&result.driver, &result.pool));
    let device = |pool: &'w Pool<'a>| {
        let mut devices = pool.devices.iter();
        devices.find(|offer| offer.device.name == result.device)
    };
    let Some((pool, offer)) = pool.and_then(|pool| Some((pool, device(pool)?))) else {
        let message = format!(
            "node `{}` sees no device `{}/{}/{}`, expected one that it sees",
            world.node.metadata.name, result.driver, result.pool, result.device
        );
        return Err((ViolationCode::UnknownDevice, message));
    };
    let state = match &pool.condition {
        Condition::Complete => return Ok(offer),
        Condition::Incomplete => "is incomplete".to_owned(),
        Condition::Replaced => "is being replaced by a newer generation".to_owned(),
        Condition::Invalid(reason) => format!("is invalid: {reason}"),
    };
    let message = format!(
        "pool `{}/{}` {state}, expected a complete one",
        result.driver, result.pool
    );
    Err((ViolationCode::Pool, message))
}

/// Returns what a request takes of each capacity of a device, in their order,
/// if the device is one that the request asks for.
///
/// What is held and what else is given plays no part: these are the devices
/// that a request for all of them means.
pub(super) fn qualify(
    world: &World<'_>,
    expressions: &mut Expressions,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
) -> Result<Vec<Quantity>, Refusal> {
    judge(world, expressions, alternative, offer).map_err(|(_, refusal)| refusal)
}

/// Does the same, and says whether it is an evaluation that fails.
///
/// A request for all devices means those as well, in vain.
pub(super) fn judge(
    world: &World<'_>,
    expressions: &mut Expressions,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
) -> Result<Vec<Quantity>, (bool, Refusal)> {
    let device = offer.device;
    let no = |code, message| Err((false, (code, message)));
    let fails = |code, message| Err((true, (code, message)));
    let features = world.features;
    if rules::lacks_binding_conditions(device, features) {
        let message = "has binding conditions, expected the gate DRADeviceBindingConditions on";
        return no(ViolationCode::DeviceFeature, message.into());
    }
    for source in &alternative.selectors {
        match expressions.matches(source, offer) {
            Ok(true) => {}
            Ok(false) => {
                let message = format!("selector `{source}` is false, expected true");
                return no(ViolationCode::Selector, message);
            }
            Err(reason) => {
                let message = format!("selector `{source}` fails: {reason}");
                return fails(ViolationCode::Selector, message);
            }
        }
    }
    if offer.spec.per_device_node_selection == Some(true) {
        let name = &world.node.metadata.name;
        match NodeSelection::of_device(device).on_node(world.node) {
            Ok(true) => {}
            Ok(false) => {
                let message = format!("not for node `{name}`, expected a device that is");
                return no(ViolationCode::NodeSelection, message);
            }
            Err(error) => return fails(ViolationCode::NodeSelection, error.to_string()),
        }
    }
    if !features.consumable_capacity {
        return Ok(Vec::new());
    }
    let fractional = features.fractional_capacity_range;
    let amounts = match rules::amounts(device, alternative.capacity, fractional) {
        Ok(Some(amounts)) => amounts,
        Ok(None) => {
            let message = "lacks a capacity that is asked for, expected a device with all of them";
            return no(ViolationCode::Capacity, message.into());
        }
        Err(error) => return fails(ViolationCode::Capacity, error.to_string()),
    };
    for ((name, capacity), amount) in device.capacity.iter().zip(&amounts) {
        if !rules::allowed(amount, capacity.request_policy.as_deref(), fractional) {
            let message = format!("capacity `{name}` does not allow {amount}");
            return no(ViolationCode::Capacity, message);
        }
        if *amount > capacity.value {
            let message = format!(
                "{amount} of capacity `{name}`, expected at most {}",
                capacity.value
            );
            return no(ViolationCode::Capacity, message);
        }
    }
    Ok(amounts)
}

/// Checks what holds for a device that is given, but is not part of what a
/// request for all devices means: such a request fails over it.
pub(super) fn check(world: &World<'_>, pick: &Pick<'_, '_>, report: &mut Report) {
    let path = format!("{}.device", pick.path);
    for (code, message) in refusals(world, pick.alternative, pick.offer) {
        report.add(code, &*path, message);
    }
}

/// Returns why a device that a request asks for cannot be had, as far as the
/// device itself and what is held of it decide.
pub(super) fn refusals(
    world: &World<'_>,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let device = offer.device;
    let held = world.held.device(offer.key);
    if !alternative.admin_access
        && held.is_some_and(|held| held.is_whole() || !world.is_shared(device))
    {
        let message = format!("`{}` is held already, expected a free device", offer.id());
        refusals.push((ViolationCode::InUse, message));
    }
    if rules::lacks_node_operations(offer.spec, world.node, world.features) {
        let message = "needs operations to be skipped, expected the gate DRAOptionalNodeOperations \
             on, and declared by the node";
        refusals.push((ViolationCode::DeviceFeature, message.into()));
    }
    if rules::lacks_counters(device, world.features) {
        let message = "uses counters, expected the gate DRAPartitionableDevices on";
        refusals.push((ViolationCode::DeviceFeature, message.into()));
    }
    if world.features.device_taints {
        let (driver, pool) = (&offer.spec.driver, &offer.spec.pool.name);
        let rules = world.inventory.taint_rules().iter();
        let rules = rules.filter(|rule| rule.selects(driver, pool, &device.name));
        let taints = device
            .taints
            .iter()
            .chain(rules.map(|rule| &rule.spec.taint));
        if let Some(taint) = rules::blocking_taint(taints, alternative.tolerations) {
            let message = format!(
                "has the taint `{}={}:{}`, expected a request that tolerates it",
                taint.key, taint.value, taint.effect
            );
            refusals.push((ViolationCode::Taint, message));
        }
    }
    refusals
}

/// Checks that no device is given twice.
///
/// A shared one is given once per request. Others are given once in all, but
/// for access for administration: that leaves a device free for others, and
/// is refused only what its claim has already.
pub(super) fn check_repetition(world: &World<'_>, picks: &[Pick<'_, '_>], report: &mut Report) {
    for (index, pick) in picks.iter().enumerate() {
        let is_shared = world.is_shared(pick.offer.device);
        let is_repeated = |other: &&Pick<'_, '_>| {
            let same_claim = other.claim == pick.claim;
            if other.offer.key != pick.offer.key {
                false
            } else if same_claim && other.request == pick.request {
                true
            } else if is_shared {
                false
            } else if pick.alternative.admin_access {
                same_claim
            } else {
                !other.alternative.admin_access
            }
        };
        if let Some(other) = picks[..index].iter().find(is_repeated) {
            let message = format!(
                "`{}` is in {} already, expected another device",
                pick.offer.id(),
                other.path
            );
            report.add(
                ViolationCode::RepeatedDevice,
                format!("{}.device", pick.path),
                message,
            );
        }
    }
}
