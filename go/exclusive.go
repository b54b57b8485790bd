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
	if err := e.handle.open(); err != nil {
		e.mutex.Unlock()
		return 0, err
	}
	return e.handle.raw, nil
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
