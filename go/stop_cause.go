package dralloc

import (
	"context"
	"errors"
)

// StopCause says why a search ended without an answer.
type StopCause string

// Causes.
const (
	// StopBranches: the budget of branches is used up.
	StopBranches StopCause = "branches"
	// StopDeadline: the deadline of the context or the timeout has passed.
	StopDeadline StopCause = "deadline"
	// StopCancelled: the context was cancelled.
	StopCancelled StopCause = "cancelled"
)

// stopOf returns why a context has ended; nothing if it has not.
func stopOf(ctx context.Context) StopCause {
	err := ctx.Err()
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.DeadlineExceeded):
		return StopDeadline
	default:
		return StopCancelled
	}
}
