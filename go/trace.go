package dralloc

import "github.com/dralloc/dralloc/go/internal/abi"

// Trace keeps the calls of an engine, and of what was made of it, as lines of text. Any
// number of goroutines may use it at once.
type Trace struct{ shared }

// Record writes the calls that follow to a trace: those of the engine, and of what is made
// of it from now on. Its first line is all that the engine knows now.
//
// It ends when the trace is closed, or when the engine is recorded anew. Calls that only
// look ([Transaction.Explain], [Transaction.RunnerUp], [Transaction.Certificate] and
// [Transaction.Verify]) are not written. Transactions that began before can be committed
// no more ([ErrConflict]); all else may be used further.
func (e *Engine) Record() (*Trace, error) {
	c, err := e.begin(abi.EngineRecord)
	if err != nil {
		return nil, err
	}
	defer e.end(c)
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	t := &Trace{}
	t.handle = newHandle(c.handle, abi.TraceFree, "trace")
	t.cleanup = closeWith(t, t.handle)
	return t, nil
}

// Close frees the trace, and ends the recording; again is nothing.
func (t *Trace) Close() {
	if t != nil {
		t.shared.close()
	}
}

// Take takes the lines that were written since the last time, each with its end.
//
// All lines together, one after the other, are the trace. They are kept in memory until
// they are taken.
func (t *Trace) Take() ([]byte, error) {
	if t == nil {
		return nil, missing("trace")
	}
	raw, err := t.keep()
	if err != nil {
		return nil, err
	}
	defer t.letGo()
	c := begin(abi.TraceTake)
	defer c.end()
	return c.number(raw).takeBytes()
}

// Difference is a call of a trace whose result is not the recorded one.
type Difference struct {
	// Line is its line, from 1.
	Line int `json:"line"`
	// Call is its name.
	Call string `json:"call"`
	// Recorded is the result in the trace.
	Recorded string `json:"recorded"`
	// Replayed is the result now.
	Replayed string `json:"replayed"`
}

// Replay makes all calls of a trace again, and returns the first whose result is not the
// recorded one; nil if there is none.
func Replay(lines []byte) (*Difference, error) {
	if err := abi.Need(); err != nil {
		return nil, err
	}
	c := begin(abi.TraceReplay)
	defer c.end()
	return decoded[*Difference](c.bytes(lines).takeBytes())
}
