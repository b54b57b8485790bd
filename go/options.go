package dralloc

import (
	"bytes"
	"encoding/json"
	"math"
	"time"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Option says how a question is asked. An [Options] is one, too, which is made once for
// many questions; and so is a [Workspace].
type Option interface {
	applyTo(*optionsForm) error
}

// Options holds options that are made once, for calls that are made often. It never
// changes, so that any number of goroutines may use it at once.
type Options struct {
	shared
	text []byte
}

// NewOptions makes options; of two that contradict each other the last counts.
//
// A [Workspace] is none of them ([ErrInvalid]): it serves one call at a time.
func NewOptions(options ...Option) (*Options, error) {
	for _, option := range options {
		if _, is := option.(*Workspace); is {
			return nil, newError(ErrInvalid, "a workspace is an option of calls only, expected another option")
		}
	}
	text, err := optionsText(options)
	if err != nil {
		return nil, err
	}
	return ReadOptions(text)
}

// ReadOptions makes options of JSON, with the fields `policy`, `carriedPolicies`,
// `branches`, `timeoutNanoseconds`, `errors`, `now`, `releasing`, `user`, `amounts`,
// `find`, `best`, `start`, `explain`, `nothingHeld`, `labels`, `within`, `mostNodes`,
// `slices` and `sliceSize`, as the functions of this package say them.
func ReadOptions(text []byte) (*Options, error) {
	if err := abi.Need(); err != nil {
		return nil, err
	}
	h, err := newOptions(text, 0)
	if err != nil {
		return nil, err
	}
	o := &Options{text: bytes.Clone(text)}
	o.handle = h
	o.cleanup = closeWith(o, h)
	return o, nil
}

func newOptions(text []byte, cancel uintptr) (*handle, error) {
	c := begin(abi.OptionsNew)
	defer c.end()
	if err := c.bytes(text).number(cancel).newHandle().do(); err != nil {
		return nil, err
	}
	return newHandle(c.handle, abi.OptionsFree, "options object"), nil
}

func optionsText(options []Option) ([]byte, error) {
	var form optionsForm
	for _, option := range options {
		if option == nil {
			return nil, missing("option")
		}
		if err := option.applyTo(&form); err != nil {
			return nil, err
		}
	}
	return form.text()
}

// Close frees the options; again is nothing.
func (o *Options) Close() {
	if o != nil {
		o.shared.close()
	}
}

func (o *Options) open() error {
	if o == nil {
		return missing("options object")
	}
	return o.handle.open()
}

func (o *Options) applyTo(form *optionsForm) error {
	if err := o.open(); err != nil || len(o.text) == 0 {
		return err
	}
	earlier := form.TimeoutNanoseconds
	form.TimeoutNanoseconds = nil
	if err := json.Unmarshal(o.text, form); err != nil {
		return newError(ErrMalformed, err.Error())
	}
	if earlier != nil {
		form.limit(*earlier)
	}
	return nil
}

// optionsForm is what the library reads. It is of one call, and so is all that it points
// to: options that are applied later may write there.
type optionsForm struct {
	Policy             *Policy         `json:"policy,omitempty"`
	CarriedPolicies    string          `json:"carriedPolicies,omitempty"`
	Branches           *uint64         `json:"branches,omitempty"`
	TimeoutNanoseconds *uint64         `json:"timeoutNanoseconds,omitempty"`
	Errors             ErrorMode       `json:"errors,omitempty"`
	Now                *int64          `json:"now,omitempty"`
	Releasing          string          `json:"releasing,omitempty"`
	User               string          `json:"user,omitempty"`
	Amounts            json.RawMessage `json:"amounts,omitempty"`
	Find               string          `json:"find,omitempty"`
	Best               *int            `json:"best,omitempty"`
	Start              int             `json:"start,omitempty"`
	Explain            bool            `json:"explain,omitempty"`
	NothingHeld        bool            `json:"nothingHeld,omitempty"`

	Labels    map[DomainScope]string `json:"labels,omitempty"`
	Within    DomainScope            `json:"within,omitempty"`
	MostNodes *mostNodesForm         `json:"mostNodes,omitempty"`
	Slices    SliceRule              `json:"slices,omitempty"`
	SliceSize *int                   `json:"sliceSize,omitempty"`
}

func (f *optionsForm) text() ([]byte, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, newError(ErrMalformed, err.Error())
	}
	return text, nil
}

type option func(*optionsForm)

func (o option) applyTo(form *optionsForm) error {
	o(form)
	return nil
}

// WithPolicy says which of several answers is wanted. By default what claims and classes
// carry counts, and else the first in canonical order.
func WithPolicy(policy Policy) Option {
	return option(func(form *optionsForm) { form.Policy = new(policy) })
}

// WithoutCarriedPolicies passes over what claims and classes carry.
func WithoutCarriedPolicies() Option {
	return option(func(form *optionsForm) { form.CarriedPolicies = "ignored" })
}

// WithBranches ends a search after so many devices that are tried. The same limit gives
// the same answer always.
func WithBranches(branches uint64) Option {
	return option(func(form *optionsForm) { form.Branches = new(min(branches, math.MaxInt64)) })
}

// WithTimeout ends a search so long after the beginning of its call. The deadline of a
// context does the same; the earliest counts.
func WithTimeout(timeout time.Duration) Option {
	return option(func(form *optionsForm) { form.limit(nanoseconds(timeout)) })
}

// nanoseconds returns how long a timeout is; one that has passed is none.
func nanoseconds(timeout time.Duration) uint64 { return uint64(max(timeout, 0)) }

// limit sets a timeout that is earlier than the one there is.
func (f *optionsForm) limit(nanoseconds uint64) {
	if f.TimeoutNanoseconds == nil || nanoseconds < *f.TimeoutNanoseconds {
		f.TimeoutNanoseconds = &nanoseconds
	}
}

// ErrorMode says what a device does on which evaluation fails.
type ErrorMode string

// What a device does on which evaluation fails: it ends the call with an error, or is
// skipped.
const (
	AbortOnErrors ErrorMode = "abort"
	SkipErrors    ErrorMode = "skip"
)

// WithErrors says what a device does on which evaluation fails; by default as the policy
// has it, and it is skipped where many nodes are asked.
func WithErrors(mode ErrorMode) Option {
	return option(func(form *optionsForm) { form.Errors = mode })
}

// WithNow sets the time of the question, in seconds: failures of devices count half after
// each day, for policies that look at them. By default nothing is forgotten.
func WithNow(now time.Time) Option {
	return option(func(form *optionsForm) {
		form.Now = new(now.Unix())
	})
}

// WithReleasingFree takes devices as free that are on their way out; by default they are
// taken.
func WithReleasingFree() Option {
	return option(func(form *optionsForm) { form.Releasing = "free" })
}

// WithUser says who will use the claims, by uid.
func WithUser(uid string) Option {
	return option(func(form *optionsForm) { form.User = uid })
}

// WithAmounts asks for amounts of the node beside the claims: quantities by name, such as
// map[string]string{"cpu": "500m"}, a ResourceList of k8s.io/api, or JSON.
func WithAmounts(amounts any) Option {
	text, err := valueText(amounts, "amounts")
	return amountsOption{text, err}
}

type amountsOption struct {
	text []byte
	err  error
}

func (o amountsOption) applyTo(form *optionsForm) error {
	form.Amounts = bytes.Clone(o.text)
	return o.err
}

// WithFindBest asks many nodes for so many of them that are best.
func WithFindBest(count int) Option {
	return option(func(form *optionsForm) { form.Find, form.Best = "best", new(count) })
}

// WithFindAll asks many nodes for all where the claims fit. By default it is the first.
func WithFindAll() Option {
	return option(func(form *optionsForm) { form.Find = "all" })
}

// WithFindCount asks on how many nodes the claims fit, and for none of them.
func WithFindCount() Option {
	return option(func(form *optionsForm) { form.Find = "count" })
}

// WithStart begins at a place of the list of nodes.
func WithStart(place int) Option {
	return option(func(form *optionsForm) { form.Start = place })
}

// WithReasons lets a placement say which checks refuse devices.
func WithReasons() Option {
	return option(func(form *optionsForm) { form.Explain = true })
}

// WithNothingHeld asks many nodes as if nothing were held.
func WithNothingHeld() Option {
	return option(func(form *optionsForm) { form.NothingHeld = true })
}
