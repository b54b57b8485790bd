package dralloc

import (
	"encoding/json"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// ErrNoLibrary says that there is no library that can be used: the program was built
// without cgo and does not import go/dynamic, or what that found is missing, is no library
// of dralloc, or has another version of the ABI, which the error says.
var ErrNoLibrary = abi.ErrNone

// Scope says what an error concerns.
type Scope string

// Scopes of errors.
const (
	// ScopeRequest is an error that all nodes have.
	ScopeRequest Scope = "request"
	// ScopeNode is an error of one node: another may do.
	ScopeNode Scope = "node"
)

// Error says why a call failed. That claims do not fit is no error but an [Outcome].
type Error struct {
	// Code is what went wrong.
	Code Code
	// Message says it in one line, without the path.
	Message string
	// Path is the field that is wrong, such as `spec.devices.requests[1].exactly.count`;
	// empty for the whole input.
	Path string
	// Scope is what the error concerns.
	Scope Scope

	json []byte
}

// Error returns path and message.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Is returns whether a [Code] is that of the error, for errors.Is.
func (e *Error) Is(target error) bool {
	code, isCode := target.(Code)
	return isCode && code == e.Code
}

// JSON returns the error as all languages write it: `code` (the name), `message`, `path`
// and `scope`.
func (e *Error) JSON() json.RawMessage {
	if e == nil {
		return nil
	}
	return e.json
}

type errorForm struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path"`
	Scope   Scope  `json:"scope"`
}

func newError(code Code, message string) *Error {
	form := errorForm{Code: code.String(), Message: message, Scope: ScopeRequest}
	// Texts alone always have a form.
	text, _ := json.Marshal(form)
	return &Error{Code: code, Message: message, Scope: ScopeRequest, json: text}
}

func closed(noun string) *Error {
	return newError(ErrClosed, "the "+noun+" was closed, expected one that was not")
}

func missing(noun string) *Error {
	return newError(ErrNil, "the "+noun+" is nil, expected one")
}

// takeError reads an error of the library and frees it.
func takeError(code Code, raw uintptr) error {
	c := begin(abi.ErrorJSON)
	defer c.end()
	defer free(abi.ErrorFree, raw)
	c.number(raw).newText()
	if Code(uint32(abi.Call(c.function, &c.arguments))) != 0 {
		return newError(code, "the library says no more, expected a message")
	}
	text := c.copied()
	var form errorForm
	if err := json.Unmarshal(text, &form); err != nil {
		return newError(code, string(text))
	}
	return &Error{Code: code, Message: form.Message, Path: form.Path, Scope: form.Scope, json: text}
}
