//go:build cgo && !dralloc_dynamic

// Package linked is the back end for builds with cgo: the static library is part of
// the program.
package linked

/*
#cgo pkg-config: dralloc-static
#cgo noescape invoke
#cgo nocallback invoke
#include <dralloc.h>
#include <stdint.h>

typedef void (*function)(void);

static const function functions[] = {
#include "functions.h"
};

static uintptr_t address(int place) { return (uintptr_t)functions[place]; }

typedef uintptr_t (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t);

// All parameters of the header are integers and pointers, which are passed alike; a
// function takes no notice of those that it has not.
static uintptr_t invoke(uintptr_t address, uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3,
                        uintptr_t a4, uintptr_t a5, uintptr_t a6, uintptr_t a7, uintptr_t a8,
                        uintptr_t a9, uintptr_t a10, uintptr_t a11, uintptr_t a12, uintptr_t a13,
                        uintptr_t a14) {
  return ((any)address)(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14);
}
*/
import "C"

import "github.com/dralloc/dralloc/go/internal/abi"

func init() {
	library := &abi.Library{Invoke: invoke}
	for place := range library.Addresses {
		library.Addresses[place] = uintptr(C.address(C.int(place)))
	}
	abi.Link(library)
}

func invoke(address uintptr, a *abi.Arguments) uintptr {
	return uintptr(C.invoke(C.uintptr_t(address), C.uintptr_t(a[0]), C.uintptr_t(a[1]), C.uintptr_t(a[2]),
		C.uintptr_t(a[3]), C.uintptr_t(a[4]), C.uintptr_t(a[5]), C.uintptr_t(a[6]), C.uintptr_t(a[7]),
		C.uintptr_t(a[8]), C.uintptr_t(a[9]), C.uintptr_t(a[10]), C.uintptr_t(a[11]), C.uintptr_t(a[12]),
		C.uintptr_t(a[13]), C.uintptr_t(a[14])))
}
