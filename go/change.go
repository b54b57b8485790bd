package dralloc

import (
	"encoding/json"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Change is something that happened and is no object; exactly one field is set.
type Change struct {
	// Object is an object after all, as for [Engine.Apply].
	Object any `json:"object,omitempty"`
	// Removed names an object that is gone.
	Removed *Removed `json:"removed,omitempty"`
	// Held lists what is held, for hosts that keep their own books.
	Held *Held `json:"held,omitempty"`
	// Use is what an owner uses of the amounts of a node.
	Use *NodeUse `json:"use,omitempty"`
	// Twins lists devices that are physically the same, where drivers do not say so; an
	// empty list that is not nil is none.
	Twins [][]DeviceID `json:"twins,omitzero"`
}

// MarshalJSON writes the field that is set.
func (c Change) MarshalJSON() ([]byte, error) {
	type fields Change
	if c.Object != nil {
		text, err := objectsText([]any{c.Object})
		if err != nil {
			return nil, err
		}
		if !json.Valid(text) {
			return nil, newError(ErrMalformed, "the object of the change is not one in JSON, expected exactly one")
		}
		c.Object = json.RawMessage(text)
	}
	return json.Marshal(fields(c))
}

// Removed names an object that is gone: by its kind, and by name, uid or owner.
//
// A `ResourceSlice` and a `DeviceTaintRule` have a uid, a `Node` and a `DeviceClass` a
// name or a uid; a `ResourceClaim`, a `NodeUse` and the objects of `dralloc.dev` an
// owner: the uid, or else the name of the object.
type Removed struct {
	// Kind is that of the object.
	Kind string `json:"kind"`
	// Name, UID and Owner name the object; exactly one is set.
	Name  string `json:"name,omitempty"`
	UID   string `json:"uid,omitempty"`
	Owner string `json:"owner,omitempty"`
}

// Held lists what is held.
type Held struct {
	// Devices are held whole.
	Devices []DeviceID `json:"devices,omitempty"`
	// Shares are those of shared devices that are held.
	Shares []HeldShare `json:"shares,omitempty"`
	// ConsumedCapacity is what is taken of the capacities of shared devices.
	ConsumedCapacity []ConsumedCapacity `json:"consumedCapacity,omitempty"`
}

// HeldShare is one share of a device.
type HeldShare struct {
	// Device is the one that is shared.
	Device DeviceID `json:"device"`
	// ShareID is that of the share, as in `status.allocation`.
	ShareID string `json:"shareID"`
}

// ConsumedCapacity is what all shares of a device take together, as quantities by name.
type ConsumedCapacity struct {
	// Device is the one that is shared.
	Device DeviceID `json:"device"`
	// Capacity is what is taken, such as `40Gi` of `memory`.
	Capacity map[string]string `json:"capacity"`
}

// NodeUse is what an owner, such as a pod by its uid, uses of a node, as quantities by
// name.
type NodeUse struct {
	// Owner is who uses it.
	Owner string `json:"owner"`
	// Node is the name of the node.
	Node string `json:"node"`
	// Amounts are what it uses, such as `500m` of `cpu`.
	Amounts map[string]string `json:"amounts"`
}

// Change applies one change that is no object: a [Change], or JSON with the same fields,
// or with `allocated`, which is what Held is in the form of Kubernetes' own allocator.
func (e *Engine) Change(change any) (*Applied, error) {
	if isNil(change) {
		return nil, missing("change")
	}
	text, err := valueText(change, "change")
	if err != nil {
		return nil, err
	}
	c, err := e.begin(abi.EngineChange)
	if err != nil {
		return nil, err
	}
	defer e.end(c)
	return c.bytes(text).applied()
}

// Replace makes everything of a kind, such as `Node`, be what a full list says; no
// objects are an empty list.
func (e *Engine) Replace(kind string, objects ...any) (*Applied, error) {
	text, err := objectsText(objects)
	if err != nil {
		return nil, err
	}
	c, err := e.begin(abi.EngineReplace)
	if err != nil {
		return nil, err
	}
	defer e.end(c)
	return c.string(kind).bytes(text).applied()
}

// Forget takes back what transactions gave an owner and no event has shown yet. Owners
// are claims by uid, or else by `namespace/name`, and users of amounts.
func (e *Engine) Forget(owner string) (*Applied, error) {
	c, err := e.begin(abi.EngineForget)
	if err != nil {
		return nil, err
	}
	defer e.end(c)
	return c.string(owner).applied()
}

// IsAssumed returns whether an owner has what a transaction gave it and no event has
// shown yet.
func (e *Engine) IsAssumed(owner string) (bool, error) {
	c, err := e.begin(abi.EngineIsAssumed)
	if err != nil {
		return false, err
	}
	defer e.end(c)
	return c.string(owner).boolean()
}

// Dump writes all that the engine knows, of which [LoadEngine] makes the same.
func (e *Engine) Dump() ([]byte, error) {
	c, err := e.begin(abi.EngineDump)
	if err != nil {
		return nil, err
	}
	defer e.end(c)
	return c.takeBytes()
}
