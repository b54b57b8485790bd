package dralloc

import (
	"bytes"
	"sync"
	"unsafe"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// call is one call of the library. It is on the heap, with all that the library writes
// to; and it keeps what the library reads, so that this is on the heap, too.
type call struct {
	function  abi.Function
	arguments abi.Arguments
	count     int
	read      [4][]byte
	reads     int
	// textRoom and devicesRoom are where answers are written; they stay for later calls.
	textRoom    []byte
	devicesRoom []Device
	// written is other memory that is written to.
	written unsafe.Pointer

	error  uintptr
	handle uintptr
	data   unsafe.Pointer
	length uintptr
	flag   uint32
	counts [3]uintptr

	question question
}

var calls = sync.Pool{New: func() any { return new(call) }}

// begin begins a call of a function; end must follow.
func begin(function abi.Function) *call {
	c := calls.Get().(*call)
	c.function = function
	return c
}

func (c *call) end() {
	clear(c.read[:c.reads])
	c.written = nil
	c.arguments, c.count, c.reads = abi.Arguments{}, 0, 0
	c.error, c.handle, c.data, c.length, c.flag, c.counts = 0, 0, nil, 0, 0, [3]uintptr{}
	calls.Put(c)
}

// again begins a call of the same function with the same object anew.
func (c *call) again() {
	first := c.arguments[0]
	c.arguments, c.count, c.reads, c.error = abi.Arguments{first}, 1, 0, 0
}

// number passes a number, a handle, or where something is.
func (c *call) number(number uintptr) *call {
	c.arguments[c.count] = number
	c.count++
	return c
}

// bytes passes bytes, which are read during the call only.
func (c *call) bytes(text []byte) *call {
	c.read[c.reads] = text
	c.reads++
	return c.number(uintptr(unsafe.Pointer(unsafe.SliceData(text)))).number(uintptr(len(text)))
}

// string passes a text.
func (c *call) string(text string) *call {
	return c.bytes(unsafe.Slice(unsafe.StringData(text), len(text)))
}

// handles passes pointers of objects.
func (c *call) handles(handles []uintptr) *call {
	first := unsafe.SliceData(handles)
	c.read[c.reads] = unsafe.Slice((*byte)(unsafe.Pointer(first)), len(handles)*int(unsafe.Sizeof(*first)))
	c.reads++
	return c.number(uintptr(unsafe.Pointer(first))).number(uintptr(len(handles)))
}

// newHandle passes where a new handle is written.
func (c *call) newHandle() *call { return c.number(uintptr(unsafe.Pointer(&c.handle))) }

// newFlag passes where a number of 32 bits is written.
func (c *call) newFlag() *call { return c.number(uintptr(unsafe.Pointer(&c.flag))) }

// newCount passes where one of several counts is written.
func (c *call) newCount(place int) *call {
	return c.number(uintptr(unsafe.Pointer(&c.counts[place])))
}

// newText passes where it is written where a text is.
func (c *call) newText() *call {
	return c.number(uintptr(unsafe.Pointer(&c.data))).number(uintptr(unsafe.Pointer(&c.length)))
}

// answer passes where an answer is written: its kind, text and devices.
func (c *call) answer() *call {
	text, devices := unsafe.SliceData(c.textRoom), unsafe.SliceData(c.devicesRoom)
	c.newFlag().number(uintptr(unsafe.Pointer(text))).number(uintptr(len(c.textRoom))).newCount(0)
	return c.number(uintptr(unsafe.Pointer(devices))).number(uintptr(len(c.devicesRoom))).newCount(1)
}

// makeRoom makes room for an answer like the last one, for later calls.
func (c *call) makeRoom() {
	if count := int(c.counts[0]); count > len(c.textRoom) {
		c.textRoom = make([]byte, max(2*len(c.textRoom), count, 1024))
	}
	if count := int(c.counts[1]); count > len(c.devicesRoom) {
		c.devicesRoom = make([]Device, max(2*len(c.devicesRoom), count, 8))
	}
}

// room passes where several results are written, and how many there is room for.
func room[T Device | PlacedNode](c *call, results []T) *call {
	c.written = unsafe.Pointer(unsafe.SliceData(results))
	return c.number(uintptr(c.written)).number(uintptr(len(results)))
}

// do makes the call.
func (c *call) do() error {
	c.number(uintptr(unsafe.Pointer(&c.error)))
	if c.count != c.function.Parameters() {
		return newError(ErrInternal, c.function.Name()+" has other parameters")
	}
	code := Code(uint32(abi.Call(c.function, &c.arguments)))
	if code == 0 {
		return nil
	}
	return takeError(code, c.error)
}

// text makes a call that writes where a text is, and copies that.
func (c *call) text() ([]byte, error) {
	if err := c.newText().do(); err != nil {
		return nil, err
	}
	return c.copied(), nil
}

// copied copies the text that was written.
func (c *call) copied() []byte {
	return bytes.Clone(unsafe.Slice((*byte)(c.data), int(c.length)))
}

// takeBytes makes a call that returns bytes, and copies them.
func (c *call) takeBytes() ([]byte, error) {
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	return takeBytes(c.handle)
}

// takeBytes copies bytes of the library and frees them.
func takeBytes(raw uintptr) ([]byte, error) {
	c := begin(abi.BytesData)
	defer c.end()
	defer free(abi.BytesFree, raw)
	return c.number(raw).text()
}

func free(function abi.Function, raw uintptr) {
	c := begin(function)
	defer c.end()
	c.number(raw)
	abi.Call(c.function, &c.arguments)
}

// boolean makes a call that answers yes or no.
func (c *call) boolean() (bool, error) {
	if err := c.newFlag().do(); err != nil {
		return false, err
	}
	return c.flag != 0, nil
}
