package dralloc

import (
	"context"
	"errors"
	"time"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// signal sets a cancel token of the library when a context ends. It is kept for calls
// with the same context, which need not make it anew.
type signal struct {
	done   <-chan struct{}
	cancel *handle
	stop   func() bool
	// options are those of the last call that had no others than base.
	options *handle
	base    *Options
}

// of returns the token of a context. One that has ended gets a token of its own: all such
// contexts may have one channel, and what sets the token then may come too late.
func (s *signal) of(ctx context.Context) (*handle, error) {
	hasEnded := ctx.Err() != nil
	if s.cancel != nil && s.done == ctx.Done() && !hasEnded {
		return s.cancel, nil
	}
	s.end()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if hasEnded && isCancelled(ctx) {
		set(s.cancel)
	}
	return s.cancel, nil
}

func (s *signal) begin(ctx context.Context) error {
	c := begin(abi.CancelNew)
	defer c.end()
	if err := c.newHandle().do(); err != nil {
		return err
	}
	cancel := newHandle(c.handle, abi.CancelFree, "cancel token")
	s.done, s.cancel = ctx.Done(), cancel
	s.stop = context.AfterFunc(ctx, func() {
		if isCancelled(ctx) {
			set(cancel)
		}
	})
	return nil
}

// isCancelled returns whether a context has ended by something else than its deadline,
// which is a timeout of the call.
func isCancelled(ctx context.Context) bool {
	_, ends := ctx.Deadline()
	return ctx.Err() != nil && !(ends && stopOf(ctx) == StopDeadline)
}

func set(cancel *handle) {
	if cancel.keep() != nil {
		return
	}
	defer cancel.letGo()
	c := begin(abi.CancelSet)
	defer c.end()
	// There is nobody to be told that a token cannot be set.
	_ = c.number(cancel.raw).number(1).do()
}

// optionsOf returns the options of a call that ends with a context.
func (s *signal) optionsOf(ctx context.Context, base *Options) (uintptr, error) {
	cancel, err := s.of(ctx)
	if err != nil {
		return 0, err
	}
	if s.options != nil && s.base == base {
		return s.options.raw, nil
	}
	if s.options != nil {
		s.options.close()
		s.options = nil
	}
	var text []byte
	if base != nil {
		text = base.text
	}
	options, err := newOptions(text, cancel.raw)
	if err != nil {
		return 0, err
	}
	s.options, s.base = options, base
	return options.raw, nil
}

// end lets the context go.
func (s *signal) end() {
	if s.cancel == nil {
		return
	}
	s.stop()
	if s.options != nil {
		s.options.close()
	}
	s.cancel.close()
	*s = signal{}
}

// how is what the options of a call and its context come to.
type how struct {
	options   uintptr
	workspace uintptr

	own *handle
	ws  *Workspace
}

// how finds out how a question is asked; end must follow.
func (h *held) how(ctx context.Context, options []Option) (how, error) {
	var base *Options
	var ws *Workspace
	isPlain := true
	for _, option := range options {
		switch option := option.(type) {
		case *Options:
			isPlain = isPlain && base == nil
			base = option
			if err := option.open(); err != nil {
				return how{}, err
			}
		case *Workspace:
			ws = option
			if err := option.open(); err != nil {
				return how{}, err
			}
		default:
			isPlain = false
		}
	}
	var asked how
	var err error
	deadline, ends := ctx.Deadline()
	switch {
	case isPlain && ctx.Done() == nil && base == nil:
	case isPlain && ctx.Done() == nil:
		asked.options, err = h.options.use(base.handle)
	case isPlain && !ends:
		asked.options, err = h.signal.optionsOf(ctx, base)
	default:
		asked.own, err = h.ownOptions(ctx, deadline, options)
	}
	if err != nil {
		return how{}, err
	}
	if asked.own != nil {
		asked.options = asked.own.raw
	}
	if ws == nil {
		asked.workspace, err = h.ownWorkspace()
	} else {
		asked.workspace, err = ws.lock()
		asked.ws = ws
	}
	if err != nil {
		asked.ws = nil
		asked.end()
	}
	return asked, err
}

// ownOptions makes options for one call.
func (h *held) ownOptions(ctx context.Context, deadline time.Time, options []Option) (*handle, error) {
	var form optionsForm
	for _, option := range options {
		if option == nil {
			return nil, missing("option")
		}
		if err := option.applyTo(&form); err != nil {
			return nil, err
		}
	}
	if !deadline.IsZero() {
		form.limit(time.Until(deadline))
	}
	text, err := form.text()
	if err != nil {
		return nil, err
	}
	var cancel uintptr
	if ctx.Done() != nil {
		token, err := h.signal.of(ctx)
		if err != nil {
			return nil, err
		}
		cancel = token.raw
	}
	return newOptions(text, cancel)
}

func (a *how) end() {
	if a.own != nil {
		a.own.close()
	}
	if a.ws != nil {
		a.ws.unlock()
	}
}

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
