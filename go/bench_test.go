package dralloc_test

import (
	"context"
	"testing"

	"github.com/dralloc/dralloc/go"
)

func BenchmarkSmall(b *testing.B) {
	w := newWorld(b)
	defer w.close()
	sp, _ := w.transaction.Savepoint()
	b.ReportAllocs()
	ctx := context.Background()
	for b.Loop() {
		o, err := w.transaction.Allocate(ctx, "node-1", w.claims)
		if err != nil {
			b.Fatal(err)
		}
		_ = o
		if err := w.transaction.Rollback(sp); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	w := newWorld(b)
	defer w.close()
	b.ReportAllocs()
	for b.Loop() {
		w.claims.Count()
	}
}

var _ dralloc.Code
