package dralloc

import (
	"context"

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
	isWatched := false
	// A context of the caller's own may panic.
	defer func() {
		if !isWatched {
			cancel.close()
		}
	}()
	stop := context.AfterFunc(ctx, func() {
		if isCancelled(ctx) {
			set(cancel)
		}
	})
	s.done, s.cancel, s.stop = ctx.Done(), cancel, stop
	isWatched = true
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
