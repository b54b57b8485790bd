package abi

import (
	"errors"
	"testing"
)

// ofVersion is a library that answers all calls with the version of its ABI.
func ofVersion(version uintptr) *Library {
	return &Library{Invoke: func(uintptr, *Arguments) uintptr { return version }}
}

// A process has one library, so that all is one test.
func TestLibraries(t *testing.T) {
	if err := Need(); !errors.Is(err, ErrNone) {
		t.Errorf("found %v, expected %v", err, ErrNone)
	}
	missing := errors.New("missing")
	FindWith(func() (*Library, error) { return nil, Unusable("the library is %w", missing) })
	if err := Need(); !errors.Is(err, ErrNone) || !errors.Is(err, missing) || err.Error() != "the library is missing" {
		t.Errorf("found %v", err)
	}
	const other = "the library has version 7 of the ABI, expected 0"
	Link(ofVersion(7))
	for name, err := range map[string]error{"linked": Need(), "chosen": Use(ofVersion(7))} {
		if !errors.Is(err, ErrNone) || err.Error() != other {
			t.Errorf("%s: found %v, expected %s", name, err, other)
		}
	}
	// None of that is in the way of one that can be used.
	Link(ofVersion(ABI))
	if err := Need(); err != nil {
		t.Error(err)
	}
	if err := Use(ofVersion(ABI)); !errors.Is(err, ErrTaken) {
		t.Errorf("found %v, expected %v", err, ErrTaken)
	}
}
