package dralloc

import (
	"bytes"
	"encoding/json"
	"sync"
	"unsafe"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// OutcomeKind classifies outcomes; none of them is a failure.
type OutcomeKind uint32

// Kinds of outcomes.
const (
	// Optimal is the best allocation; in the policy [Kubernetes] the first in canonical
	// order.
	Optimal OutcomeKind = 0
	// Feasible is an allocation that may not be the best; the gap says by how much at
	// most.
	Feasible OutcomeKind = 1
	// Infeasible: there is no allocation.
	Infeasible OutcomeKind = 2
	// Unknown: the search ended before it knew.
	Unknown OutcomeKind = 3
)

var kindNames = []string{"optimal", "feasible", "infeasible", "unknown"}

// String returns the name of the kind, such as `optimal`.
func (k OutcomeKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "other"
}

// Fits returns whether there is an allocation.
func (k OutcomeKind) Fits() bool { return k == Optimal || k == Feasible }

// Outcome answers whether claims fit, and how. It is a value that needs no Close, and
// never changes, so that any number of goroutines may use it at once.
type Outcome struct {
	kind    OutcomeKind
	text    []byte
	devices []Device
	// few is where devices are that are few.
	few [4]Device

	once   sync.Once
	detail *OutcomeDetail
	err    error
}

// OutcomeDetail is all that an outcome says, with the names that it has as JSON.
type OutcomeDetail struct {
	// Outcome is the name of the kind.
	Outcome string `json:"outcome"`
	// Node is where the claims fit.
	Node string `json:"node,omitempty"`
	// Results are what Kubernetes keeps in `status.allocation`, by claim.
	Results []AllocationResult `json:"results,omitempty"`
	// Objective are the values of the terms of the policy.
	Objective []TermValue `json:"objective,omitempty"`
	// Warnings are devices that a policy passed over since they cannot be judged.
	Warnings []Problem `json:"warnings,omitempty"`
	// Placement is what the devices of placement policies with levels or units have in
	// common, by claim and policy.
	Placement []Together `json:"placement,omitempty"`
	// Gap is how far a feasible answer is from the best.
	Gap *Gap `json:"gap,omitempty"`
	// Reason is why an infeasible question has no answer.
	Reason *Reason `json:"reason,omitempty"`
	// StopCause is why an unknown one has none.
	StopCause StopCause `json:"stopCause,omitempty"`
}

// TermValue is what a term of a policy came to.
type TermValue struct {
	// Term is what was counted.
	Term Term `json:"term"`
	// Value is how much; less is better.
	Value int64 `json:"value"`
}

// Gap says that no answer is better than a bound in a term, where those before it are
// the same.
type Gap struct {
	// Term is the place of the term in the policy.
	Term int `json:"term"`
	// Value is what the answer has.
	Value int64 `json:"value"`
	// Bound is what the best has at least.
	Bound int64 `json:"bound"`
}

// Reason says why there is no answer.
type Reason struct {
	// Kind is `request`, `count`, `exhausted`, `allocatedElsewhere`, `releasing`,
	// `fullyReserved`, `amount` or `other`.
	Kind string `json:"kind"`
	// Claim is the place of the claim that it is about.
	Claim *int `json:"claim,omitempty"`
	// Request is the place of the request that it is about.
	Request *int `json:"request,omitempty"`
	// Name is that of the amount that is short.
	Name string `json:"name,omitempty"`
	// Missing is how much of it.
	Missing string `json:"missing,omitempty"`
	// Message says it in one line.
	Message string `json:"message"`
}

// Problem is an [Error] as data.
type Problem struct {
	// Code is the name of a [Code].
	Code string `json:"code"`
	// Message says it in one line.
	Message string `json:"message"`
	// Path is the field, empty for the whole.
	Path string `json:"path"`
	// Scope is what it concerns.
	Scope Scope `json:"scope"`
}

// newOutcome makes an outcome of what the library wrote, which is copied.
func newOutcome(kind OutcomeKind, text []byte, devices []Device) *Outcome {
	o := &Outcome{kind: kind, text: bytes.Clone(text)}
	o.devices = append(o.few[:0:len(o.few)], devices...)
	return o
}

// stopped returns the outcome of a question whose context had ended before.
func stopped(cause StopCause) *Outcome {
	return &Outcome{kind: Unknown, text: []byte(`{"outcome":"unknown","stopCause":"` + string(cause) + `"}`)}
}

// takeOutcome reads an outcome of the library and frees it.
func takeOutcome(raw, snapshot uintptr) (*Outcome, error) {
	defer free(abi.OutcomeFree, raw)
	kind, err := outcomeKind(raw)
	if err != nil {
		return nil, err
	}
	devices, err := outcomeDevices(raw, snapshot)
	if err != nil {
		return nil, err
	}
	c := begin(abi.OutcomeJSON)
	defer c.end()
	if err := c.number(raw).newText().do(); err != nil {
		return nil, err
	}
	return newOutcome(kind, unsafe.Slice((*byte)(c.data), int(c.length)), devices), nil
}

func outcomeKind(raw uintptr) (OutcomeKind, error) {
	c := begin(abi.OutcomeGetKind)
	defer c.end()
	err := c.number(raw).newFlag().do()
	return OutcomeKind(c.flag), err
}

// outcomeDevices reads the devices of an outcome of the library.
func outcomeDevices(raw, snapshot uintptr) ([]Device, error) {
	devices := make([]Device, 0, 1)
	for {
		count, err := readDevices(raw, snapshot, devices[:cap(devices)])
		if err != nil || count <= cap(devices) {
			return devices[:min(count, cap(devices))], err
		}
		devices = make([]Device, 0, count)
	}
}

func readDevices(raw, snapshot uintptr, devices []Device) (int, error) {
	c := begin(abi.OutcomeDevices)
	defer c.end()
	c.number(raw).number(snapshot)
	err := room(c, devices).newCount(0).do()
	return int(c.counts[0]), err
}

// Kind returns the kind; [Unknown] of an outcome that is none.
func (o *Outcome) Kind() OutcomeKind {
	if o == nil || o.text == nil {
		return Unknown
	}
	return o.kind
}

// Fits returns whether there is an allocation.
func (o *Outcome) Fits() bool { return o.Kind().Fits() }

// JSON returns the outcome as all languages write it; it must not be changed.
func (o *Outcome) JSON() json.RawMessage {
	if o == nil {
		return nil
	}
	return o.text
}

// MarshalJSON writes what [Outcome.JSON] returns; `null` for an outcome that is none.
func (o *Outcome) MarshalJSON() ([]byte, error) {
	if o == nil || o.text == nil {
		return []byte("null"), nil
	}
	return o.text, nil
}

// Devices returns the devices by number, in the order of claims and requests; it must not
// be changed.
func (o *Outcome) Devices() []Device {
	if o == nil {
		return nil
	}
	return o.devices
}

// Detail returns all that the outcome says; it must not be changed.
func (o *Outcome) Detail() (*OutcomeDetail, error) {
	if o == nil || o.text == nil {
		return nil, missing("outcome")
	}
	o.once.Do(func() {
		detail, err := decoded[OutcomeDetail](o.text, nil)
		o.detail, o.err = notNil(&detail, err)
	})
	return o.detail, o.err
}

// Results returns what Kubernetes keeps in `status.allocation`, by claim; there are none
// where claims do not fit.
func (o *Outcome) Results() ([]AllocationResult, error) {
	detail, err := o.Detail()
	if err != nil {
		return nil, err
	}
	return detail.Results, nil
}

// ResultsJSON returns the results as JSON, to be decoded to types of one's own.
func (o *Outcome) ResultsJSON() (json.RawMessage, error) {
	if o == nil || o.text == nil {
		return nil, missing("outcome")
	}
	form, err := decoded[struct {
		Results json.RawMessage `json:"results"`
	}](o.text, nil)
	if form.Results == nil {
		form.Results = json.RawMessage("[]")
	}
	return form.Results, err
}

// StopCause returns why an unknown outcome has no answer; nothing for others.
func (o *Outcome) StopCause() StopCause {
	if o.Kind() != Unknown {
		return ""
	}
	detail, err := o.Detail()
	if err != nil {
		return ""
	}
	return detail.StopCause
}

// String returns the kind, and why there is no answer.
func (o *Outcome) String() string {
	detail, err := o.Detail()
	switch {
	case err != nil:
		return o.Kind().String()
	case detail.Reason != nil:
		return o.kind.String() + ": " + detail.Reason.Message
	case detail.StopCause != "":
		return o.kind.String() + ": " + string(detail.StopCause)
	default:
		return o.kind.String()
	}
}
