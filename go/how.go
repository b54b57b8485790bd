package dralloc

import (
	"context"
	"time"
)

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
