// Package abi is the one place through which calls go to the library, whichever back
// end brought it.
//
//go:generate go run ../generate
package abi

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// ABI is the number of the ABI that this module is written for.
const ABI = 0

// Most is the largest number of parameters of a function.
const Most = 15

// All parameters and results are words of 64 bits: others are not compiled for.
var _ [unsafe.Sizeof(uintptr(0)) - 8]struct{}

// Function is the place of a function in the header.
type Function int

type description struct {
	name       string
	parameters int
}

// Parameters returns how many parameters a function has.
func (f Function) Parameters() int { return functions[f].parameters }

// Name returns the name of a function in C.
func (f Function) Name() string { return functions[f].name }

// Invoke calls the function at an address; what it returns is in the low 32 bits, but
// for texts and 64-bit numbers. Functions take no notice of arguments that they have not.
type Invoke func(address uintptr, arguments *Arguments) uintptr

// Library is a library with its functions.
type Library struct {
	// Invoke calls one of them.
	Invoke Invoke
	// Addresses says where they are.
	Addresses [Count]uintptr
}

var (
	chosen atomic.Pointer[Library]
	mutex  sync.Mutex
	// linked is part of the program, if there is one.
	linked *Library
	// finder is asked for a library where none was chosen and none is linked.
	finder func() (*Library, error)
)

// ErrNone says that there is no back end.
var ErrNone = errors.New("no library: expected a build with cgo, or an import of " +
	"github.com/dralloc/dralloc/go/dynamic")

// unusable is a library that cannot be used, which is as good as none.
type unusable struct{ error }

func (u unusable) Unwrap() error      { return u.error }
func (unusable) Is(target error) bool { return target == ErrNone }

// Unusable says of a library why it cannot be used; the error is [ErrNone] as well.
func Unusable(format string, values ...any) error {
	return unusable{fmt.Errorf(format, values...)}
}

// ErrTaken says that there is a library already.
var ErrTaken = errors.New("a library is in use already, expected one in a process")

// Use chooses the library of the process, once.
func Use(library *Library) error {
	mutex.Lock()
	defer mutex.Unlock()
	return use(library)
}

func use(library *Library) error {
	if chosen.Load() != nil {
		return ErrTaken
	}
	if found := uint32(library.call(AbiVersion, &Arguments{})); found != ABI {
		return Unusable("the library has version %d of the ABI, expected %d", found, ABI)
	}
	chosen.Store(library)
	return nil
}

// Link says which library is part of the program: it is used if none is chosen before one
// is needed.
func Link(library *Library) {
	mutex.Lock()
	defer mutex.Unlock()
	linked = library
}

// FindWith sets who finds a library when one is needed and none was chosen.
func FindWith(find func() (*Library, error)) {
	mutex.Lock()
	defer mutex.Unlock()
	finder = find
}

// Need returns an error if there is no library, and none is found.
func Need() error {
	if chosen.Load() != nil {
		return nil
	}
	mutex.Lock()
	defer mutex.Unlock()
	if chosen.Load() != nil {
		return nil
	}
	if linked != nil {
		return use(linked)
	}
	if finder == nil {
		return ErrNone
	}
	library, err := finder()
	if err != nil {
		return err
	}
	return use(library)
}

// Arguments are those of a call, the first ones as many as the function has.
type Arguments [Most]uintptr

// Call calls a function of the library; [Need] must have found one. What arguments point
// to must be on the heap, and be kept by somebody until it returns.
func Call(function Function, arguments *Arguments) uintptr {
	return chosen.Load().call(function, arguments)
}

func (l *Library) call(function Function, arguments *Arguments) uintptr {
	return l.Invoke(l.Addresses[function], arguments)
}

// Text copies a text of the library that ends with a zero.
func Text(function Function) string {
	text := Call(function, &Arguments{})
	// Memory of the library is not moved; vet takes the plain conversion for a mistake.
	first := *(*unsafe.Pointer)(unsafe.Pointer(&text))
	length := 0
	for *(*byte)(unsafe.Add(first, length)) != 0 {
		length++
	}
	return string(unsafe.Slice((*byte)(first), length))
}
