package dralloc

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// handle is something of the library's that is freed once: when it was closed and the
// last call with it has ended.
//
// Objects of this package keep a handle each; what needs a handle for longer than a call
// keeps it, too, so that a snapshot can be closed before its transactions.
type handle struct {
	raw      uintptr
	free     abi.Function
	noun     string
	isClosed atomic.Bool
	// uses counts the owner, until it closes it, and everybody who keeps it.
	uses atomic.Int64
	// also is kept until this one is freed.
	also *handle
	// mutex is for what one call at a time may use. It is here, and not in the object, so
	// that a copy of the object, which is a mistake, waits as well.
	mutex sync.Mutex
}

// noCopy lets `go vet` find copies of objects: one whose original is forgotten is closed.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

func newHandle(raw uintptr, free abi.Function, noun string) *handle {
	h := &handle{raw: raw, free: free, noun: noun}
	h.uses.Store(1)
	return h
}

// closeWith closes a handle when nothing refers to its object any more. It is called
// where the object is made, and nowhere else.
func closeWith[T any](object *T, h *handle) runtime.Cleanup {
	return runtime.AddCleanup(object, (*handle).closeAlone, h)
}

// open returns an error if the handle was closed, or nobody made it.
func (h *handle) open() error {
	if h == nil {
		return closed("object")
	}
	if h.isClosed.Load() {
		return closed(h.noun)
	}
	return nil
}

// keep keeps a handle that is not closed until it is let go.
func (h *handle) keep() error {
	for {
		if err := h.open(); err != nil {
			return err
		}
		uses := h.uses.Load()
		if uses > 0 && h.uses.CompareAndSwap(uses, uses+1) {
			return nil
		}
	}
}

// keepAlso keeps another handle, which somebody keeps already, until this one is freed.
func (h *handle) keepAlso(other *handle) {
	other.uses.Add(1)
	h.also = other
}

// letGo ends what keep began.
func (h *handle) letGo() {
	if h.uses.Add(-1) > 0 {
		return
	}
	free(h.free, h.raw)
	if h.also != nil {
		h.also.letGo()
	}
}

// close ends the use by the owner; again is nothing.
func (h *handle) close() {
	if h.isClosed.CompareAndSwap(false, true) {
		h.letGo()
	}
}

// closeAlone closes a handle when no call uses it.
func (h *handle) closeAlone() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.close()
}

// pin keeps the handle that was used last, so that calls with the same one again do not
// write to what other goroutines read.
type pin struct{ kept *handle }

// use returns the pointer of a handle that is not closed.
func (p *pin) use(h *handle) (uintptr, error) {
	if p.kept == h && h.open() == nil {
		return h.raw, nil
	}
	p.letGo()
	if err := h.keep(); err != nil {
		return 0, err
	}
	p.kept = h
	return h.raw, nil
}

func (p *pin) letGo() {
	if p.kept != nil {
		p.kept.letGo()
		p.kept = nil
	}
}
