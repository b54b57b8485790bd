package dynamic_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/dralloc/dralloc/go"
	"github.com/dralloc/dralloc/go/dynamic"
)

// isAlone says that no library is part of the program.
var isAlone bool

// A process has one library, so that all is one test.
func TestLoad(t *testing.T) {
	path := os.Getenv(dynamic.Variable)
	if path == "" {
		t.Skip("DRALLOC_LIBRARY is not set")
	}
	for file, expected := range map[string]string{
		"/no/such/library.so": "the library `/no/such/library.so` cannot be loaded: ",
		"":                    "the library `` has no function `dralloc_bytes_data`: ",
		"dynamic.go":          "the library `dynamic.go` cannot be loaded: ",
		os.TempDir():          "the library `" + os.TempDir() + "` cannot be loaded: ",
		"libc.so.6":           "the library `libc.so.6` has no function `dralloc_bytes_data`: ",
	} {
		if err := dynamic.Load(file); !errors.Is(err, dralloc.ErrNoLibrary) || !strings.HasPrefix(err.Error(), expected) {
			t.Errorf("found %v, expected %s", err, expected)
		}
		if file == "" || !isAlone {
			continue
		}
		t.Setenv(dynamic.Variable, file)
		if _, err := dralloc.NewEngine(); !errors.Is(err, dralloc.ErrNoLibrary) || !strings.HasPrefix(err.Error(), expected) {
			t.Errorf("found %v, expected %s", err, expected)
		}
	}
	for _, text := range []string{"", "no library"} {
		if err := dynamic.LoadBytes([]byte(text)); !errors.Is(err, dralloc.ErrNoLibrary) {
			t.Errorf("found %v of a text", err)
		}
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
