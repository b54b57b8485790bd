//! The sizes that the API allows, by their names in `pkg/apis/resource/types.go`
//! of Kubernetes 1.37 unless another source is given.

/// `AllocationResultsMaxSize`
pub(super) const RESULTS: usize = crate::rules::MAX_DEVICES;
/// Twice `DeviceConfigMaxSize`: that of classes and that of the claim.
pub(super) const ALLOCATION_CONFIGS: usize = 64;
/// `ResourceClaimReservedForMaxSize`
pub(super) const RESERVED_FOR: usize = 256;
/// `DeviceRequestsMaxSize`
pub(super) const REQUESTS: usize = 32;
/// `FirstAvailableDeviceRequestMaxSize`
pub(super) const SUB_REQUESTS: usize = 8;
/// `DeviceConstraintsMaxSize`
pub(super) const CONSTRAINTS: usize = 32;
/// `DeviceConfigMaxSize`
pub(super) const CONFIGS: usize = 32;
/// `DeviceSelectorsMaxSize`
pub(super) const SELECTORS: usize = 32;
/// `DeviceTolerationsMaxLength`, which the API documents and its code does not check.
pub(super) const TOLERATIONS: usize = 16;
/// `DeviceDerivedAttributesMaxSize`
pub(super) const DERIVED_ATTRIBUTES: usize = 32;
/// `CELSelectorExpressionMaxLength`, in bytes
pub(super) const EXPRESSION_BYTES: usize = 10 * 1024;
/// `CELSelectorExpressionMaxCost`, for every expression, and
/// `DeviceClaimDerivedAttributeCELMaxCost`, for the derived attributes of a claim together
pub(super) const EXPRESSION_COST: u64 = dralloc_cel::Options::COST_LIMIT;
/// `OpaqueParametersMaxLength`, in bytes
pub(super) const PARAMETERS_BYTES: usize = 10 * 1024;

/// `ResourceSliceMaxDevices`
pub(super) const DEVICES: usize = 128;
/// `ResourceSliceMaxDevicesWithAdvancedFeatures`
pub(super) const DEVICES_WITH_ADVANCED_FEATURES: usize = 64;
/// `ResourceSliceMaxCounterSets`
pub(super) const COUNTER_SETS: usize = 8;
/// `ResourceSliceMaxCountersPerCounterSet`, and the same for what a device consumes
/// (`ResourceSliceMaxCountersPerDeviceCounterConsumption`)
pub(super) const COUNTERS: usize = 32;
/// `ResourceSliceMaxDeviceCounterConsumptionsPerDevice`
pub(super) const COUNTER_CONSUMPTIONS: usize = 2;
/// `DeviceCompatibilityGroupsMaxSize`
pub(super) const COMPATIBILITY_GROUPS: usize = 2;
/// `ResourceSliceMaxAttributesAndCapacitiesPerDevice`
pub(super) const ATTRIBUTES_AND_CAPACITIES: usize = 32;
/// `ResourceSliceMaxAttributeValuesPerDevice`
pub(super) const ATTRIBUTE_VALUES: usize = 48;
/// `DeviceAttributeMaxValueLength`, in bytes
pub(super) const ATTRIBUTE_VALUE_BYTES: usize = 64;
/// `DeviceTaintsMaxLength`
pub(super) const TAINTS: usize = 16;
/// `BindingConditionsMaxSize` and `BindingFailureConditionsMaxSize`
pub(super) const BINDING_CONDITIONS: usize = 4;
/// `CapacityRequestPolicyDiscreteMaxOptions`
pub(super) const VALID_VALUES: usize = 10;

/// `DriverNameMaxLength` and `DeviceMaxDomainLength`, in bytes
pub(super) const DRIVER_BYTES: usize = 63;
/// `PoolNameMaxLength`, in bytes
pub(super) const POOL_BYTES: usize = 253;
/// `DeviceMaxIDLength`, in bytes
pub(super) const IDENTIFIER_BYTES: usize = 32;
/// `DNS1123LabelMaxLength` of `apimachinery/pkg/api/validate/content`, in bytes
pub(super) const DNS_LABEL_BYTES: usize = 63;
/// `DNS1123SubdomainMaxLength` of the same, in bytes
pub(super) const DNS_SUBDOMAIN_BYTES: usize = 253;
/// `LabelValueMaxLength` and the name part of a label key of the same, in bytes
pub(super) const LABEL_BYTES: usize = 63;
/// `TotalAnnotationSizeLimitB` of `apimachinery/pkg/api/validation`, in bytes
pub(super) const ANNOTATIONS_BYTES: usize = 256 * 1024;
