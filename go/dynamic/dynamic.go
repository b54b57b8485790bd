// Package dynamic is the back end without cgo: it loads the shared library when the
// program runs.
//
// Importing it is enough where the library is installed, or the environment variable
// DRALLOC_LIBRARY has its path; [Load] and [LoadBytes] name another. A program with this
// package needs glibc, also where it is built with CGO_ENABLED=0. In a build with cgo the
// tag dralloc_dynamic leaves the static library out; without it that one is used, unless
// Load or LoadBytes come first.
package dynamic

import (
	"errors"
	"fmt"
	"os"

	"github.com/ebitengine/purego"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Variable is the environment variable with the path of the library.
const Variable = "DRALLOC_LIBRARY"

// usual is what the library is called where it is installed; the number is that of the ABI.
var usual = fmt.Sprintf("libdralloc.so.%d", abi.ABI)

func init() {
	abi.FindWith(func() (*abi.Library, error) {
		if path := os.Getenv(Variable); path != "" {
			return open(path)
		}
		return open(usual)
	})
}

// Load loads the library at a path, for all of the process; it must come before the first
// engine is made.
func Load(path string) error {
	library, err := open(path)
	if err != nil {
		return err
	}
	return abi.Use(library)
}

// LoadBytes loads a library that is part of the program, such as by go:embed, for all of
// the process; it must come before the first engine is made.
//
// It is written to a temporary file, since the system loads files only, which is removed
// at once.
func LoadBytes(library []byte) (err error) {
	file, err := os.CreateTemp("", "libdralloc-*.so")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	_, err = file.Write(library)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return Load(file.Name())
}

func open(path string) (*abi.Library, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, abi.Unusable("the library `%s` cannot be loaded: %w", path, err)
	}
	library := &abi.Library{Invoke: invoke}
	for place := range library.Addresses {
		name := abi.Function(place).Name()
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, abi.Unusable("the library `%s` has no function `%s`: %w", path, name, err)
		}
		library.Addresses[place] = address
	}
	return library, nil
}

// invoke passes arguments as the slice that they are: one by one they would need memory.
func invoke(address uintptr, arguments *abi.Arguments) uintptr {
	result, _, _ := purego.SyscallN(address, arguments[:]...)
	return result
}
