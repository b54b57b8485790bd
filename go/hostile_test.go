package dralloc_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dralloc/dralloc/go"
)

// shelf is where goroutines put objects, and take those of others: used, closed, or nil.
type shelf[T any] struct {
	places [4]atomic.Pointer[T]
	close  func(*T)
}

func (s *shelf[T]) get(random *rand.Rand) *T { return s.places[random.IntN(len(s.places))].Load() }

// put puts an object somewhere; what was there is closed, or forgotten.
func (s *shelf[T]) put(random *rand.Rand, object *T, err error) error {
	if err != nil {
		return err
	}
	if old := s.places[random.IntN(len(s.places))].Swap(object); random.IntN(4) > 0 {
		s.close(old)
	}
	return nil
}

// clear forgets all.
func (s *shelf[T]) clear() {
	for place := range s.places {
		s.places[place].Store(nil)
	}
}

// shelves are all objects that there are, of two engines.
type shelves struct {
	engines      shelf[dralloc.Engine]
	snapshots    shelf[dralloc.Snapshot]
	transactions shelf[dralloc.Transaction]
	savepoints   shelf[dralloc.Savepoint]
	claims       shelf[dralloc.Claims]
	nodes        shelf[dralloc.NodeList]
	options      shelf[dralloc.Options]
	workspaces   shelf[dralloc.Workspace]
	placements   shelf[dralloc.Placement]
	traces       shelf[dralloc.Trace]
}

func newShelves() *shelves {
	return &shelves{
		engines:      shelf[dralloc.Engine]{close: (*dralloc.Engine).Close},
		snapshots:    shelf[dralloc.Snapshot]{close: (*dralloc.Snapshot).Close},
		transactions: shelf[dralloc.Transaction]{close: (*dralloc.Transaction).Close},
		savepoints:   shelf[dralloc.Savepoint]{close: (*dralloc.Savepoint).Close},
		claims:       shelf[dralloc.Claims]{close: (*dralloc.Claims).Close},
		nodes:        shelf[dralloc.NodeList]{close: (*dralloc.NodeList).Close},
		options:      shelf[dralloc.Options]{close: (*dralloc.Options).Close},
		workspaces:   shelf[dralloc.Workspace]{close: (*dralloc.Workspace).Close},
		placements:   shelf[dralloc.Placement]{close: (*dralloc.Placement).Close},
		traces:       shelf[dralloc.Trace]{close: (*dralloc.Trace).Close},
	}
}

// contextKey is the key of a value.
type contextKey struct{}

// contexts are without an end, ended, about to end, or none.
func contexts(random *rand.Rand) (context.Context, context.CancelFunc) {
	switch random.IntN(6) {
	case 0:
		return context.Background(), func() {}
	case 1:
		return context.WithTimeout(context.Background(), time.Duration(random.IntN(100))*time.Microsecond)
	case 2:
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		return ctx, cancel
	case 3:
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(errors.New("a cause"))
		return ctx, func() {}
	case 4:
		return nil, func() {}
	default:
		return context.WithCancel(context.WithValue(context.Background(), contextKey{}, random))
	}
}

// kinds is how many kinds of calls there are.
const kinds = 29

// call makes one call with whatever lies there.
func (s *shelves) call(kind int, random *rand.Rand) error {
	e, p, x, c := s.engines.get(random), s.snapshots.get(random), s.transactions.get(random), s.claims.get(random)
	ctx, cancel := contexts(random)
	defer cancel()
	options := [][]dralloc.Option{
		nil, {s.options.get(random)}, {s.workspaces.get(random)}, {s.options.get(random), s.workspaces.get(random)},
		{dralloc.WithPolicy(dralloc.Pack), s.options.get(random)}, {dralloc.WithTimeout(time.Microsecond)}, {nil},
	}[random.IntN(7)]
	answered := func(outcome *dralloc.Outcome, err error) error {
		if err == nil && outcome.Kind() == dralloc.Optimal && len(outcome.Devices()) != 1 {
			return errors.New("no devices in " + outcome.String())
		}
		return err
	}
	switch kind {
	case 0:
		engine, err := dralloc.NewEngine()
		if err == nil {
			_, err = engine.Apply(node, class, slice)
		}
		return s.engines.put(random, engine, err)
	case 1, 2:
		snapshot, err := e.Snapshot()
		return s.snapshots.put(random, snapshot, err)
	case 3, 4, 5:
		transaction, err := p.Transaction()
		return s.transactions.put(random, transaction, err)
	case 6:
		transaction, err := x.Clone()
		return s.transactions.put(random, transaction, err)
	case 7:
		savepoint, err := x.Savepoint()
		return s.savepoints.put(random, savepoint, err)
	case 8:
		return x.Rollback(s.savepoints.get(random))
	case 9, 10:
		claims, err := p.Prepare(claim)
		return s.claims.put(random, claims, err)
	case 11:
		nodes, err := p.AllNodes()
		return s.nodes.put(random, nodes, err)
	case 12:
		made, err := dralloc.NewOptions(dralloc.WithUser("pod"), dralloc.WithFindAll())
		return s.options.put(random, made, err)
	case 13:
		workspace, err := dralloc.NewWorkspace()
		return s.workspaces.put(random, workspace, err)
	case 14, 15:
		placement, err := x.Place(ctx, c, s.nodes.get(random), options...)
		return s.placements.put(random, placement, err)
	case 16:
		placement, err := x.PlaceAndAllocate(ctx, c, nil, options...)
		return s.placements.put(random, placement, err)
	case 17, 18:
		return answered(x.Allocate(ctx, "node-1", c, options...))
	case 19:
		return answered(x.Satisfiable(ctx, "node-1", c, options...))
	case 20:
		var room [1]dralloc.Device
		_, _, err := x.AllocateDevices(ctx, s.nodes.get(random), 0, c, room[:0], options...)
		return err
	case 21:
		_, err := x.Commit(e)
		return err
	case 22:
		return answered(s.placements.get(random).Outcome(0))
	case 23:
		var room [1]dralloc.PlacedNode
		_, err := s.placements.get(random).Nodes(room[:1])
		return err
	case 24:
		trace, err := e.Record()
		return s.traces.put(random, trace, err)
	case 25:
		_, err := s.traces.get(random).Take()
		return err
	case 26:
		_, err := e.Forget("uid-training")
		return err
	case 27:
		_, err := x.Gang(ctx, []*dralloc.Claims{c}, s.nodes.get(random), options...)
		return err
	default:
		_, err := x.Explain(ctx, "node-1", c, options...)
		return err
	}
}

// Whoever closes, forgets, mixes and cancels whatever whenever finds an error that says
// so: nothing crashes, hangs, or is left behind.
func TestHostileGoroutines(t *testing.T) {
	allowed := []dralloc.Code{
		dralloc.ErrNil, dralloc.ErrClosed, dralloc.ErrSpent, dralloc.ErrNotFound, dralloc.ErrInvalid, dralloc.ErrConflict,
		dralloc.ErrOutOfRange, dralloc.ErrUnsupported,
	}
	s := newShelves()
	var worked [kinds]atomic.Int64
	var all sync.WaitGroup
	for seed := range uint64(8) {
		all.Go(func() {
			random := rand.New(rand.NewPCG(seed, 7))
		calls:
			for range min(callCount(t), 50_000) {
				kind := random.IntN(kinds)
				err := s.call(kind, random)
				if err == nil {
					worked[kind].Add(1)
				}
				if random.IntN(200) == 0 {
					runtime.GC()
				}
				for _, code := range allowed {
					if err == nil || errors.Is(err, code) {
						continue calls
					}
				}
				t.Error(err)
			}
		})
	}
	all.Wait()
	for kind := range worked {
		if worked[kind].Load() == 0 {
			t.Errorf("no call of kind %d has worked", kind)
		}
	}
	s.engines.clear()
	s.snapshots.clear()
	s.transactions.clear()
	s.savepoints.clear()
	s.claims.clear()
	s.nodes.clear()
	s.options.clear()
	s.workspaces.clear()
	s.placements.clear()
	s.traces.clear()
	forgotten(t)
}
