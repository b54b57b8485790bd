package dynamic_test

import (
	"os"
	"strings"
	"testing"

	"github.com/dralloc/dralloc/go"
	"github.com/dralloc/dralloc/go/dynamic"
)

// A process has one library, so that all is one test.
func TestLoad(t *testing.T) {
	path := os.Getenv(dynamic.Variable)
	if path == "" {
		t.Skip("DRALLOC_LIBRARY is not set")
	}
	if err := dynamic.Load("/no/such/library.so"); err == nil || !strings.HasPrefix(err.Error(), "the library `/no/such/library.so` cannot be loaded: ") {
		t.Errorf("found %v", err)
	}
	if err := dynamic.Load("libc.so.6"); err == nil || !strings.HasPrefix(err.Error(), "the library `libc.so.6` has no function `dralloc_bytes_data`: ") {
		t.Errorf("found %v", err)
	}
	if err := dynamic.LoadBytes([]byte("no library")); err == nil {
		t.Error("found a library in a text")
	}
	library, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := dynamic.LoadBytes(library); err != nil {
		t.Fatal(err)
	}
	if version, err := dralloc.Version(); err != nil || version != os.Getenv("DRALLOC_VERSION") {
		t.Errorf("found %s %v, expected %s", version, err, os.Getenv("DRALLOC_VERSION"))
	}
	engine, err := dralloc.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	engine.Close()
	if err := dynamic.Load(path); err == nil || err.Error() != "a library is in use already, expected one in a process" {
		t.Errorf("found %v", err)
	}
	if live, err := dralloc.LiveHandles(); live != 0 || err != nil {
		t.Errorf("found %d %v", live, err)
	}
}
