//! `resource.k8s.io/v1beta1` where it differs from v1.
//!
//! Devices keep their body under `basic`, requests keep that of `exactly` in
//! themselves, and a slice says "no node" with an empty name. Conversion follows
//! Kubernetes' `pkg/apis/resource/v1beta1/conversion.go`.

use serde::Deserialize;

use crate::model::{
    self, CapacityRequirements, CounterSet, DeviceAttribute, DeviceCapacity,
    DeviceClaimConfiguration, DeviceConstraint, DeviceCounterConsumption, DeviceDerivedAttribute,
    DeviceSelector, DeviceSubRequest, DeviceTaint, DeviceToleration, Json, List, Map, NodeSelector,
    ObjectMeta, QualifiedName, ResourceClaimStatus, ResourcePool, Str,
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ResourceSlice {
    metadata: ObjectMeta,
    spec: ResourceSliceSpec,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResourceSliceSpec {
    driver: Str,
    pool: ResourcePool,
    node_name: Str,
    node_selector: Option<Box<NodeSelector>>,
    all_nodes: bool,
    devices: Vec<Device>,
    per_device_node_selection: Option<bool>,
    shared_counters: List<CounterSet>,
    skip_node_operations: List<Str>,
    partition_type_attribute: Option<Str>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Device {
    name: Str,
    basic: Option<BasicDevice>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct BasicDevice {
    attributes: Map<QualifiedName, DeviceAttribute>,
    capacity: Map<QualifiedName, DeviceCapacity>,
    consumes_counters: List<DeviceCounterConsumption>,
    node_name: Option<Str>,
    node_selector: Option<Box<NodeSelector>>,
    all_nodes: Option<bool>,
    taints: List<DeviceTaint>,
    binds_to_node: Option<bool>,
    binding_conditions: Option<Vec<Str>>,
    binding_failure_conditions: Option<Vec<Str>>,
    allow_multiple_allocations: Option<bool>,
    node_allocatable_resources: Option<Json>,
    node_allocatable_resource_mappings: Option<Json>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ResourceClaim {
    metadata: ObjectMeta,
    spec: ResourceClaimSpec,
    status: ResourceClaimStatus,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ResourceClaimTemplate {
    metadata: ObjectMeta,
    spec: ResourceClaimTemplateSpec,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResourceClaimTemplateSpec {
    metadata: ObjectMeta,
    spec: ResourceClaimSpec,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResourceClaimSpec {
    devices: DeviceClaim,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DeviceClaim {
    requests: Vec<DeviceRequest>,
    constraints: Vec<DeviceConstraint>,
    config: Vec<DeviceClaimConfiguration>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DeviceRequest {
    name: Str,
    device_class_name: Str,
    selectors: Option<Vec<DeviceSelector>>,
    allocation_mode: Str,
    count: i64,
    admin_access: Option<bool>,
    tolerations: Option<Vec<DeviceToleration>>,
    capacity: Option<CapacityRequirements>,
    derived_attributes: Option<Vec<DeviceDerivedAttribute>>,
    first_available: Vec<DeviceSubRequest>,
}

impl From<ResourceSlice> for model::ResourceSlice {
    fn from(slice: ResourceSlice) -> Self {
        let spec = slice.spec;
        Self {
            metadata: slice.metadata,
            spec: model::ResourceSliceSpec {
                driver: spec.driver,
                pool: spec.pool,
                node_name: (!spec.node_name.is_empty()).then_some(spec.node_name),
                node_selector: spec.node_selector,
                all_nodes: spec.all_nodes.then_some(true),
                devices: spec.devices.into_iter().map(Into::into).collect(),
                per_device_node_selection: spec.per_device_node_selection,
                shared_counters: spec.shared_counters,
                skip_node_operations: spec.skip_node_operations,
                partition_type_attribute: spec.partition_type_attribute,
            },
        }
    }
}

impl From<Device> for model::Device {
    fn from(device: Device) -> Self {
        let basic = device.basic.unwrap_or_default();
        let details = model::DeviceDetails {
            consumes_counters: basic.consumes_counters,
            node_name: basic.node_name,
            node_selector: basic.node_selector,
            all_nodes: basic.all_nodes,
            taints: basic.taints,
            binds_to_node: basic.binds_to_node,
            binding_conditions: basic.binding_conditions,
            binding_failure_conditions: basic.binding_failure_conditions,
            node_allocatable_resources: basic.node_allocatable_resources,
            node_allocatable_resource_mappings: basic.node_allocatable_resource_mappings,
        };
        Self {
            name: device.name,
            attributes: basic.attributes,
            capacity: basic.capacity,
            allow_multiple_allocations: basic.allow_multiple_allocations,
            details: details.into(),
        }
    }
}

impl From<ResourceClaim> for model::ResourceClaim {
    fn from(claim: ResourceClaim) -> Self {
        Self {
            metadata: claim.metadata,
            spec: claim.spec.into(),
            status: claim.status,
        }
    }
}

impl From<ResourceClaimTemplate> for model::ResourceClaimTemplate {
    fn from(template: ResourceClaimTemplate) -> Self {
        Self {
            metadata: template.metadata,
            spec: model::ResourceClaimTemplateSpec {
                metadata: template.spec.metadata,
                spec: template.spec.spec.into(),
            },
        }
    }
}

impl From<ResourceClaimSpec> for model::ResourceClaimSpec {
    fn from(spec: ResourceClaimSpec) -> Self {
        Self {
            devices: model::DeviceClaim {
                requests: spec.devices.requests.into_iter().map(Into::into).collect(),
                constraints: spec.devices.constraints,
                config: spec.devices.config,
            },
        }
    }
}

/// Any field of `exactly` makes one, also beside alternatives: that both are
/// there is for validation to refuse.
impl From<DeviceRequest> for model::DeviceRequest {
    fn from(request: DeviceRequest) -> Self {
        let is_exact = !request.device_class_name.is_empty()
            || request.selectors.is_some()
            || !request.allocation_mode.is_empty()
            || request.count != 0
            || request.admin_access.is_some()
            || request.tolerations.is_some()
            || request.capacity.is_some()
            || request.derived_attributes.is_some();
        let exactly = is_exact.then(|| model::ExactDeviceRequest {
            device_class_name: request.device_class_name,
            selectors: request.selectors.unwrap_or_default(),
            allocation_mode: request.allocation_mode,
            count: request.count,
            admin_access: request.admin_access,
            tolerations: request.tolerations.unwrap_or_default(),
            capacity: request.capacity,
            derived_attributes: request.derived_attributes.unwrap_or_default(),
        });
        Self {
            name: request.name,
            exactly,
            first_available: request.first_available,
        }
    }
}
