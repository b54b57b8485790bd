package dralloc_test

import (
	"slices"
	"testing"

	"github.com/dralloc/dralloc/go"
)

func TestAllocate(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	outcome := must[*dralloc.Outcome](t)(w.transaction.Allocate(t.Context(), "node-1", w.claims))
	if outcome.Kind() != dralloc.Optimal || string(outcome.JSON()) != answer {
		t.Errorf("found %s", outcome.JSON())
	}
	results := must[[]dralloc.AllocationResult](t)(outcome.Results())
	if found := results[0].Devices.Results[0].ID().String(); found != "gpu.example.com/node-1/gpu-0" {
		t.Errorf("found %s", found)
	}
	if !slices.Equal(outcome.Devices(), []dralloc.Device{{}}) {
		t.Errorf("found %v", outcome.Devices())
	}
	for expected, value := range map[string]any{
		answer:             outcome,
		`[` + answer + `]`: []*dralloc.Outcome{outcome},
		`[null,null]`:      []*dralloc.Outcome{nil, {}},
	} {
		same(t, []byte(expected), value)
	}
}
