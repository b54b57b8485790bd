//! Kubernetes' objects as plain data, in the shape of `resource.k8s.io/v1`, and
//! those of `dralloc.dev/v1alpha1`, which say what Kubernetes has no words for:
//! [`Topology`], [`AttributeOverlay`], [`DeviceHealth`], [`DeviceHold`],
//! [`PlacementPolicy`].
//!
//! Nothing here has a meaning yet: what decodes is kept, also what the API
//! server would refuse. Names are those of the API in Rust's spelling.
//! Other versions of the API are turned into these types by [`crate::wire`].

mod allocation_result;
mod attribute;
mod attribute_overlay;
mod capacity;
mod device;
mod device_class;
mod device_health;
mod device_hold;
mod device_id;
mod json;
mod list;
mod map;
mod metadata;
mod node;
mod placement_policy;
mod pod;
mod resource_claim;
mod resource_slice;
mod taint;
mod text;
mod topology;

pub use allocation_result::{
    AllocationResult, DeviceAllocationConfiguration, DeviceAllocationResult,
    DeviceRequestAllocationResult, OpaqueDeviceConfiguration,
};
pub use attribute::DeviceAttribute;
pub use attribute_overlay::{
    AttributeOverlay, AttributeOverlaySelector, AttributeOverlaySpec, AttributeRename,
};
pub use capacity::{
    CapacityRequestPolicy, CapacityRequestPolicyRange, CapacityRequirements, DeviceCapacity,
};
pub use device::{Details, Device, DeviceDetails};
pub use device_class::{
    CelDeviceSelector, DeviceClass, DeviceClassConfiguration, DeviceClassSpec, DeviceSelector,
};
pub use device_health::{DeviceFailure, DeviceHealth, DeviceHealthSpec};
pub use device_hold::{DeviceHold, DeviceHoldSelector, DeviceHoldSpec};
pub use device_id::DeviceId;
pub use dralloc_quantity::Quantity;
pub use json::Json;
pub use list::List;
pub(crate) use map::Shapes;
pub use map::{Map, MapIter};
pub use metadata::{ObjectMeta, OwnerReference};
pub use node::{
    Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, NodeSpec, NodeStatus,
};
pub use placement_policy::{AffinityLevel, ObjectiveTerm, PlacementPolicy, PlacementUnit};
pub use pod::{
    Container, ContainerExtendedResourceRequest, Pod, PodExtendedResourceClaimStatus,
    PodResourceClaim, PodResourceClaimStatus, PodSpec, PodStatus, ResourceRequirements,
};
pub use resource_claim::{
    DeviceClaim, DeviceClaimConfiguration, DeviceConstraint, DeviceDerivedAttribute, DeviceRequest,
    DeviceSubRequest, ExactDeviceRequest, ResourceClaim, ResourceClaimConsumerReference,
    ResourceClaimSpec, ResourceClaimStatus, ResourceClaimTemplate, ResourceClaimTemplateSpec,
};
pub use resource_slice::{
    Counter, CounterSet, DeviceCounterConsumption, ResourcePool, ResourceSlice, ResourceSliceSpec,
};
pub use taint::{
    DeviceTaint, DeviceTaintRule, DeviceTaintRuleSpec, DeviceTaintSelector, DeviceToleration,
};
pub use text::Str;
pub(crate) use text::Texts;
pub use topology::{AttributeMatch, Topology};

/// Amounts by name, such as `cpu` and `memory` (`core/v1 ResourceList`).
pub type Amounts = Map<Str, Quantity>;

/// A name with or without a domain, `[domain/]id` (`resource/v1 QualifiedName`).
pub type QualifiedName = Str;

/// A name with a domain, `domain/id` (`resource/v1 FullyQualifiedName`).
pub type FullyQualifiedName = Str;
