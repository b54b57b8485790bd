//! Devices that nobody can have while a feature is off.

use crate::features::Features;
use crate::model::{Device, ResourceSliceSpec};

/// Returns whether pods have to wait for conditions of a device, and nobody looks at those.
pub(crate) fn lacks_binding_conditions(device: &Device, features: &Features) -> bool {
    let conditions = device.binding_conditions.as_ref();
    !features.device_binding_and_status && conditions.is_some_and(|list| !list.is_empty())
}

/// Returns whether a device draws on counters, and nobody counts.
pub(crate) fn lacks_counters(device: &Device, features: &Features) -> bool {
    !features.partitionable_devices && !device.consumes_counters.is_empty()
}

/// Returns the feature gate without which nobody can have a device; nothing where all that
/// it needs is on.
pub(crate) fn missing_gate(
    spec: &ResourceSliceSpec,
    device: &Device,
    features: &Features,
) -> Option<&'static str> {
    if lacks_counters(device, features) {
        Some("DRAPartitionableDevices")
    } else if lacks_binding_conditions(device, features) {
        Some("DRADeviceBindingConditions")
    } else if !features.optional_node_operations && !spec.skip_node_operations.is_empty() {
        Some("DRAOptionalNodeOperations")
    } else {
        None
    }
}
