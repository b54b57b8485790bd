//! Divisible amounts of a device, and what a request may take of them.

use dralloc_quantity::Quantity;
use serde::{Deserialize, Serialize};

use super::{Map, QualifiedName};

/// Is an amount that a device has (`resource/v1 DeviceCapacity`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceCapacity {
    /// How much there is; an absent value is zero.
    #[serde(default)]
    pub value: Quantity,
    /// What a share of it may be; without one, any amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_policy: Option<Box<CapacityRequestPolicy>>,
}

/// Says what a share of a capacity may be (`resource/v1 CapacityRequestPolicy`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CapacityRequestPolicy {
    /// Amount taken by a request that names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Quantity>,
    /// Amounts allowed, ascending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_values: Option<Vec<Quantity>>,
    /// Range of amounts allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_range: Option<CapacityRequestPolicyRange>,
}

/// Is a range of amounts (`resource/v1 CapacityRequestPolicyRange`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CapacityRequestPolicyRange {
    /// Smallest amount; smaller requests are rounded up to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Quantity>,
    /// Largest amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Quantity>,
    /// Distance of amounts, counted from the smallest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Quantity>,
}

/// Asks for amounts of a device (`resource/v1 CapacityRequirements`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CapacityRequirements {
    /// Amount per capacity; names compare literally with those of the device.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub requests: Map<QualifiedName, Quantity>,
}
