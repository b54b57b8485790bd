package dralloc_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/dralloc/dralloc/go"
)

// calls are all methods that can fail, of one object each, by name.
func calls(t *testing.T, w *world, nodes *dralloc.NodeList, savepoint *dralloc.Savepoint, placement *dralloc.Placement, trace *dralloc.Trace, workspace *dralloc.Workspace) map[string]func() error {
	ctx := t.Context()
	e, s, x, c := w.engine, w.snapshot, w.transaction, w.claims
	return map[string]func() error{
		"engine apply":    func() error { _, err := e.Apply(node); return err },
		"engine change":   func() error { _, err := e.Change(dralloc.Change{Twins: [][]dralloc.DeviceID{}}); return err },
		"engine replace":  func() error { _, err := e.Replace("Node", node); return err },
		"engine forget":   func() error { _, err := e.Forget("uid"); return err },
		"engine assumed":  func() error { _, err := e.IsAssumed("uid"); return err },
		"engine dump":     func() error { _, err := e.Dump(); return err },
		"engine record":   func() error { _, err := e.Record(); return err },
		"engine snapshot": func() error { _, err := e.Snapshot(); return err },

		"snapshot revision":    func() error { _, err := s.Revision(); return err },
		"snapshot prepare":     func() error { _, err := s.Prepare(claim); return err },
		"snapshot transaction": func() error { _, err := s.Transaction(); return err },
		"snapshot node list":   func() error { _, err := s.NodeList(); return err },
		"snapshot all nodes":   func() error { _, err := s.AllNodes(); return err },
		"snapshot nodes":       func() error { _, err := s.Nodes(); return err },
		"snapshot objects":     func() error { _, err := s.Objects("Node", ""); return err },
		"snapshot features":    func() error { _, err := s.Features(); return err },
		"snapshot device":      func() error { _, err := s.Device(0); return err },
		"snapshot dump":        func() error { _, err := s.Dump(); return err },

		"transaction clone":       func() error { _, err := x.Clone(); return err },
		"transaction savepoint":   func() error { _, err := x.Savepoint(); return err },
		"transaction dump":        func() error { _, err := x.Dump(); return err },
		"transaction hold":        func() error { return x.Hold(claim, `{"devices":{}}`) },
		"transaction release":     func() error { _, err := x.Release(claim); return err },
		"transaction reserve":     func() error { _, err := x.Reserve(claim, "pod"); return err },
		"transaction unreserve":   func() error { _, err := x.Unreserve(claim, "pod"); return err },
		"transaction releasing":   func() error { _, err := x.MarkReleasing(claim, true); return err },
		"transaction add node":    func() error { return x.AddNode("node-2", "node-1") },
		"transaction remove node": func() error { return x.RemoveNode("node-1") },
		"transaction take":        func() error { return x.TakeAmounts("node-1", "pod", `{}`) },
		"transaction give":        func() error { _, err := x.ReleaseAmounts("pod"); return err },
		"transaction amounts":     func() error { _, err := x.AmountsInUse("node-1"); return err },
		"transaction verify":      func() error { _, err := x.Verify("node-1", claim, `[]`); return err },
		"transaction allocate":    func() error { _, err := x.Allocate(ctx, "node-1", c); return err },
		"transaction satisfiable": func() error { _, err := x.Satisfiable(ctx, "node-1", c); return err },
		"transaction explain":     func() error { _, err := x.Explain(ctx, "node-1", c); return err },
		"transaction runner-up":   func() error { _, err := x.RunnerUp(ctx, "node-1", c); return err },
		"transaction certificate": func() error { _, err := x.Certificate(ctx, "node-1", c); return err },
		"transaction statistics":  func() error { _, err := x.Statistics(); return err },
		"transaction place":       func() error { _, err := x.Place(ctx, c, nil); return err },
		"transaction gang":        func() error { _, err := x.Gang(ctx, []*dralloc.Claims{c}, nil); return err },
		"transaction commit":      func() error { _, err := x.Commit(e); return err },

		"claims count":    func() error { _, err := c.Count(); return err },
		"node list count": func() error { _, err := nodes.Count(); return err },
		"node list name":  func() error { _, err := nodes.Name(0); return err },
		"trace take":      func() error { _, err := trace.Take(); return err },
		"savepoint":       func() error { return x.Rollback(savepoint) },
		"placement nodes": func() error { _, err := placement.Nodes(nil); return err },
		"placement name":  func() error { _, err := placement.NodeName(0); return err },
		"placement outcome": func() error {
			_, err := placement.Outcome(0)
			return err
		},
		"placement json": func() error { _, err := placement.JSON(); return err },
		"statistics":     func() error { _, err := workspace.Statistics(); return err },
	}
}

func TestNilObjects(t *testing.T) {
	for name, call := range calls(t, &world{}, nil, nil, nil, nil, nil) {
		if err := call(); !errors.Is(err, dralloc.ErrNil) {
			t.Errorf("%s: found %v, expected %v", name, err, dralloc.ErrNil)
		}
	}
	(*dralloc.Engine)(nil).Close()
	(*dralloc.Snapshot)(nil).Close()
	(*dralloc.Transaction)(nil).Close()
	(*dralloc.Savepoint)(nil).Close()
	(*dralloc.Claims)(nil).Close()
	(*dralloc.NodeList)(nil).Close()
	(*dralloc.Options)(nil).Close()
	(*dralloc.Workspace)(nil).Close()
	(*dralloc.Placement)(nil).Close()
	(*dralloc.Trace)(nil).Close()
}

func TestObjectsThatNobodyMade(t *testing.T) {
	w := &world{&dralloc.Engine{}, &dralloc.Snapshot{}, &dralloc.Transaction{}, &dralloc.Claims{}}
	for name, call := range calls(t, w, &dralloc.NodeList{}, &dralloc.Savepoint{}, &dralloc.Placement{}, &dralloc.Trace{}, &dralloc.Workspace{}) {
		if err := call(); !errors.Is(err, dralloc.ErrClosed) {
			t.Errorf("%s: found %v, expected %v", name, err, dralloc.ErrClosed)
		}
	}
	w.close()
	(&dralloc.Options{}).Close()
	(&dralloc.Workspace{}).Close()
}

func TestClosedObjects(t *testing.T) {
	w := newWorld(t)
	nodes := must[*dralloc.NodeList](t)(w.snapshot.AllNodes())
	savepoint := must[*dralloc.Savepoint](t)(w.transaction.Savepoint())
	placement := must[*dralloc.Placement](t)(w.transaction.Place(t.Context(), w.claims, nodes))
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	trace := must[*dralloc.Trace](t)(w.engine.Record())
	for range 2 {
		trace.Close()
		w.close()
		nodes.Close()
		savepoint.Close()
		placement.Close()
		workspace.Close()
	}
	noHandles(t)
	for name, call := range calls(t, w, nodes, savepoint, placement, trace, workspace) {
		if err := call(); !errors.Is(err, dralloc.ErrClosed) {
			t.Errorf("%s: found %v, expected %v", name, err, dralloc.ErrClosed)
		}
	}
	noHandles(t)
}

// Only what a question is asked with is closed or nil.
func TestArgumentsThatCannotBe(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	ctx, x := t.Context(), w.transaction
	closedClaims := must[*dralloc.Claims](t)(w.snapshot.Prepare(claim))
	must[*dralloc.Outcome](t)(x.Satisfiable(ctx, "node-1", closedClaims))
	closedClaims.Close()
	nodes := must[*dralloc.NodeList](t)(w.snapshot.AllNodes())
	defer nodes.Close()
	closedNodes := must[*dralloc.NodeList](t)(w.snapshot.AllNodes())
	closedNodes.Close()
	options := must[*dralloc.Options](t)(dralloc.NewOptions())
	must[*dralloc.Outcome](t)(x.Satisfiable(context.Background(), "node-1", w.claims, options))
	options.Close()
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	workspace.Close()
	devices := func(nodes *dralloc.NodeList, node int) error {
		_, _, err := x.AllocateDevices(ctx, nodes, node, w.claims, nil)
		return err
	}
	ask := func(ctx context.Context, claims *dralloc.Claims, options ...dralloc.Option) error {
		_, err := x.Satisfiable(ctx, "node-1", claims, options...)
		return err
	}
	tests := []struct {
		name     string
		err      error
		expected dralloc.Code
	}{
		{"no context", ask(nil, w.claims), dralloc.ErrNil}, //nolint:staticcheck // Who passes nil finds out.
		{"no claims", ask(ctx, nil), dralloc.ErrNil},
		{"closed claims", ask(ctx, closedClaims), dralloc.ErrClosed},
		{"no option", ask(ctx, w.claims, nil), dralloc.ErrNil},
		{"no options", ask(ctx, w.claims, (*dralloc.Options)(nil)), dralloc.ErrNil},
		{"closed options", ask(context.Background(), w.claims, options), dralloc.ErrClosed},
		{"closed options and context", ask(ctx, w.claims, options), dralloc.ErrClosed},
		{"closed options among others", ask(ctx, w.claims, options, dralloc.WithUser("pod")), dralloc.ErrClosed},
		{"no workspace", ask(ctx, w.claims, (*dralloc.Workspace)(nil)), dralloc.ErrNil},
		{"closed workspace", ask(ctx, w.claims, workspace), dralloc.ErrClosed},
		{"no nodes", devices(nil, 0), dralloc.ErrNil},
		{"closed nodes", devices(closedNodes, 0), dralloc.ErrClosed},
		{"name of no node", func() error { _, err := nodes.Name(1); return err }(), dralloc.ErrOutOfRange},
		{"objects of no kind", func() error { _, err := w.snapshot.Objects("Pod", ""); return err }(), dralloc.ErrUnsupported},
		{"no trace", func() error { _, err := dralloc.Replay([]byte("{")); return err }(), dralloc.ErrMalformed},
		{"negative node", devices(nodes, -1), dralloc.ErrOutOfRange},
		{"no engine", func() error { _, err := x.Commit(nil); return err }(), dralloc.ErrNil},
		{"unknown node", func() error { _, err := x.Allocate(ctx, "node-9", w.claims); return err }(), dralloc.ErrNotFound},
		{"no object", func() error { _, err := w.engine.Apply(nil); return err }(), dralloc.ErrNil},
		{"no JSON", func() error { _, err := w.engine.Apply([]byte("{")); return err }(), dralloc.ErrMalformed},
		{"not UTF-8", func() error { _, err := w.engine.Apply([]byte{0xff}); return err }(), dralloc.ErrNotUTF8},
		{"no JSON value", func() error { _, err := w.engine.Apply(make(chan int)); return err }(), dralloc.ErrMalformed},
		{"no claim", func() error { _, err := w.snapshot.Prepare(node); return err }(), dralloc.ErrMalformed},
		{"no policy", ask(ctx, w.claims, dralloc.WithPolicy(dralloc.PolicyOf(dralloc.Term{Name: "nonsense"}))), dralloc.ErrMalformed},
		{"no amounts", ask(ctx, w.claims, dralloc.WithAmounts(make(chan int))), dralloc.ErrMalformed},
		{"no gate", func() error { _, err := dralloc.NewEngine(dralloc.WithGate("DRANonsense", true)); return err }(), dralloc.ErrInvalid},
		{"no engine option", func() error { _, err := dralloc.NewEngine(nil); return err }(), dralloc.ErrNil},
		{"no dump", func() error { _, err := dralloc.LoadEngine([]byte("{")); return err }(), dralloc.ErrMalformed},
	}
	for _, test := range tests {
		if !errors.Is(test.err, test.expected) {
			t.Errorf("%s: found %v, expected %v", test.name, test.err, test.expected)
		}
	}
	none := must[*dralloc.NodeList](t)(w.snapshot.NodeList())
	defer none.Close()
	placement := must[*dralloc.Placement](t)(x.Place(ctx, w.claims, none))
	defer placement.Close()
	if count := must[int](t)(none.Count()); count != 0 || placement.Asked() != 0 || placement.Feasible() != 0 {
		t.Errorf("found %d nodes in an empty list, %d asked", count, placement.Asked())
	}
	// Nothing of that is left in what was asked.
	if outcome, err := x.Allocate(ctx, "node-1", w.claims); err != nil || !outcome.Fits() {
		t.Errorf("found %v %v", outcome, err)
	}
}

// Who passes over an error has no answer, and no crash.
func TestAnswersThatAreNone(t *testing.T) {
	for _, outcome := range []*dralloc.Outcome{nil, {}} {
		if outcome.Kind() != dralloc.Unknown || outcome.Fits() || outcome.JSON() != nil || outcome.Devices() != nil ||
			outcome.StopCause() != "" || outcome.String() != "unknown" {
			t.Errorf("found %s", outcome)
		}
		_, detail := outcome.Detail()
		_, results := outcome.Results()
		_, text := outcome.ResultsJSON()
		for _, err := range []error{detail, results, text} {
			if !errors.Is(err, dralloc.ErrNil) {
				t.Errorf("found %v, expected %v", err, dralloc.ErrNil)
			}
		}
	}
	texts := []json.RawMessage{
		(*dralloc.Applied)(nil).JSON(), (*dralloc.Certified)(nil).JSON(), (*dralloc.Explanation)(nil).JSON(),
		(*dralloc.RunnerUp)(nil).JSON(), (*dralloc.Gang)(nil).JSON(), (*dralloc.Error)(nil).JSON(), (&dralloc.Applied{}).JSON(), (&dralloc.Certified{}).JSON(),
		(&dralloc.Explanation{}).JSON(), (&dralloc.RunnerUp{}).JSON(), (&dralloc.Error{}).JSON(),
	}
	for place, text := range texts {
		if text != nil {
			t.Errorf("%d: found %s", place, text)
		}
	}
	var placement *dralloc.Placement
	if placement.Asked() != 0 || placement.Feasible() != 0 || placement.Next() != 0 {
		t.Error("found nodes in no placement")
	}
}

func TestErrorsSayWhere(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	_, err := w.snapshot.Prepare(strings.Replace(claim, `"count":1`, `"count":"one"`, 1))
	var failure *dralloc.Error
	if !errors.As(err, &failure) {
		t.Fatal(err)
	}
	if failure.Code != dralloc.ErrMalformed || failure.Path != "spec.devices.requests[0].exactly.count" || failure.Scope != dralloc.ScopeRequest {
		t.Errorf("found %#v", failure)
	}
	if expected := failure.Path + ": " + failure.Message; err.Error() != expected {
		t.Errorf("found %s, expected %s", err, expected)
	}
	if !json.Valid(failure.JSON()) || errors.Is(err, dralloc.ErrNotFound) || errors.Is(err, context.Canceled) {
		t.Errorf("found %s", failure.JSON())
	}
}

func TestCommittedTransactions(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	must[*dralloc.Outcome](t)(w.transaction.Allocate(t.Context(), "node-1", w.claims))
	other := must[*dralloc.Transaction](t)(w.snapshot.Transaction())
	defer other.Close()
	must[*dralloc.Outcome](t)(other.Allocate(t.Context(), "node-1", w.claims))
	must[*dralloc.Applied](t)(w.transaction.Commit(w.engine))
	if _, err := w.transaction.Commit(w.engine); !errors.Is(err, dralloc.ErrSpent) {
		t.Errorf("found %v, expected %v", err, dralloc.ErrSpent)
	}
	if _, err := other.Commit(w.engine); !errors.Is(err, dralloc.ErrConflict) {
		t.Errorf("found %v, expected %v", err, dralloc.ErrConflict)
	}
}

// What is made of something can be used after it was closed.
func TestChildrenOutliveWhatTheyAreMadeOf(t *testing.T) {
	w := newWorld(t)
	w.engine.Close()
	w.snapshot.Close()
	clone := must[*dralloc.Transaction](t)(w.transaction.Clone())
	w.transaction.Close()
	placement := must[*dralloc.Placement](t)(clone.Place(t.Context(), w.claims, nil))
	outcome := must[*dralloc.Outcome](t)(clone.Allocate(t.Context(), "node-1", w.claims))
	clone.Close()
	w.claims.Close()
	if string(outcome.JSON()) != answer || len(outcome.Devices()) != 1 {
		t.Errorf("found %s", outcome.JSON())
	}
	outcome = must[*dralloc.Outcome](t)(placement.Outcome(0))
	if string(outcome.JSON()) != answer || len(outcome.Devices()) != 1 {
		t.Errorf("found %s", outcome.JSON())
	}
	placement.Close()
	noHandles(t)
}

func TestManyGoroutinesUseOneOfEach(t *testing.T) {
	w := newWorld(t)
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	start := must[*dralloc.Savepoint](t)(w.transaction.Savepoint())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				own, err := w.snapshot.Transaction()
				if err != nil {
					t.Error(err)
					return
				}
				for _, transaction := range []*dralloc.Transaction{own, w.transaction} {
					outcome, err := transaction.Satisfiable(t.Context(), "node-1", w.claims, workspace)
					if err != nil || string(outcome.JSON()) != answer {
						t.Error(outcome, err)
					}
				}
				if err := w.transaction.Rollback(start); err != nil {
					t.Error(err)
				}
				if _, err := w.engine.Apply(node); err != nil {
					t.Error(err)
				}
				own.Close()
			}
		})
	}
	all.Wait()
	w.close()
	workspace.Close()
	start.Close()
	noHandles(t)
}

// Calls that are under way end well; those that come later find the object closed.
func TestClosingWhileOthersUseIt(t *testing.T) {
	for range 30 {
		w := newWorld(t)
		var all sync.WaitGroup
		begin := make(chan struct{})
		for range 4 {
			all.Go(func() {
				<-begin
				for {
					own, err := w.snapshot.Transaction()
					if err == nil {
						_, err = own.Allocate(t.Context(), "node-1", w.claims)
						own.Close()
					}
					if err == nil {
						_, err = w.transaction.Satisfiable(t.Context(), "node-1", w.claims)
					}
					if err == nil {
						var snapshot *dralloc.Snapshot
						snapshot, err = w.engine.Snapshot()
						snapshot.Close()
					}
					if errors.Is(err, dralloc.ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		close(begin)
		w.claims.Close()
		w.snapshot.Close()
		w.transaction.Close()
		w.engine.Close()
		all.Wait()
	}
	noHandles(t)
}

// twice returns a copy of an object, which vet would find.
func twice[T any](original *T) *T {
	copied := reflect.New(reflect.TypeFor[T]())
	copied.Elem().Set(reflect.ValueOf(original).Elem())
	return copied.Interface().(*T)
}

// Copies of objects are a mistake that harms nothing: calls with original and copy wait
// for each other, and what was closed once is closed.
func TestCopiesOfObjects(t *testing.T) {
	w := newWorld(t)
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	copied := &world{twice(w.engine), twice(w.snapshot), twice(w.transaction), twice(w.claims)}
	other := twice(workspace)
	var all sync.WaitGroup
	for _, used := range []*world{w, copied, w, copied} {
		for _, workspace := range []*dralloc.Workspace{workspace, other} {
			all.Go(func() {
				for range 50 {
					outcome, err := used.transaction.Satisfiable(t.Context(), "node-1", used.claims, workspace)
					if err != nil || string(outcome.JSON()) != answer {
						t.Error(outcome, err)
					}
					if _, err := used.engine.Apply(node); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	copied.close()
	other.Close()
	w.close()
	workspace.Close()
	noHandles(t)
	for name, call := range calls(t, copied, nil, nil, nil, nil, nil) {
		if err := call(); !errors.Is(err, dralloc.ErrClosed) && !errors.Is(err, dralloc.ErrNil) {
			t.Errorf("%s: found %v, expected %v", name, err, dralloc.ErrClosed)
		}
	}
}

// A copy whose original is forgotten is closed, at once or later, and never used freed.
func TestCopiesOfForgottenObjects(t *testing.T) {
	var all sync.WaitGroup
	for range 20 {
		w := newWorld(t)
		copied := &world{twice(w.engine), twice(w.snapshot), twice(w.transaction), twice(w.claims)}
		all.Go(func() {
			defer copied.close()
			for {
				_, apply := copied.engine.Apply(node)
				outcome, ask := copied.transaction.Satisfiable(context.Background(), "node-1", copied.claims)
				if ask == nil && string(outcome.JSON()) != answer {
					t.Errorf("found %s", outcome)
				}
				for _, err := range []error{apply, ask} {
					if err != nil && !errors.Is(err, dralloc.ErrClosed) {
						t.Error(err)
						return
					}
				}
				if apply != nil && ask != nil {
					return
				}
			}
		})
		runtime.GC()
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	for {
		select {
		case <-done:
			noHandles(t)
			return
		default:
			runtime.GC()
		}
	}
}
