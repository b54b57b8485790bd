//! Whether capacities are written alike: what is taken of them is then, too.
//!
//! Equal quantities may be written differently, and an answer repeats how the
//! amounts were written that it gives.

use crate::model::{
    CapacityRequestPolicy, CapacityRequestPolicyRange, CapacityRequirements, DeviceCapacity, Map,
    QualifiedName, Quantity,
};

type Capacities = Map<QualifiedName, DeviceCapacity>;

/// Returns whether two devices have capacities that are written alike.
pub(crate) fn are_capacities_alike(one: &Capacities, other: &Capacities) -> bool {
    one.is_same(other)
        || are_maps_alike(one, other, |one, other| {
            one.value.is_written_like(&other.value)
                && match (&one.request_policy, &other.request_policy) {
                    (None, None) => true,
                    (Some(one), Some(other)) => are_policies_alike(one, other),
                    _ => false,
                }
        })
}

/// Returns whether two requests ask for amounts that are written alike.
pub(crate) fn are_requirements_alike(
    one: Option<&CapacityRequirements>,
    other: Option<&CapacityRequirements>,
) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => {
            are_maps_alike(&one.requests, &other.requests, Quantity::is_written_like)
        }
        _ => false,
    }
}

fn are_maps_alike<V>(
    one: &Map<QualifiedName, V>,
    other: &Map<QualifiedName, V>,
    are_alike: impl Fn(&V, &V) -> bool,
) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len()
        && pairs
            .all(|((name, one), (other_name, other))| name == other_name && are_alike(one, other))
}

fn are_policies_alike(one: &CapacityRequestPolicy, other: &CapacityRequestPolicy) -> bool {
    are_options_alike(one.default.as_ref(), other.default.as_ref())
        && match (&one.valid_range, &other.valid_range) {
            (None, None) => true,
            (Some(one), Some(other)) => are_ranges_alike(one, other),
            _ => false,
        }
        && match (&one.valid_values, &other.valid_values) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.all(|(one, other)| one.is_written_like(other))
            }
            _ => false,
        }
}

fn are_ranges_alike(one: &CapacityRequestPolicyRange, other: &CapacityRequestPolicyRange) -> bool {
    are_options_alike(one.min.as_ref(), other.min.as_ref())
        && are_options_alike(one.max.as_ref(), other.max.as_ref())
        && are_options_alike(one.step.as_ref(), other.step.as_ref())
}

fn are_options_alike(one: Option<&Quantity>, other: Option<&Quantity>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => one.is_written_like(other),
        _ => false,
    }
}
