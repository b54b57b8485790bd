//! What the API server drops of objects, since the features for it are off.
//!
//! Nobody is told of it: the object is stored without the field, and behaves as if it had
//! never been there. Each field that [`validate`](super) passes over for that reason is
//! listed, of the devices of a slice the first that has it. Where something is missing
//! without the field, `validate` has the error instead.

use std::collections::BTreeSet;

use super::report::{Path, Report};
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{
    CapacityRequirements, Device, DeviceClass, DeviceConstraint, DeviceDerivedAttribute,
    DeviceRequest, DeviceToleration, ResourceClaimSpec, ResourceSlice,
};

/// Returns what is dropped of the spec of a claim or a template, with paths such as
/// `devices.requests[0].exactly.capacity`; the code is `feature-disabled`.
///
/// # Examples
///
/// ```
/// use dralloc::model::ResourceClaimSpec;
/// use dralloc::{Features, validate::dropped};
///
/// let spec: ResourceClaimSpec = serde_json::from_str(
///     r#"{"devices": {"requests": [{"name": "gpu", "exactly": {
///         "deviceClassName": "gpu", "capacity": {"requests": {"memory": "8Gi"}}}}]}}"#)?;
/// let errors = dropped::resource_claim_spec(&spec, &Features::of_kubernetes(35));
/// assert_eq!(errors[0].path(), "devices.requests[0].exactly.capacity");
/// assert_eq!(dropped::resource_claim_spec(&spec, &Features::of_kubernetes(36)), []);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn resource_claim_spec(spec: &ResourceClaimSpec, features: &Features) -> Vec<Error> {
    let mut dropped = Dropped::new(features);
    let path = &Path::root("devices");
    let requests = &path.field("requests");
    for (index, request) in spec.devices.requests.iter().enumerate() {
        dropped.request(&requests.index(index), request);
    }
    let constraints = &path.field("constraints");
    for (index, constraint) in spec.devices.constraints.iter().enumerate() {
        dropped.constraint(&constraints.index(index), constraint);
    }
    dropped.report.into_errors()
}

/// Returns what is dropped of a class; the code is `feature-disabled`.
pub fn device_class(class: &DeviceClass, features: &Features) -> Vec<Error> {
    let mut dropped = Dropped::new(features);
    dropped.field(
        &Path::root("spec"),
        "extendedResourceName",
        class.spec.extended_resource_name.is_some(),
        (features.extended_resources, "DRAExtendedResource"),
    );
    dropped.report.into_errors()
}

/// Returns what is dropped of a slice; the code is `feature-disabled`.
pub fn resource_slice(slice: &ResourceSlice, features: &Features) -> Vec<Error> {
    let mut dropped = Dropped::new(features);
    let (path, spec) = (&Path::root("spec"), &slice.spec);
    let partitionable = dropped.partitionable();
    let has_nodes =
        spec.node_name.is_some() || spec.node_selector.is_some() || spec.all_nodes.is_some();
    let fields = [
        ("sharedCounters", !spec.shared_counters.is_empty()),
        // Alone it is missed, which is an error.
        (
            "perDeviceNodeSelection",
            spec.per_device_node_selection.is_some() && has_nodes,
        ),
        (
            "partitionTypeAttribute",
            spec.partition_type_attribute.is_some(),
        ),
    ];
    for (field, is_given) in fields {
        dropped.field(path, field, is_given, partitionable);
    }
    dropped.field(
        path,
        "skipNodeOperations",
        !spec.skip_node_operations.is_empty(),
        (
            features.optional_node_operations,
            "DRAOptionalNodeOperations",
        ),
    );
    let devices = &path.field("devices");
    let mut told = BTreeSet::new();
    for (index, device) in spec.devices.iter().enumerate() {
        dropped.device(&devices.index(index), device, &mut told);
    }
    dropped.report.into_errors()
}

/// Says whether a gate is on, and what it is called.
type Gate = (bool, &'static str);

/// Is what a request and an alternative have in common.
struct Parts<'a> {
    tolerations: &'a [DeviceToleration],
    capacity: Option<&'a CapacityRequirements>,
    derived_attributes: &'a [DeviceDerivedAttribute],
}

/// Collects what is dropped.
struct Dropped<'f> {
    features: &'f Features,
    report: Report,
}

impl<'f> Dropped<'f> {
    fn new(features: &'f Features) -> Self {
        Self {
            features,
            report: Report::default(),
        }
    }

    fn taints(&self) -> Gate {
        (self.features.device_taints, "DRADeviceTaints")
    }

    fn partitionable(&self) -> Gate {
        let is_on = self.features.partitionable_devices;
        (is_on, "DRAPartitionableDevices")
    }

    fn consumable(&self) -> Gate {
        (self.features.consumable_capacity, "DRAConsumableCapacity")
    }

    fn binding(&self) -> Gate {
        let is_on = self.features.device_binding_and_status;
        (is_on, "DRADeviceBindingConditions")
    }

    /// Lists what is dropped of a device, but for fields that were told of another.
    fn device(&mut self, path: &Path<'_>, device: &Device, told: &mut BTreeSet<&'static str>) {
        let (partitionable, binding) = (self.partitionable(), self.binding());
        let fields = [
            ("taints", !device.taints.is_empty(), self.taints()),
            (
                "consumesCounters",
                !device.consumes_counters.is_empty(),
                partitionable,
            ),
            ("nodeName", device.node_name.is_some(), partitionable),
            (
                "nodeSelector",
                device.node_selector.is_some(),
                partitionable,
            ),
            ("allNodes", device.all_nodes.is_some(), partitionable),
            (
                "allowMultipleAllocations",
                device.allow_multiple_allocations.is_some(),
                self.consumable(),
            ),
            ("bindsToNode", device.binds_to_node.is_some(), binding),
            (
                "bindingConditions",
                device.binding_conditions.is_some(),
                binding,
            ),
            (
                "bindingFailureConditions",
                device.binding_failure_conditions.is_some(),
                binding,
            ),
        ];
        for (field, is_given, gate) in fields {
            if is_given && !gate.0 && told.insert(field) {
                self.field(path, field, is_given, gate);
            }
        }
        if !self.features.consumable_capacity {
            let mut capacities = device.capacity.iter();
            let with_policy = capacities.find(|(_, one)| one.request_policy.is_some());
            if let Some((name, _)) = with_policy.filter(|_| told.insert("requestPolicy")) {
                let path = &path.field("capacity");
                self.field(&path.key(name), "requestPolicy", true, self.consumable());
            }
        }
        // Without counters the groups are gone, too.
        if self.features.partitionable_devices && !self.features.compatibility_groups {
            let mut consumed = device.consumes_counters.iter();
            let place = consumed.position(|one| !one.compatibility_groups.is_empty());
            if let Some(place) = place.filter(|_| told.insert("compatibilityGroups")) {
                let gate = (false, "DRADeviceCompatibilityGroups");
                let path = &path.field("consumesCounters");
                self.field(&path.index(place), "compatibilityGroups", true, gate);
            }
        }
    }

    fn request(&mut self, path: &Path<'_>, request: &DeviceRequest) {
        let list = &path.field("firstAvailable");
        if self.features.prioritized_list {
            for (index, one) in request.first_available.iter().enumerate() {
                let parts = Parts {
                    tolerations: &one.tolerations,
                    capacity: one.capacity.as_ref(),
                    derived_attributes: &one.derived_attributes,
                };
                self.parts(&list.index(index), &parts);
            }
        } else if request.exactly.is_some() && !request.first_available.is_empty() {
            // Alone it is missed, which is an error.
            self.add(list, "DRAPrioritizedList");
        }
        if let Some(one) = &request.exactly {
            let path = &path.field("exactly");
            let admin_access = (self.features.admin_access, "DRAAdminAccess");
            self.field(
                path,
                "adminAccess",
                one.admin_access.is_some(),
                admin_access,
            );
            let parts = Parts {
                tolerations: &one.tolerations,
                capacity: one.capacity.as_ref(),
                derived_attributes: &one.derived_attributes,
            };
            self.parts(path, &parts);
        }
    }

    fn parts(&mut self, path: &Path<'_>, parts: &Parts<'_>) {
        let derived = (self.features.derived_attributes, "DRADerivedAttributes");
        let fields = [
            ("tolerations", !parts.tolerations.is_empty(), self.taints()),
            ("capacity", parts.capacity.is_some(), self.consumable()),
            (
                "derivedAttributes",
                !parts.derived_attributes.is_empty(),
                derived,
            ),
        ];
        for (field, is_given, gate) in fields {
            self.field(path, field, is_given, gate);
        }
    }

    fn constraint(&mut self, path: &Path<'_>, constraint: &DeviceConstraint) {
        // Alone it is missed, which is an error.
        let is_given =
            constraint.distinct_attribute.is_some() && constraint.match_attribute.is_some();
        self.field(path, "distinctAttribute", is_given, self.consumable());
    }

    fn field(&mut self, path: &Path<'_>, field: &str, is_given: bool, (is_on, gate): Gate) {
        if is_given && !is_on {
            self.add(&path.field(field), gate);
        }
    }

    fn add(&mut self, path: &Path<'_>, gate: &str) {
        let message = format!("the API server drops it while the feature gate `{gate}` is off");
        self.report.add(Code::FeatureDisabled, path, message);
    }
}
