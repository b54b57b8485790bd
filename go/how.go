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
	var asked how
	var err error
	isAsked := false
	// Options and the context may be the caller's own, and panic.
	defer func() {
		if !isAsked {
			asked.end()
		}
	}()
	var base *Options
	var ws *Workspace
	isPlain := true
	for _, option := range options {
		switch option := option.(type) {
		case *Options:
			isPlain = isPlain && base == nil
			base = option
			err = option.open()
		case *Workspace:
			ws = option
			err = option.open()
		default:
			isPlain = false
		}
		if err != nil {
			return how{}, err
		}
	}
	// Who waits for a workspace does so before it is looked how long the context lasts.
	if ws == nil {
		asked.workspace, err = h.ownWorkspace()
	} else {
		asked.workspace, err = ws.lock()
	}
	if err != nil {
		return how{}, err
	}
	asked.ws = ws
	deadline, ends := ctx.Deadline()
	switch {
	case !isPlain || ends:
		asked.own, err = h.ownOptions(ctx, deadline, options)
	case ctx.Done() != nil:
		asked.options, err = h.signal.optionsOf(ctx, base)
	case base != nil:
		asked.options, err = h.options.use(base.handle)
	}
	if err != nil {
		return how{}, err
	}
	if asked.own != nil {
		asked.options = asked.own.raw
	}
	isAsked = true
	return asked, nil
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
		form.limit(nanoseconds(time.Until(deadline)))
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
