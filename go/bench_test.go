package dralloc_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dralloc/dralloc/go"
)

// measured is what benchmarks ask: 5,000 nodes with eight devices each, as in
// crates/capi/benches, whose figures stand beside these.
type measured struct {
	engine      *dralloc.Engine
	snapshot    *dralloc.Snapshot
	nodes       *dralloc.NodeList
	claims      *dralloc.Claims
	transaction *dralloc.Transaction
	start       *dralloc.Savepoint
}

const measuredClaim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"namespace":"default",` +
	`"name":"training","uid":"1f9cd81a-3b4e-4a51-a62d-3b7b7f5e0d61"},"spec":{"devices":{"requests":[{"name":"gpu",` +
	`"exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}]}}}`

func measuredObjects() string {
	var text strings.Builder
	text.WriteString(class)
	for node := range 5000 {
		fmt.Fprintf(&text, `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%04d"}}`, node)
		fmt.Fprintf(&text, `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
			"metadata":{"name":"node-%04[1]d-gpus","uid":"node-%04[1]d"},
			"spec":{"driver":"gpu.example.com","nodeName":"node-%04[1]d",
			"pool":{"name":"node-%04[1]d","generation":1,"resourceSliceCount":1},"devices":[`, node)
		for device := range 8 {
			if device > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, `{"name":"gpu-%[2]d","attributes":{"uuid":{"string":"GPU-%[1]d-%[2]d"},
				"productName":{"string":"H100"},"resource.kubernetes.io/pcieRoot":{"string":"pci%[3]d"}},
				"capacity":{"memory":{"value":"80Gi"}}}`, node, device, device/2)
		}
		text.WriteString("]}}")
	}
	return text.String()
}

var measuredOnce = sync.OnceValues(func() (*dralloc.Engine, error) {
	engine, err := dralloc.NewEngine()
	if err != nil {
		return nil, err
	}
	_, err = engine.Apply(measuredObjects())
	return engine, err
})

func newMeasured(b *testing.B) *measured {
	m := &measured{engine: must[*dralloc.Engine](b)(measuredOnce())}
	m.snapshot = must[*dralloc.Snapshot](b)(m.engine.Snapshot())
	m.nodes = must[*dralloc.NodeList](b)(m.snapshot.AllNodes())
	m.claims = must[*dralloc.Claims](b)(m.snapshot.Prepare(measuredClaim))
	m.transaction = must[*dralloc.Transaction](b)(m.snapshot.Transaction())
	m.start = must[*dralloc.Savepoint](b)(m.transaction.Savepoint())
	b.ReportAllocs()
	return m
}

// expect ends a benchmark whose answer is not what is measured.
func expect(b *testing.B, isTrue bool, err error) {
	if err != nil || !isTrue {
		b.Fatal("another answer", err)
	}
}

func BenchmarkBinary(b *testing.B) {
	m := newMeasured(b)
	ctx, room := context.Background(), make([]dralloc.Device, 0, 8)
	for b.Loop() {
		kind, devices, err := m.transaction.AllocateDevices(ctx, m.nodes, 0, m.claims, room)
		expect(b, kind == dralloc.Optimal && len(devices) == 1, err)
		expect(b, true, m.transaction.Rollback(m.start))
	}
}

func BenchmarkJSON(b *testing.B) {
	m := newMeasured(b)
	ctx := context.Background()
	for b.Loop() {
		outcome, err := m.transaction.Allocate(ctx, "node-0000", m.claims)
		expect(b, outcome.Fits(), err)
		expect(b, true, m.transaction.Rollback(m.start))
	}
}

// BenchmarkContext is BenchmarkJSON with a context that can be cancelled.
func BenchmarkContext(b *testing.B) {
	m := newMeasured(b)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		outcome, err := m.transaction.Allocate(ctx, "node-0000", m.claims)
		expect(b, outcome.Fits(), err)
		expect(b, true, m.transaction.Rollback(m.start))
	}
}

// BenchmarkDeadline is BenchmarkJSON with a context of each call's own that has a deadline.
func BenchmarkDeadline(b *testing.B) {
	m := newMeasured(b)
	for b.Loop() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		outcome, err := m.transaction.Allocate(ctx, "node-0000", m.claims)
		cancel()
		expect(b, outcome.Fits(), err)
		expect(b, true, m.transaction.Rollback(m.start))
	}
}

func BenchmarkCold(b *testing.B) {
	m := newMeasured(b)
	ctx, text := context.Background(), []byte(measuredClaim)
	for b.Loop() {
		claims, err := m.snapshot.Prepare(text)
		expect(b, true, err)
		outcome, err := m.transaction.Allocate(ctx, "node-0000", claims)
		expect(b, outcome.Fits(), err)
		claims.Close()
		expect(b, true, m.transaction.Rollback(m.start))
	}
}

func BenchmarkPlace(b *testing.B) {
	m := newMeasured(b)
	all := must[*dralloc.Options](b)(dralloc.NewOptions(dralloc.WithFindAll()))
	ctx := context.Background()
	for b.Loop() {
		placement, err := m.transaction.Place(ctx, m.claims, m.nodes, all)
		expect(b, placement.Feasible() == 5000, err)
		placement.Close()
	}
}

// BenchmarkParallel is BenchmarkBinary and BenchmarkJSON on all processors, each with a
// transaction and a node of its own, as schedulers ask.
func BenchmarkParallel(b *testing.B) {
	b.Run("Binary", func(b *testing.B) {
		parallel(b, func(m *measured, node int) func() {
			ctx, room := context.Background(), make([]dralloc.Device, 0, 8)
			return func() {
				kind, devices, err := m.transaction.AllocateDevices(ctx, m.nodes, node, m.claims, room)
				expect(b, kind == dralloc.Optimal && len(devices) == 1, err)
			}
		})
	})
	b.Run("JSON", func(b *testing.B) {
		parallel(b, func(m *measured, node int) func() {
			ctx, name := context.Background(), fmt.Sprintf("node-%04d", node)
			return func() {
				outcome, err := m.transaction.Allocate(ctx, name, m.claims)
				expect(b, outcome.Fits(), err)
			}
		})
	})
}

// parallel runs calls and takes back what they did, each goroutine on what is its own.
func parallel(b *testing.B, call func(m *measured, node int) func()) {
	m := newMeasured(b)
	var last atomic.Int64
	b.RunParallel(func(loop *testing.PB) {
		own := *m
		own.transaction = must[*dralloc.Transaction](b)(m.snapshot.Transaction())
		defer own.transaction.Close()
		start := must[*dralloc.Savepoint](b)(own.transaction.Savepoint())
		ask := call(&own, int(last.Add(1))*1000)
		for loop.Next() {
			ask()
			expect(b, true, own.transaction.Rollback(start))
		}
	})
}

// BenchmarkNothing is what a call takes that does next to nothing.
func BenchmarkNothing(b *testing.B) {
	m := newMeasured(b)
	for b.Loop() {
		_, err := dralloc.LiveHandles()
		expect(b, true, err)
	}
	_ = m
}
