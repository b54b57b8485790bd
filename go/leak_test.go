package dralloc_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/dralloc/dralloc/go"
)

// useAndForget uses one of everything, and closes nothing.
func useAndForget(t *testing.T, ctx context.Context) {
	w := newWorld(t)
	nodes := must[*dralloc.NodeList](t)(w.snapshot.AllNodes())
	options := must[*dralloc.Options](t)(dralloc.NewOptions(dralloc.WithFindAll()))
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	start := must[*dralloc.Savepoint](t)(w.transaction.Savepoint())
	must[*dralloc.Placement](t)(w.transaction.Place(ctx, w.claims, nodes, options, workspace))
	must[*dralloc.Outcome](t)(w.transaction.Allocate(ctx, "node-1", w.claims, options))
	must[*dralloc.Transaction](t)(w.transaction.Clone())
	if err := w.transaction.Rollback(start); err != nil {
		t.Error(err)
	}
	if _, err := w.transaction.Allocate(ctx, "node-9", w.claims); err == nil {
		t.Error("found a node that there is not")
	}
}

// What nobody refers to any more is freed, closed or not.
func TestForgottenObjects(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 20 {
		useAndForget(t, ctx)
	}
	forgotten(t)
}

// forgotten waits until all that nobody refers to any more is freed.
func forgotten(t *testing.T) {
	t.Helper()
	// Cleanups run some time after a collection, and those of children before others.
	for range 1000 {
		runtime.GC()
		if must[uint64](t)(dralloc.LiveHandles()) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	noHandles(t)
}

// callCount is how many calls tests of many make, which DRALLOC_GO_CALLS sets.
func callCount(t *testing.T) int {
	t.Helper()
	text := os.Getenv("DRALLOC_GO_CALLS")
	if text == "" {
		return 2000
	}
	return must[int](t)(strconv.Atoi(text))
}

// A crowd of transactions leaves no crowd of workspaces.
func TestManyTransactions(t *testing.T) {
	w := newWorld(t)
	before := must[uint64](t)(dralloc.LiveHandles())
	var crowd []*dralloc.Transaction
	for range 200 {
		own := must[*dralloc.Transaction](t)(w.snapshot.Transaction())
		must[*dralloc.Outcome](t)(own.Allocate(context.Background(), "node-1", w.claims))
		crowd = append(crowd, own)
	}
	for _, own := range crowd {
		own.Close()
	}
	kept := uint64(max(32, 2*runtime.GOMAXPROCS(0)))
	if live := must[uint64](t)(dralloc.LiveHandles()); live != before+kept {
		t.Errorf("found %d objects, expected %d", live-before, kept)
	}
	w.close()
	noHandles(t)
}

// Many calls leave nothing behind: not in the library, and not in the process.
func TestManyCalls(t *testing.T) {
	count := callCount(t)
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	options := must[*dralloc.Options](t)(dralloc.NewOptions(dralloc.WithUser("pod")))
	start := must[*dralloc.Savepoint](t)(w.transaction.Savepoint())
	before := uint64(0)
	for number := range count {
		claims := must[*dralloc.Claims](t)(w.snapshot.Prepare(claim))
		outcome := must[*dralloc.Outcome](t)(w.transaction.Allocate(ctx, "node-1", claims, options))
		if string(outcome.JSON()) != answer {
			t.Fatalf("found %s", outcome.JSON())
		}
		claims.Close()
		if err := w.transaction.Rollback(start); err != nil {
			t.Fatal(err)
		}
		live := must[uint64](t)(dralloc.LiveHandles())
		if before == 0 {
			before = live
		}
		if live != before {
			t.Fatalf("found %d handles after %d calls, expected %d", live, number, before)
		}
	}
	start.Close()
	options.Close()
	w.close()
	noHandles(t)
}

// A call needs no memory of Go's, whichever back end makes it.
func TestCallsNeedNoMemory(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	start := must[*dralloc.Savepoint](t)(w.transaction.Savepoint())
	defer start.Close()
	found := testing.AllocsPerRun(1000, func() {
		if err := w.transaction.Rollback(start); err != nil {
			t.Error(err)
		}
	})
	if found != 0 {
		t.Errorf("found %v objects for each call, expected none", found)
	}
}
