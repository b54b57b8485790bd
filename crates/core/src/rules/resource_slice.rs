//! Whether a slice counts for a node, and where its devices are.

use super::NodeSelection;
use crate::error::Error;
use crate::features::Features;
use crate::model::{Device, Node, NodeSelector, ResourceSlice, ResourceSliceSpec, Str};

/// Returns whether the features allow to look at a slice at all.
pub(crate) fn is_understood(slice: &ResourceSlice, features: &Features) -> bool {
    let spec = &slice.spec;
    let partitionable =
        spec.per_device_node_selection.is_some() || !spec.shared_counters.is_empty();
    (features.partitionable_devices || !partitionable)
        && (features.compatibility_groups || !uses_compatibility_groups(slice))
}

/// Returns whether a device of a slice declares compatibility groups.
///
/// While they are switched off, a slice that cannot be judged makes its pool incomplete, so that none of
/// its devices join others that they may not be compatible with.
pub(crate) fn uses_compatibility_groups(slice: &ResourceSlice) -> bool {
    let mut consumptions = slice
        .spec
        .devices
        .iter()
        .flat_map(|device| &device.consumes_counters);
    consumptions.any(|consumption| !consumption.compatibility_groups.is_empty())
}

/// Returns whether a node may have devices of a slice; where devices select
/// nodes themselves, the first that it may have decides.
///
/// # Errors
///
/// [`Code::NodeSelector`](crate::Code::NodeSelector) if a selector that is
/// looked at is malformed.
pub(crate) fn is_relevant(slice: &ResourceSlice, node: &Node) -> Result<bool, Error> {
    let at_slice = |error: Error| error.under(&format!("slice[{}].spec", slice.metadata.name));
    match NodeSelection::of_slice(slice) {
        NodeSelection::None if slice.spec.per_device_node_selection == Some(true) => {
            for (index, device) in slice.spec.devices.iter().enumerate() {
                let on_node = NodeSelection::of_device(device).on_node(node);
                if on_node.map_err(|e| at_slice(e.under(&format!("devices[{index}]"))))? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        selection => selection.on_node(node).map_err(at_slice),
    }
}

/// Returns the name of the node and the selector that say where a device is:
/// its own where the slice leaves that to devices.
pub(crate) fn node_of<'a>(
    spec: &'a ResourceSliceSpec,
    device: &'a Device,
) -> (Option<&'a Str>, Option<&'a NodeSelector>) {
    let (name, selector) = if spec.per_device_node_selection == Some(true) {
        (&device.node_name, &device.node_selector)
    } else {
        (&spec.node_name, &spec.node_selector)
    };
    (name.as_ref(), selector.as_deref())
}

/// Returns whether the selector that says where a device is has several terms,
/// which cannot be joined with those of other devices.
pub(crate) fn has_several_terms(spec: &ResourceSliceSpec, device: &Device) -> bool {
    let (_, selector) = node_of(spec, device);
    selector.is_some_and(|selector| selector.node_selector_terms.len() > 1)
}

/// Returns whether a slice wants operations to be skipped that the node would
/// not skip: it has to declare that it can.
pub(crate) fn lacks_node_operations(
    spec: &ResourceSliceSpec,
    node: &Node,
    features: &Features,
) -> bool {
    if spec.skip_node_operations.is_empty() {
        return false;
    }
    !(features.optional_node_operations && declares_node_operations(node))
}

/// Returns whether a node declares that it can skip operations.
pub(super) fn declares_node_operations(node: &Node) -> bool {
    let declared = &node.status.declared_features;
    declared
        .iter()
        .any(|name| **name == *"DRAOptionalNodeOperations")
}
