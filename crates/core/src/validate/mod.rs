//! What an API server of Kubernetes 1.37 would refuse when an object is created.
//!
//! For what a user wrote by hand; what comes from an API server needs none of
//! this. Each function takes an object after [`defaults`] and returns all errors
//! in the order of its fields, with paths such as
//! `spec.devices.requests[1].exactly.count`. A list that is too long is one
//! error, its items are left alone. Fields behind a feature that is off are
//! ignored, as the API server drops them ([`dropped`] lists those); where something is missing without
//! them the error has code `feature-disabled`.
//!
//! Some rules that the API documents are not checked by Kubernetes 1.37. They
//! are here, because an object that breaks them cannot mean what its author
//! thinks: at most 16 tolerations; one kind per constraint; names with one
//! slash at most; no negative capacity, request, counter or bound of a range;
//! unique devices in an allocation. A missing namespace is fine: `kubectl`
//! fills it in.
//!
//! Objects of `dralloc.dev` are checked as far as that needs no other object;
//! for them an [`Engine`](crate::Engine) does so, too.
//!
//! Not checked: the estimated cost of CEL expressions, `nodeAllocatableResources`,
//! `status.devices`, and what needs other objects, such as the label of a
//! namespace that allows admin access.

mod attribute_overlay;
mod binding;
mod capacity;
mod configuration;
mod constraint;
pub mod defaults;
mod device;
mod device_class;
mod device_health;
mod device_hold;
mod device_taint_rule;
pub mod dropped;
mod extended_resource;
mod limits;
mod metadata;
mod names;
mod node_operations;
mod node_selector;
mod placement_policy;
mod pod;
mod report;
mod request;
mod resource_claim;
mod resource_claim_status;
mod resource_claim_template;
mod resource_slice;
mod selector;
mod taint;
#[cfg(test)]
mod tests;
mod topology;

pub use attribute_overlay::attribute_overlay;
pub(crate) use configuration::PLACEMENT_DRIVER;
pub use device_class::device_class;
pub use device_health::device_health;
pub use device_hold::device_hold;
pub use device_taint_rule::device_taint_rule;
pub use extended_resource::extended_resources;
pub use placement_policy::placement_policy;
pub use pod::pod;
pub use resource_claim::resource_claim;
pub use resource_claim_template::resource_claim_template;
pub use resource_slice::resource_slice;
pub use topology::topology;
