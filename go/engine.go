package dralloc

import (
	"github.com/dralloc/dralloc/go/internal/abi"
)

// Engine keeps what devices there are and what is held of them.
//
// It is told what a cluster says ([Engine.Apply]), and gives snapshots to be asked. Any
// number of goroutines may use it; its calls wait for each other.
type Engine struct {
	exclusive
	workspaces *workspaces
}

// NewEngine makes an engine that knows nothing yet; by default all features are on.
func NewEngine(options ...EngineOption) (*Engine, error) {
	text, err := featuresText(options)
	if err != nil {
		return nil, err
	}
	return makeEngine(abi.EngineNew, text)
}

// LoadEngine makes an engine of a dump, such as that of [Engine.Dump].
func LoadEngine(dump []byte) (*Engine, error) {
	return makeEngine(abi.EngineLoad, dump)
}

func makeEngine(function abi.Function, text []byte) (*Engine, error) {
	if err := abi.Need(); err != nil {
		return nil, err
	}
	c := begin(function)
	defer c.end()
	if err := c.bytes(text).newHandle().do(); err != nil {
		return nil, err
	}
	e := &Engine{workspaces: newWorkspaces()}
	e.handle = newHandle(c.handle, abi.EngineFree, "engine")
	e.cleanup = closeWith(e, e.handle)
	return e, nil
}

// Close frees the engine; again is nothing. What was made of it can be used further.
func (e *Engine) Close() {
	if e == nil || e.workspaces == nil {
		return
	}
	e.exclusive.close()
	e.workspaces.close()
}

// begin begins a call with the engine, which end ends.
func (e *Engine) begin(function abi.Function) (*call, error) {
	if e == nil {
		return nil, missing("engine")
	}
	raw, err := e.lock()
	if err != nil {
		return nil, err
	}
	return begin(function).number(raw), nil
}

func (e *Engine) end(c *call) {
	c.end()
	e.unlock()
}

// Apply applies objects as Kubernetes prints them, any number of them and of lists:
// slices, nodes, classes, taint rules, claims, and the objects of `dralloc.dev`.
//
// An object is JSON ([]byte, json.RawMessage or string) or any value that marshals to it;
// a slice or an array is its elements. Types of k8s.io/api need no apiVersion and kind.
// A text that cannot be read changes nothing; objects before one that is refused are
// applied.
//
// Objects may come twice and in any order: an older `resourceVersion` never replaces a
// newer one. Slices, classes and taint rules are known by their uid, as an API server gives
// it: one without is one more each time, which only [Engine.Replace] takes away.
func (e *Engine) Apply(objects ...any) (*Applied, error) {
	text, err := objectsText(objects)
	if err != nil {
		return nil, err
	}
	c, err := e.begin(abi.EngineApply)
	if err != nil {
		return nil, err
	}
	defer e.end(c)
	return c.bytes(text).applied()
}

// Snapshot makes a snapshot of all that is known now, in constant time.
func (e *Engine) Snapshot() (*Snapshot, error) {
	c, err := e.begin(abi.EngineSnapshot)
	if err != nil {
		return nil, err
	}
	defer e.end(c)
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	s := &Snapshot{workspaces: e.workspaces}
	s.handle = newHandle(c.handle, abi.SnapshotFree, "snapshot")
	s.cleanup = closeWith(s, s.handle)
	return s, nil
}
