package dralloc

import "encoding/json"

// AllocationResult says which devices a claim got (`resource/v1 AllocationResult`).
//
// It has the same form as JSON, so that [Outcome.ResultsJSON] can be decoded to the type
// of k8s.io/api as well.
type AllocationResult struct {
	// Devices are the devices and their configuration.
	Devices DeviceAllocationResult `json:"devices"`
	// NodeSelector selects nodes where the devices can be used; absent means all.
	NodeSelector *NodeSelector `json:"nodeSelector,omitempty"`
	// AllocationTimestamp is when the allocation was made, in RFC 3339.
	AllocationTimestamp string `json:"allocationTimestamp,omitempty"`
}

// DeviceAllocationResult lists devices and configuration
// (`resource/v1 DeviceAllocationResult`).
type DeviceAllocationResult struct {
	// Results has one entry for each device.
	Results []DeviceRequestAllocationResult `json:"results,omitempty"`
	// Config is that of classes, then that of the claim.
	Config []DeviceAllocationConfiguration `json:"config,omitempty"`
}

// DeviceRequestAllocationResult is one device given for one request
// (`resource/v1 DeviceRequestAllocationResult`).
type DeviceRequestAllocationResult struct {
	// Request is `request`, or `request/subrequest` for an alternative.
	Request string `json:"request"`
	// Driver is that of the device.
	Driver string `json:"driver"`
	// Pool is that of the device.
	Pool string `json:"pool"`
	// Device is its name in the pool.
	Device string `json:"device"`
	// AdminAccess is set if access is for administration.
	AdminAccess *bool `json:"adminAccess,omitempty"`
	// Tolerations are those of the request.
	Tolerations []DeviceToleration `json:"tolerations,omitempty"`
	// BindingConditions are those of the device.
	BindingConditions []string `json:"bindingConditions,omitempty"`
	// BindingFailureConditions are those of the device.
	BindingFailureConditions []string `json:"bindingFailureConditions,omitempty"`
	// ShareID says which share of a shared device it is.
	ShareID *string `json:"shareID,omitempty"`
	// ConsumedCapacity is what the share takes of each capacity, as quantities.
	ConsumedCapacity map[string]string `json:"consumedCapacity,omitempty"`
	// SkipNodeOperations are operations that the kubelet is to skip (alpha in 1.37).
	SkipNodeOperations []string `json:"skipNodeOperations,omitempty"`
}

// ID returns the name of the device in the cluster.
func (r *DeviceRequestAllocationResult) ID() DeviceID {
	return DeviceID{Driver: r.Driver, Pool: r.Pool, Device: r.Device}
}

// DeviceToleration lets a request use a device in spite of a taint
// (`resource/v1 DeviceToleration`).
type DeviceToleration struct {
	// Key is that of the taint; empty for any.
	Key string `json:"key,omitempty"`
	// Operator is `Equal` or `Exists`.
	Operator string `json:"operator,omitempty"`
	// Value is that of the taint, for `Equal`.
	Value string `json:"value,omitempty"`
	// Effect is that of the taint; empty for any.
	Effect string `json:"effect,omitempty"`
	// TolerationSeconds is for how long a taint is tolerated.
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// DeviceAllocationConfiguration is configuration for allocated devices
// (`resource/v1 DeviceAllocationConfiguration`).
type DeviceAllocationConfiguration struct {
	// Source is `FromClass` or `FromClaim`.
	Source string `json:"source"`
	// Requests are those it is for; none for all.
	Requests []string `json:"requests,omitempty"`
	// Opaque is for one driver.
	Opaque *OpaqueDeviceConfiguration `json:"opaque,omitempty"`
}

// OpaqueDeviceConfiguration is configuration that only a driver understands
// (`resource/v1 OpaqueDeviceConfiguration`).
type OpaqueDeviceConfiguration struct {
	// Driver is the one that does.
	Driver string `json:"driver"`
	// Parameters are its parameters, unchanged.
	Parameters json.RawMessage `json:"parameters,omitempty"`
}

// NodeSelector selects nodes (`core/v1 NodeSelector`).
type NodeSelector struct {
	// NodeSelectorTerms are alternatives.
	NodeSelectorTerms []NodeSelectorTerm `json:"nodeSelectorTerms"`
}

// NodeSelectorTerm requires all of its expressions (`core/v1 NodeSelectorTerm`).
type NodeSelectorTerm struct {
	// MatchExpressions are on labels.
	MatchExpressions []NodeSelectorRequirement `json:"matchExpressions,omitempty"`
	// MatchFields are on fields, such as `metadata.name`.
	MatchFields []NodeSelectorRequirement `json:"matchFields,omitempty"`
}

// NodeSelectorRequirement compares a label or field with values
// (`core/v1 NodeSelectorRequirement`).
type NodeSelectorRequirement struct {
	// Key is the label or field.
	Key string `json:"key"`
	// Operator is `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.
	Operator string `json:"operator"`
	// Values are those to compare with.
	Values []string `json:"values,omitempty"`
}
