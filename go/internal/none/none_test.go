//go:build !cgo

// Package none tests a program without a back end.
package none

import (
	"errors"
	"testing"

	"github.com/dralloc/dralloc/go"
)

func TestNoBackEndIsAnError(t *testing.T) {
	_, engine := dralloc.NewEngine()
	_, load := dralloc.LoadEngine(nil)
	_, workspace := dralloc.NewWorkspace()
	_, options := dralloc.NewOptions()
	_, validate := dralloc.Validate(nil)
	_, fill := dralloc.Default()
	_, replay := dralloc.Replay(nil)
	_, version := dralloc.Version()
	_, live := dralloc.LiveHandles()
	for place, err := range []error{engine, load, workspace, options, validate, fill, replay, version, live} {
		if !errors.Is(err, dralloc.ErrNoLibrary) {
			t.Errorf("%d: found %v, expected %v", place, err, dralloc.ErrNoLibrary)
		}
	}
}
