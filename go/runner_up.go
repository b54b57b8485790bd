package dralloc

import (
	"context"
	"encoding/json"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// RunnerUpKind says whether there is a second best answer.
type RunnerUpKind string

// Whether there is a second best answer.
const (
	RunnerUpFound   RunnerUpKind = "found"
	RunnerUpNothing RunnerUpKind = "nothing"
	RunnerUpUnknown RunnerUpKind = "unknown"
)

// RunnerUp is the best of the answers that are not as good as the best.
type RunnerUp struct {
	// Kind says whether there is one.
	Kind RunnerUpKind `json:"runnerUp"`
	// Node is where it is.
	Node string `json:"node,omitempty"`
	// Results are what Kubernetes would keep, by claim.
	Results []AllocationResult `json:"results,omitempty"`
	// Objective are the values of the terms of the policy.
	Objective []TermValue `json:"objective,omitempty"`
	// Warnings are devices that a policy passed over since they cannot be judged.
	Warnings []Problem `json:"warnings,omitempty"`
	// Term is the place of the first term in which it is worse; it, Best and Value are nil
	// unless one was found.
	Term *int `json:"term,omitempty"`
	// Best is what the best has of that.
	Best *int64 `json:"best,omitempty"`
	// Value is what this one has.
	Value *int64 `json:"value,omitempty"`
	// StopCause is why it is not known.
	StopCause StopCause `json:"stopCause,omitempty"`
	// Message says it in one line.
	Message string `json:"message"`

	text []byte
}

// JSON returns what all languages write; it must not be changed.
func (r *RunnerUp) JSON() json.RawMessage {
	if r == nil {
		return nil
	}
	return r.text
}

// RunnerUp returns the best of the answers that are not as good as the best. Nothing is
// held afterwards.
func (t *Transaction) RunnerUp(ctx context.Context, node string, claims *Claims, options ...Option) (*RunnerUp, error) {
	text, err := t.tell(ctx, abi.TransactionRunnerUp, node, claims, options)
	runnerUp, err := decoded[RunnerUp](text, err)
	runnerUp.text = text
	return notNil(&runnerUp, err)
}
