package dralloc

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Explanation says why claims do not fit on a node.
type Explanation struct {
	// Requests says what becomes of each device, by request and alternative.
	Requests []RequestExplanation `json:"requests"`
	// Whole is what is wrong with the whole; empty if the claims fit.
	Whole []WholeFailure `json:"whole"`
	// UnusablePools are those that the node sees and cannot use.
	UnusablePools []UnusablePool `json:"unusablePools"`
	// Class says whether waiting helps; nil if the claims fit, or that is not known.
	Class *Class `json:"class"`
	// Conflict is what cannot be had together; nil unless nothing fits.
	Conflict *Conflict `json:"conflict"`
	// Arithmetic is what the conflict is short of, what says most first.
	Arithmetic []Arithmetic `json:"arithmetic"`

	text []byte
}

// RequestExplanation counts the devices for one alternative of a request. Considered is
// the sum of Usable and of all counts in Refused.
type RequestExplanation struct {
	// Claim is the place of the claim.
	Claim int `json:"claim"`
	// Name is `request` or `request/subrequest`.
	Name string `json:"name"`
	// Needed is how many devices are.
	Needed int `json:"needed"`
	// All says whether all devices that match are asked for.
	All bool `json:"all"`
	// Considered is how many devices of complete pools the node sees.
	Considered int `json:"considered"`
	// Refused are devices by the first check that they fail, in the order of checks.
	Refused []Refusal `json:"refused"`
	// Usable devices pass all checks.
	Usable int `json:"usable"`
}

// Refusal counts the devices that fail a check.
type Refusal struct {
	// Check is its name, such as `selector` or `in use`.
	Check string
	// Devices is how many.
	Devices int
}

// MarshalJSON writes an array of both.
func (r Refusal) MarshalJSON() ([]byte, error) { return json.Marshal([]any{r.Check, r.Devices}) }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Refusal) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&r.Check, &r.Devices})
}

// WholeFailure is a reason that concerns more than one device.
type WholeFailure struct {
	// Kind is `tooFew`, `tooFewTogether`, `constraint`, `combination`,
	// `allocatedElsewhere` or `releasing`.
	Kind string `json:"-"`
	// Claim is the place of the claim, where there is one.
	Claim int `json:"claim"`
	// Request is the name of the request that has too few.
	Request string `json:"request"`
	// Constraint is the place of the constraint without which the claims would fit.
	Constraint int `json:"constraint"`
}

// MarshalJSON writes an object with the kind as its only field.
func (f WholeFailure) MarshalJSON() ([]byte, error) {
	type fields WholeFailure
	return withTag(f.Kind, fields(f))
}

// UnmarshalJSON reads a name, or an object with the name as its only field.
func (f *WholeFailure) UnmarshalJSON(text []byte) error {
	type fields WholeFailure
	return tagged(text, &f.Kind, (*fields)(f))
}

// UnusablePool is a pool without devices that can be had.
type UnusablePool struct {
	// Pool is `driver/pool`.
	Pool string `json:"pool"`
	// State is `incomplete`, or `invalid: ` and why.
	State string `json:"state"`
}

// Class says what has to happen before claims fit.
type Class struct {
	// Kind is `neverPossible` (the node needs other devices, or the claims other
	// requests), `afterRelease` or `badInput`.
	Kind string `json:"-"`
	// Holders are those who have to give back what they hold; none can be left out.
	Holders []Holder `json:"holders"`
	// Error is what cannot be evaluated.
	Error *Problem `json:"error"`
}

// MarshalJSON writes an object with the kind as its only field.
func (c Class) MarshalJSON() ([]byte, error) {
	type fields Class
	return withTag(c.Kind, fields(c))
}

// UnmarshalJSON reads a name, or an object with the name as its only field.
func (c *Class) UnmarshalJSON(text []byte) error {
	type fields Class
	return tagged(text, &c.Kind, (*fields)(c))
}

// Holder is somebody who holds devices, or amounts of a node.
type Holder struct {
	// Owner is the uid of a claim, or else its `namespace/name`; `DeviceHold/name`; the
	// owner of amounts; or empty for what is held without an owner.
	Owner string `json:"owner"`
	// Name is the `namespace/name` of the claim, if an event told of it.
	Name string `json:"name,omitempty"`
}

// Conflict is what cannot be had together: the requests, under the constraints, do not
// fit beside what the holders hold.
type Conflict struct {
	// Requests are those that want something.
	Requests []ConflictRequest `json:"requests"`
	// Constraints are those under which they want it.
	Constraints []ConflictConstraint `json:"constraints"`
	// Holders are those who hold something.
	Holders []Holder `json:"holders"`
	// Irreducible says whether no member can be left out.
	Irreducible bool `json:"irreducible"`
}

// ConflictRequest names a request of a conflict.
type ConflictRequest struct {
	// Claim is the place of the claim.
	Claim int `json:"claim"`
	// Request is `request`, as in the claim.
	Request string `json:"request"`
}

// ConflictConstraint names a constraint of a conflict.
type ConflictConstraint struct {
	// Claim is the place of the claim.
	Claim int `json:"claim"`
	// Constraint is the place of the constraint in it.
	Constraint int `json:"constraint"`
}

// Arithmetic is a sum that does not come out: what is needed is more than there is.
type Arithmetic struct {
	// Kind is `count`, `values`, `distinct`, `counters`, `capacities`, `rings` or `atOnce`.
	Kind string `json:"-"`
	// Alternative is that of a request, where it has several.
	Alternative string `json:"alternative"`
	// Claim and Constraint are the places of a constraint.
	Claim      int `json:"claim"`
	Constraint int `json:"constraint"`
	// Attribute is that of the constraint; Attributes are those of several.
	Attribute  string   `json:"attribute"`
	Attributes []string `json:"attributes"`
	// Requests is how many requests they are.
	Requests int `json:"requests"`
	// Device is the one that lacks it, if it is one.
	Device *DeviceID `json:"device"`
	// CounterSet, Counter and Capacity name what is short.
	CounterSet string `json:"counterSet"`
	Counter    string `json:"counter"`
	Capacity   string `json:"capacity"`
	// Needed, Available (or Left, of quantities) and AfterRelease are the sums: numbers
	// of devices, or quantities.
	Needed       Amount `json:"needed"`
	Available    Amount `json:"available"`
	Left         Amount `json:"left"`
	AfterRelease Amount `json:"afterRelease"`
}

// MarshalJSON writes an object with the kind as its only field.
func (a Arithmetic) MarshalJSON() ([]byte, error) {
	type fields Arithmetic
	return withTag(a.Kind, fields(a))
}

// UnmarshalJSON reads an object with the kind as its only field.
func (a *Arithmetic) UnmarshalJSON(text []byte) error {
	type fields Arithmetic
	return tagged(text, &a.Kind, (*fields)(a))
}

// Amount is a number of devices or a quantity as it is written; empty if there is none.
type Amount string

// UnmarshalJSON reads a number or a text.
func (a *Amount) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(a))
	}
	if string(text) != "null" {
		*a = Amount(text)
	}
	return nil
}

// withTag writes an object with the name as its only field.
func withTag(kind string, fields any) ([]byte, error) {
	return json.Marshal(map[string]any{kind: fields})
}

// tagged reads a name, or an object with the name as its only field.
func tagged(text []byte, kind *string, fields any) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, kind)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	for name, body := range object {
		*kind = name
		return json.Unmarshal(body, fields)
	}
	return errors.New("an empty object, expected a name")
}

// JSON returns what all languages write; it must not be changed.
func (e *Explanation) JSON() json.RawMessage {
	if e == nil {
		return nil
	}
	return e.text
}

// Explain says why claims do not fit on a node. Nothing is held afterwards.
//
// It asks many questions, with an effort that is bounded; what takes more, or longer than
// the context lasts, is not told.
func (t *Transaction) Explain(ctx context.Context, node string, claims *Claims, options ...Option) (*Explanation, error) {
	text, err := t.tell(ctx, abi.TransactionExplain, node, claims, options)
	explanation, err := decoded[Explanation](text, err)
	explanation.text = text
	return notNil(&explanation, err)
}
