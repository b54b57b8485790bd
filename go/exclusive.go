package dralloc

import "runtime"

// exclusive is what one call at a time may use; others wait.
type exclusive struct {
	_       noCopy
	handle  *handle
	cleanup runtime.Cleanup
}

// lock waits until nobody uses the object, and returns its pointer; unlock must follow
// where there is no error.
func (e *exclusive) lock() (uintptr, error) {
	if err := e.handle.open(); err != nil {
		return 0, err
	}
	e.handle.mutex.Lock()
	if err := e.handle.open(); err != nil {
		e.handle.mutex.Unlock()
		return 0, err
	}
	return e.handle.raw, nil
}

// unlock lets others use the object, which is kept until then.
func (e *exclusive) unlock() {
	e.handle.mutex.Unlock()
	runtime.KeepAlive(e)
}

// close frees the object when nobody uses it.
func (e *exclusive) close() {
	if e.handle != nil {
		e.cleanup.Stop()
		e.handle.closeAlone()
	}
}
