package dralloc_test

import (
	"testing"

	"github.com/dralloc/dralloc/go"
)

const (
	node  = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"}}`
	class = `{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},
		"spec":{"selectors":[{"cel":{"expression":"device.driver == 'gpu.example.com'"}}]}}`
	slice = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"node-1-gpus"},
		"spec":{"driver":"gpu.example.com","nodeName":"node-1",
			"pool":{"name":"node-1","generation":1,"resourceSliceCount":1},
			"devices":[{"name":"gpu-0"},{"name":"gpu-1"}]}}`
	claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",
		"metadata":{"namespace":"default","name":"training","uid":"uid-training"},
		"spec":{"devices":{"requests":[{"name":"gpu",
			"exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}]}}}`
)

// must returns a value that there is.
func must[T any](t testing.TB) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// world is what most tests need.
type world struct {
	engine      *dralloc.Engine
	snapshot    *dralloc.Snapshot
	transaction *dralloc.Transaction
	claims      *dralloc.Claims
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{engine: must[*dralloc.Engine](t)(dralloc.NewEngine())}
	must[*dralloc.Applied](t)(w.engine.Apply(node, class, slice))
	w.snapshot = must[*dralloc.Snapshot](t)(w.engine.Snapshot())
	w.transaction = must[*dralloc.Transaction](t)(w.snapshot.Transaction())
	w.claims = must[*dralloc.Claims](t)(w.snapshot.Prepare(claim))
	return w
}

func (w *world) close() {
	w.claims.Close()
	w.transaction.Close()
	w.snapshot.Close()
	w.engine.Close()
}

const answer = `{"outcome":"optimal","node":"node-1","results":[{"devices":{"results":[` +
	`{"request":"gpu","driver":"gpu.example.com","pool":"node-1","device":"gpu-0"}]},` +
	`"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[` +
	`{"key":"metadata.name","operator":"In","values":["node-1"]}]}]}}]}`
