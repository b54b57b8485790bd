package dralloc

import (
	"runtime"
	"sync"
)

// exclusive is what one call at a time may use; others wait.
type exclusive struct {
	mutex   sync.Mutex
	handle  *handle
	cleanup runtime.Cleanup
}

// lock waits until nobody uses the object, and returns its pointer; unlock must follow
// where there is no error.
func (e *exclusive) lock() (uintptr, error) {
	e.mutex.Lock()
	if e.handle == nil || e.handle.isClosed.Load() {
		e.mutex.Unlock()
		return 0, e.closed()
	}
	return e.handle.raw, nil
}

func (e *exclusive) closed() error {
	if e.handle == nil {
		return closed("object")
	}
	return closed(e.handle.noun)
}

// unlock lets others use the object, which is kept until then.
func (e *exclusive) unlock() {
	e.mutex.Unlock()
	runtime.KeepAlive(e)
}

// close frees the object when nobody uses it.
func (e *exclusive) close() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.handle != nil {
		e.cleanup.Stop()
		e.handle.close()
	}
}
