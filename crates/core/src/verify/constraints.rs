//! The devices of a claim match or differ as its constraints demand.

use std::collections::BTreeSet;

use super::pools::Offer;
use super::requests::Alternative;
use super::selectors::Expressions;
use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::model::DeviceConstraint;
use crate::rules::{self, AttributeSet, AttributeValue};

/// Checks the constraints of one claim.
pub(super) fn check(
    world: &World<'_>,
    expressions: &mut Expressions,
    constraints: &[DeviceConstraint],
    picks: &[&Pick<'_, '_>],
    report: &mut Report,
) {
    for constraint in constraints {
        let (code, name) = match (&constraint.match_attribute, &constraint.distinct_attribute) {
            (Some(name), _) => (ViolationCode::MatchAttribute, name),
            (None, Some(name)) => (ViolationCode::DistinctAttribute, name),
            (None, None) => continue,
        };
        let mut joined: Vec<BTreeSet<AttributeValue>> = Vec::new();
        let of_constraint =
            |pick: &&&Pick<'_, '_>| pick.alternative.name.is_among(&constraint.requests);
        for pick in picks.iter().filter(of_constraint) {
            let path = format!("{}.device", pick.path);
            let values = match values(world, expressions, (pick.alternative, pick.offer), name) {
                Ok(values) => values,
                Err(reason) => {
                    report.add(code, path, format!("attribute `{name}`: {reason}"));
                    continue;
                }
            };
            let message = match code {
                ViolationCode::MatchAttribute if !is_common(&joined, &values) => {
                    format!("no value of `{name}` in common with the others, expected one")
                }
                ViolationCode::DistinctAttribute if !is_distinct(&joined, &values) => {
                    format!("a value of `{name}` in common with another, expected none")
                }
                _ => {
                    joined.push(values);
                    continue;
                }
            };
            report.add(code, path, message);
        }
    }
}

/// Returns the values of an attribute; none if they cannot be compared.
pub(super) fn values(
    world: &World<'_>,
    expressions: &mut Expressions,
    (alternative, offer): (&Alternative<'_>, &Offer<'_>),
    name: &str,
) -> Result<BTreeSet<AttributeValue>, String> {
    let lists = world.features.list_type_attributes;
    // Of two with one name the last counts, as in a map.
    let mut derived = alternative.derived_attributes.iter();
    let set = match derived.rfind(|attribute| *attribute.name == *name) {
        Some(attribute) => {
            AttributeSet::of(&expressions.derive(&attribute.expression, offer)?, lists)
        }
        None => rules::lookup(offer.device, &offer.spec.driver, name)
            .and_then(|attribute| AttributeSet::of(attribute, lists)),
    };
    match set {
        Some(AttributeSet::Values(values)) => Ok(values.into_iter().collect()),
        Some(AttributeSet::Incomparable) => Ok(BTreeSet::new()),
        None => Err("the device has no value, expected one".into()),
    }
}

/// Returns whether all have a value in common; a device alone always does.
fn is_common(joined: &[BTreeSet<AttributeValue>], values: &BTreeSet<AttributeValue>) -> bool {
    joined.is_empty()
        || values
            .iter()
            .any(|value| joined.iter().all(|others| others.contains(value)))
}

/// Returns whether nobody has any of the values. What cannot be compared is
/// distinct only where nothing came before, as in Kubernetes.
fn is_distinct(joined: &[BTreeSet<AttributeValue>], values: &BTreeSet<AttributeValue>) -> bool {
    if values.is_empty() {
        return joined.is_empty();
    }
    joined.iter().all(|others| others.is_disjoint(values))
}
