//! The API's rules, as pure functions over model objects.
//!
//! Meaning lives here and nowhere else in the library: what decides in bulk
//! (`eligible`, `solver`) caches these verdicts as bits, `explain` asks again
//! for a reason, and `verify` asks for single devices.

mod alike;
mod attribute;
mod capacity;
mod container_requests;
mod device_features;
mod device_pattern;
mod domain_scope;
mod extended_resource;
mod name_format;
mod node_selection;
mod physical;
mod reach;
mod request_names;
mod resource_slice;
mod taint;
mod timestamp;

pub(crate) use alike::{are_capacities_alike, are_requirements_alike};
pub(crate) use attribute::{
    AttributeSet, AttributeValue, lookup, lookup_text, name_on, own_text, shows_text,
};
pub(crate) use capacity::{allowed, amounts, least};
pub(crate) use container_requests::{DeviceRequests, amount_of_pod, device_requests, requests_of};
pub(crate) use device_features::{lacks_binding_conditions, lacks_counters, missing_gate};
pub(crate) use device_pattern::{DevicePattern, find_name};
pub use domain_scope::DomainScope;
pub(crate) use domain_scope::domain_of;
pub(crate) use extended_resource::{is_extended_resource, is_served_by_class, units_of};
pub(crate) use name_format::{is_dns_label, is_dns_subdomain, is_label_name};
pub(crate) use node_selection::NodeSelection;
pub(crate) use physical::{Physical, is_identity};
pub(crate) use reach::{check_reach, reaches};
pub(crate) use request_names::RequestName;
pub(crate) use resource_slice::{
    has_several_terms, is_relevant, is_understood, lacks_node_operations, node_of,
    uses_compatibility_groups,
};
pub(crate) use taint::blocking_taint;
pub(crate) use timestamp::seconds_of;

/// Largest number of devices of a claim (`resource/v1 AllocationResultsMaxSize`).
pub(crate) const MAX_DEVICES: usize = 32;
