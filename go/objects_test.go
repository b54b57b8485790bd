package dralloc_test

import (
	"context"
	"errors"
	"testing"

	"github.com/dralloc/dralloc/go"
)

// byPointer writes itself, by a method of the pointer only.
type byPointer struct{ text string }

func (w *byPointer) MarshalJSON() ([]byte, error) { return []byte(w.text), nil }

// broken cannot be written.
type broken struct{ err error }

func (b broken) MarshalJSON() ([]byte, error) {
	if b.err == nil {
		panic("the caller's own")
	}
	return nil, b.err
}

type (
	namedBytes []byte
	namedText  string
)

// Objects are written alike, however they are passed.
func TestObjectsInAllForms(t *testing.T) {
	pointer := &byPointer{node}
	for name, objects := range map[string][]any{
		"text":               {node},
		"bytes":              {[]byte(node)},
		"named text":         {namedText(node)},
		"named bytes":        {namedBytes(node)},
		"pointer":            {pointer},
		"pointer to pointer": {&pointer},
		"value":              {*pointer},
		"slice":              {[]byPointer{*pointer}},
		"slice of pointers":  {[]*byPointer{pointer}},
		"array":              {[1]byPointer{*pointer}},
		"pointer to slice":   {&[]byPointer{*pointer}},
		"slices of slices":   {[]any{[]any{}, [][]string{nil, {node}}}},
		"map":                {map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]string{"name": "node-1"}}},
	} {
		engine := must[*dralloc.Engine](t)(dralloc.NewEngine())
		applied, err := engine.Apply(objects...)
		if err != nil || len(applied.Nodes) != 1 || applied.Nodes[0] != "node-1" {
			t.Errorf("%s: found %+v %v", name, applied, err)
		}
		engine.Close()
	}
}

// What is no object is an error that says so, wherever it is.
func TestObjectsThatAreNone(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	itself := []any{nil}
	itself[0] = itself
	const cannot = "the object 0 cannot be written as JSON: json: error calling MarshalJSON for type dralloc_test.broken: no"
	for name, test := range map[string]struct {
		object   any
		code     dralloc.Code
		expected string
	}{
		"nil":              {nil, dralloc.ErrNil, "the object 0 is nil, expected one"},
		"nil pointer":      {(*byPointer)(nil), dralloc.ErrNil, "the object 0 is nil, expected one"},
		"nil map":          {map[string]any(nil), dralloc.ErrNil, "the object 0 is nil, expected one"},
		"nil in a slice":   {[]*byPointer{{node}, nil}, dralloc.ErrNil, "the object 0[1] is nil, expected one"},
		"slice of itself":  {itself, dralloc.ErrLimitExceeded, "slices of objects are nested deeper than 100, expected less"},
		"cannot be JSON":   {broken{errors.New("no")}, dralloc.ErrMalformed, cannot},
		"number":           {7, dralloc.ErrMalformed, "expected an object, found `7`"},
		"a change":         {dralloc.Change{Object: broken{errors.New("no")}}, dralloc.ErrMalformed, cannot},
		"two in a change":  {dralloc.Change{Object: []any{node, class}}, dralloc.ErrMalformed, "the object of the change is not one in JSON, expected exactly one"},
		"none in a change": {dralloc.Change{}, dralloc.ErrMalformed, "expected one of object, removed, held, allocated, use and twins"},
	} {
		_, err := w.engine.Apply(test.object)
		if change, isChange := test.object.(dralloc.Change); isChange {
			_, err = w.engine.Change(change)
		}
		if !errors.Is(err, test.code) || err.Error() != test.expected {
			t.Errorf("%s: found %v, expected %s", name, err, test.expected)
		}
	}
	if _, err := w.engine.Change((*dralloc.Change)(nil)); !errors.Is(err, dralloc.ErrNil) {
		t.Errorf("found %v, expected %v", err, dralloc.ErrNil)
	}
}

// panics returns what a call panics with.
func panics(call func()) (found any) {
	defer func() { found = recover() }()
	call()
	return nil
}

// A panic of the caller's own code goes to the caller, and nothing stays locked.
func TestPanicsOfTheCaller(t *testing.T) {
	w := newWorld(t)
	start := must[*dralloc.Savepoint](t)(w.transaction.Savepoint())
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	closed := make(chan struct{})
	close(closed)
	ask := func(options ...dralloc.Option) func() {
		return func() { _, _ = w.transaction.Allocate(t.Context(), "node-1", w.claims, options...) }
	}
	for name, call := range map[string]func(){
		"apply":   func() { _, _ = w.engine.Apply(broken{}) },
		"change":  func() { _, _ = w.engine.Change(dralloc.Change{Object: broken{}}) },
		"prepare": func() { _, _ = w.snapshot.Prepare(broken{}) },
		"hold":    func() { _ = w.transaction.Hold(broken{}, broken{}) },
		"amounts": func() { dralloc.WithAmounts(broken{}) },
		"option":  ask(workspace, struct{ dralloc.Option }{}),
		"context": func() {
			_, _ = w.transaction.Place(struct{ context.Context }{}, w.claims, nil, workspace)
		},
		"context without a cause": func() {
			_, _ = w.transaction.Satisfiable(ownContext{done: closed}, "node-1", w.claims, workspace)
		},
	} {
		if panics(call) == nil {
			t.Errorf("%s: found no panic", name)
		}
		if outcome, err := w.transaction.Allocate(t.Context(), "node-1", w.claims, workspace); err != nil || string(outcome.JSON()) != answer {
			t.Errorf("%s: found %s %v", name, outcome, err)
		}
		if err := w.transaction.Rollback(start); err != nil {
			t.Error(err)
		}
		must[*dralloc.Applied](t)(w.engine.Apply(node))
	}
	start.Close()
	workspace.Close()
	w.close()
	noHandles(t)
}
