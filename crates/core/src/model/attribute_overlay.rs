//! [`AttributeOverlay`]: attributes that drivers do not publish.

use serde::{Deserialize, Serialize};

use super::{DeviceAttribute, Map, NodeSelector, ObjectMeta, QualifiedName, Str};

/// Gives devices other attributes than their driver publishes
/// (`dralloc.dev/v1alpha1 AttributeOverlay`).
///
/// What selects devices sees the attributes as the overlay leaves them. Several
/// overlays are laid one over the other in the order of their names; each sees
/// what those before it have left.
///
/// ```yaml
/// apiVersion: dralloc.dev/v1alpha1
/// kind: AttributeOverlay
/// metadata:
///   name: rail-of-rack-7
/// spec:
///   selector:
///     driver: nic.example.com
///     nodeSelector:
///       nodeSelectorTerms:
///       - matchExpressions:
///         - {key: rack, operator: In, values: ["7"]}
///     attributes:
///       model: {string: cx7}
///   rename:
///   - {from: port, to: example.com/rail}
///   attributes:
///     example.com/rack: {int: 7}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttributeOverlay {
    /// Name and identity; overlays are applied in the order of their names.
    pub metadata: ObjectMeta,
    /// Which devices, and what becomes of their attributes.
    pub spec: AttributeOverlaySpec,
}

/// Says which devices get which attributes (`dralloc.dev/v1alpha1 AttributeOverlaySpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttributeOverlaySpec {
    /// Which devices; an empty selector selects all, none at all is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<AttributeOverlaySelector>,
    /// Attributes that get other names, all at once, before others are set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rename: Vec<AttributeRename>,
    /// Attributes to set, in place of those of the same name. A name without a
    /// domain is in that of the device's driver.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub attributes: Map<QualifiedName, DeviceAttribute>,
}

/// Selects devices by what is given; all of it must match
/// (`dralloc.dev/v1alpha1 AttributeOverlaySelector`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AttributeOverlaySelector {
    /// Driver of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<Str>,
    /// Pool of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<Str>,
    /// Name of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Str>,
    /// Node of the devices: only those are selected that are published for one
    /// node, by its name, and only while that node is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_selector: Option<NodeSelector>,
    /// Attributes with exactly these values, such as bus id or product. A name
    /// without a domain is in that of the device's driver.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub attributes: Map<QualifiedName, DeviceAttribute>,
}

/// Gives an attribute another name (`dralloc.dev/v1alpha1 AttributeRename`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttributeRename {
    /// Name that it has; where there is none, nothing happens.
    pub from: QualifiedName,
    /// Name that it gets, in place of an attribute that had it.
    pub to: QualifiedName,
}
