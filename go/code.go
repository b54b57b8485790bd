package dralloc

import "strconv"

// Code says what went wrong. It is an error itself, to be asked for with errors.Is:
//
//	errors.Is(err, dralloc.ErrNotFound)
//
// Numbers are those of `dralloc_status` and are never given another meaning. Codes below
// 100 say that a call was not made as it must be; from 100, what is wrong with the input.
type Code uint32

// Codes of errors.
const (
	// ErrNil: an argument is nil that must not be.
	ErrNil Code = 1
	// ErrClosed: an object was closed, or was made by no function of this package.
	ErrClosed Code = 2
	// ErrBusy: another thread is using a handle; calls of this package wait instead.
	ErrBusy Code = 3
	// ErrPoisoned: an earlier call panicked inside; the object can only be closed.
	ErrPoisoned Code = 4
	// ErrPanic: the library panicked, which is a bug in dralloc.
	ErrPanic Code = 5
	// ErrNotUTF8: a text is not UTF-8.
	ErrNotUTF8 Code = 6
	// ErrOutOfRange: a number is too large.
	ErrOutOfRange Code = 7
	// ErrTooSmall: there is less room than there are results; this package makes more.
	ErrTooSmall Code = 8
	// ErrSpent: the transaction was committed.
	ErrSpent Code = 9
	// ErrMalformed: a text is not an object of the expected shape.
	ErrMalformed Code = 100
	// ErrUnknownField: a field is unknown.
	ErrUnknownField Code = 101
	// ErrInvalid: a value is not allowed by the API.
	ErrInvalid Code = 102
	// ErrDuplicate: two things have one name.
	ErrDuplicate Code = 103
	// ErrNotFound: a named thing does not exist.
	ErrNotFound Code = 104
	// ErrUnsupported: a kind of selector, request, constraint or mode is not known here.
	ErrUnsupported Code = 105
	// ErrFeatureDisabled: the input needs a feature that is switched off.
	ErrFeatureDisabled Code = 106
	// ErrLimitExceeded: a size limit of the API is exceeded.
	ErrLimitExceeded Code = 107
	// ErrCELCompile: a CEL expression does not compile.
	ErrCELCompile Code = 108
	// ErrCELEvaluation: a CEL expression fails on a device.
	ErrCELEvaluation Code = 109
	// ErrAttribute: an attribute of a device has no usable value.
	ErrAttribute Code = 110
	// ErrCapacity: an amount cannot be computed.
	ErrCapacity Code = 111
	// ErrNodeSelector: a node selector is malformed.
	ErrNodeSelector Code = 112
	// ErrPool: a pool is incomplete or contradicts itself.
	ErrPool Code = 113
	// ErrConflict: an object changed meanwhile.
	ErrConflict Code = 114
	// ErrInternal: an invariant of dralloc is broken, a bug.
	ErrInternal Code = 199
)

var codeNames = map[Code]string{
	ErrNil:             "null-argument",
	ErrClosed:          "wrong-handle",
	ErrBusy:            "busy",
	ErrPoisoned:        "poisoned",
	ErrPanic:           "panic",
	ErrNotUTF8:         "not-utf8",
	ErrOutOfRange:      "out-of-range",
	ErrTooSmall:        "too-small",
	ErrSpent:           "spent",
	ErrMalformed:       "malformed",
	ErrUnknownField:    "unknown-field",
	ErrInvalid:         "invalid",
	ErrDuplicate:       "duplicate",
	ErrNotFound:        "not-found",
	ErrUnsupported:     "unsupported",
	ErrFeatureDisabled: "feature-disabled",
	ErrLimitExceeded:   "limit-exceeded",
	ErrCELCompile:      "cel-compile",
	ErrCELEvaluation:   "cel-evaluation",
	ErrAttribute:       "attribute",
	ErrCapacity:        "capacity",
	ErrNodeSelector:    "node-selector",
	ErrPool:            "pool",
	ErrConflict:        "conflict",
	ErrInternal:        "internal",
}

// String returns the stable name of a code, such as `not-found`.
func (c Code) String() string {
	if name, isKnown := codeNames[c]; isKnown {
		return name
	}
	return "code " + strconv.FormatUint(uint64(c), 10)
}

// Error returns the name of a code.
func (c Code) Error() string { return c.String() }
