//! Relations between the devices of a claim.

use std::collections::BTreeSet;

use dralloc::model::{DeviceAttribute, DeviceConstraint, Str};

use super::failure::Failure;
use super::requests::Alternative;
use super::world::{Offer, Pick, Place, World};

/// Returns whether a device keeps every constraint of its claim, checked in order.
pub(super) fn allow(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    alternative: &Alternative<'_>,
    place: Place,
) -> Result<bool, Failure> {
    for constraint in &world.case.claims[alternative.claim]
        .spec
        .devices
        .constraints
    {
        if !keeps(world, picks, alternative, place, constraint)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn keeps(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    alternative: &Alternative<'_>,
    place: Place,
    constraint: &DeviceConstraint,
) -> Result<bool, Failure> {
    let applies = |alternative: &Alternative<'_>| {
        constraint.requests.is_empty() || alternative.is_named_in(&constraint.requests)
    };
    if !applies(alternative) {
        return Ok(true);
    }
    // A constraint with both names is one for equal values.
    let (name, is_match) = match (&constraint.match_attribute, &constraint.distinct_attribute) {
        (Some(name), _) => (name, true),
        (None, Some(name)) => (name, false),
        (None, None) => return Ok(true),
    };
    let Some(candidate) = lookup(world, alternative, world.offer(place), name)? else {
        return Ok(false);
    };
    let mut earlier = Vec::new();
    for pick in picks {
        if pick.alternative.claim == alternative.claim && applies(pick.alternative) {
            earlier.extend(lookup(
                world,
                pick.alternative,
                world.offer(pick.place),
                name,
            )?);
        }
    }
    Ok(match (world.case.features.list_type_attributes, is_match) {
        (true, true) => sets_meet(&earlier, &candidate),
        (true, false) => sets_are_apart(&earlier, &candidate),
        (false, true) => earlier
            .first()
            .is_none_or(|first| is_same_scalar(first, &candidate)),
        (false, false) => {
            earlier.is_empty()
                || is_scalar(&candidate)
                    && !earlier
                        .iter()
                        .any(|other| is_same_scalar(other, &candidate))
        }
    })
}

/// Finds the value that a request sees of a device: derived for the request,
/// else the device's own by its full name, else by its name without the domain
/// if that is the driver.
fn lookup(
    world: &World<'_>,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
    name: &str,
) -> Result<Option<DeviceAttribute>, Failure> {
    // Of two with one name, the later counts.
    let mut derived = alternative.derived_attributes.iter().rev();
    if let Some(derived) = derived.find(|derived| *derived.name == *name) {
        let driver = &offer.id.driver;
        return world
            .expressions
            .derives(&derived.expression, driver, offer.device)
            .map(Some);
    }
    let attributes = &offer.device.attributes;
    if let Some(attribute) = attributes.get(name) {
        return Ok(Some(attribute.clone()));
    }
    Ok(match name.split_once('/') {
        Some((domain, id)) if *domain == *offer.id.driver => attributes.get(id).cloned(),
        _ => None,
    })
}

fn is_scalar(attribute: &DeviceAttribute) -> bool {
    matches!(
        attribute,
        DeviceAttribute::Int(_)
            | DeviceAttribute::Bool(_)
            | DeviceAttribute::String(_)
            | DeviceAttribute::Version(_)
    )
}

/// Versions compare as text here, not by their meaning.
fn is_same_scalar(first: &DeviceAttribute, second: &DeviceAttribute) -> bool {
    is_scalar(first) && first == second
}

/// Is one value of an attribute, with its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Int(i64),
    Bool(bool),
    String(String),
    Version(String),
}

/// A value alone is a set of one.
pub(super) fn items(attribute: &DeviceAttribute) -> BTreeSet<Item> {
    let text = |value: &Str| value.to_string();
    match attribute {
        DeviceAttribute::Int(value) => BTreeSet::from([Item::Int(*value)]),
        DeviceAttribute::Bool(value) => BTreeSet::from([Item::Bool(*value)]),
        DeviceAttribute::String(value) => BTreeSet::from([Item::String(text(value))]),
        DeviceAttribute::Version(value) => BTreeSet::from([Item::Version(text(value))]),
        DeviceAttribute::Ints(values) => values.iter().copied().map(Item::Int).collect(),
        DeviceAttribute::Bools(values) => values.iter().copied().map(Item::Bool).collect(),
        DeviceAttribute::Strings(values) => values.iter().map(text).map(Item::String).collect(),
        DeviceAttribute::Versions(values) => values.iter().map(text).map(Item::Version).collect(),
        DeviceAttribute::Unknown => BTreeSet::new(),
    }
}

/// All have a value in common.
fn sets_meet(earlier: &[DeviceAttribute], candidate: &DeviceAttribute) -> bool {
    items(candidate)
        .iter()
        .any(|item| earlier.iter().all(|other| items(other).contains(item)))
}

/// The candidate has values, and none of those of the others.
fn sets_are_apart(earlier: &[DeviceAttribute], candidate: &DeviceAttribute) -> bool {
    let own = items(candidate);
    !own.is_empty() && earlier.iter().all(|other| items(other).is_disjoint(&own))
}
