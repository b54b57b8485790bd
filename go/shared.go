package dralloc

import "runtime"

// shared is what never changes, so that any number of calls may use it.
type shared struct {
	_       noCopy
	handle  *handle
	cleanup runtime.Cleanup
}

// keep returns the pointer of the object, which is not freed before letGo.
func (s *shared) keep() (uintptr, error) {
	if err := s.handle.keep(); err != nil {
		return 0, err
	}
	return s.handle.raw, nil
}

func (s *shared) letGo() {
	s.handle.letGo()
	runtime.KeepAlive(s)
}

func (s *shared) close() {
	if s.handle != nil {
		s.cleanup.Stop()
		s.handle.close()
	}
}
