package dralloc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/dralloc/dralloc/go"
)

// Policies are written and read as the library has them.
func TestPolicies(t *testing.T) {
	for text, policy := range map[string]dralloc.Policy{
		`"kubernetes"`: dralloc.Kubernetes,
		`"pack"`:       dralloc.Pack,
		`"spread"`:     dralloc.Spread,
		`["waste",{"term":"evenness","attribute":"gpu.example.com/numa"},"parentsTouched"]`: dralloc.PolicyOf(
			dralloc.Waste, dralloc.Evenness("gpu.example.com/numa"), dralloc.ParentsTouched("")),
		`[]`: dralloc.PolicyOf(),
	} {
		same(t, []byte(text), policy)
		var read dralloc.Policy
		if err := json.Unmarshal([]byte(text), &read); err != nil {
			t.Error(err)
		}
		same(t, []byte(text), read)
		must[*dralloc.Options](t)(dralloc.NewOptions(dralloc.WithPolicy(policy))).Close()
	}
}

// What claims ask of levels and units comes back in answers as terms.
func TestTermsOfUnits(t *testing.T) {
	text := `{"term":"unitLevel","requests":{"gpu":2},"levels":["pcieSwitch","host"],"apartOver":"numaNode"}`
	var term dralloc.Term
	if err := json.Unmarshal([]byte(text), &term); err != nil {
		t.Error(err)
	}
	same(t, []byte(text), term)
	if term.Near == nil || term.Near.ApartOver != "numaNode" {
		t.Errorf("%+v", term.Near)
	}
}

// nodesOf are nodes with one device each, beside the two of node-1.
func nodesOf(t *testing.T, w *world, count int) {
	t.Helper()
	for node := range count {
		name := fmt.Sprintf("other-%d", node)
		must[*dralloc.Applied](t)(w.engine.Apply(
			fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":%q}}`, name),
			fmt.Sprintf(`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%[1]s-gpus"},
				"spec":{"driver":"gpu.example.com","nodeName":%[1]q,"devices":[{"name":"gpu-0"}],
				"pool":{"name":%[1]q,"generation":1,"resourceSliceCount":1}}}`, name)))
	}
	w.transaction.Close()
	w.snapshot.Close()
	w.snapshot = must[*dralloc.Snapshot](t)(w.engine.Snapshot())
	w.transaction = must[*dralloc.Transaction](t)(w.snapshot.Transaction())
}

// Options for many nodes do what they say, given one by one or made once.
func TestOptionsForManyNodes(t *testing.T) {
	w := newWorld(t)
	nodesOf(t, w, 3)
	must[*dralloc.Outcome](t)(w.transaction.Allocate(t.Context(), "other-0", w.claims))
	asked := must[*dralloc.Claims](t)(w.snapshot.Prepare(claimFor("asked", 1)))
	for _, test := range []struct {
		name     string
		options  []dralloc.Option
		expected string
	}{
		{"the first", nil, "1 of 1, next 1: node-1"},
		{"all", []dralloc.Option{dralloc.WithFindAll()}, "3 of 4, next 0: node-1 other-1 other-2"},
		{"the best two", []dralloc.Option{dralloc.WithFindBest(2)}, "3 of 4, next 0: other-1 other-2"},
		{"how many", []dralloc.Option{dralloc.WithFindCount()}, "3 of 4, next 0:"},
		{"from the third", []dralloc.Option{dralloc.WithStart(2)}, "1 of 1, next 3: other-1"},
		{"if nothing were held", []dralloc.Option{dralloc.WithFindCount(), dralloc.WithNothingHeld()}, "4 of 4, next 0:"},
		{"the last counts", []dralloc.Option{dralloc.WithFindCount(), dralloc.WithFindBest(1)}, "3 of 4, next 0: other-1"},
	} {
		once := must[*dralloc.Options](t)(dralloc.NewOptions(test.options...))
		for _, options := range [][]dralloc.Option{test.options, {once}, {once, dralloc.WithReasons()}} {
			placement := must[*dralloc.Placement](t)(w.transaction.Place(t.Context(), asked, nil, options...))
			found := fmt.Sprintf("%d of %d, next %d:", placement.Feasible(), placement.Asked(), placement.Next())
			for _, node := range must[*dralloc.PlacementDetail](t)(placement.Detail()).Nodes {
				found += " " + node.Name
			}
			if found != test.expected {
				t.Errorf("%s: found %s, expected %s", test.name, found, test.expected)
			}
			placement.Close()
		}
		once.Close()
	}
	asked.Close()
	w.close()
	noHandles(t)
}

// Options for one node do what they say.
func TestOptionsForOneNode(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	ctx, x := context.Background(), w.transaction
	two := must[*dralloc.Claims](t)(w.snapshot.Prepare(claimFor("two", 2)))
	defer two.Close()
	must[*dralloc.Outcome](t)(x.Allocate(ctx, "node-1", w.claims))
	kind := func(options ...dralloc.Option) dralloc.OutcomeKind {
		start := must[*dralloc.Savepoint](t)(x.Savepoint())
		defer start.Close()
		outcome := must[*dralloc.Outcome](t)(x.Allocate(ctx, "node-1", two, options...))
		if err := x.Rollback(start); err != nil {
			t.Error(err)
		}
		return outcome.Kind()
	}
	if found := kind(); found != dralloc.Infeasible {
		t.Errorf("found %s", found)
	}
	if is := must[bool](t)(x.MarkReleasing(claim, true)); !is {
		t.Error("the claim holds nothing")
	}
	if found := kind(); found != dralloc.Infeasible {
		t.Errorf("found %s", found)
	}
	if found := kind(dralloc.WithReleasingFree()); found != dralloc.Optimal {
		t.Errorf("found %s", found)
	}
	every := []dralloc.Option{
		dralloc.WithReleasingFree(), dralloc.WithPolicy(dralloc.Spread), dralloc.WithoutCarriedPolicies(),
		dralloc.WithBranches(1 << 40), dralloc.WithTimeout(time.Hour), dralloc.WithErrors(dralloc.SkipErrors),
		dralloc.WithNow(time.Unix(1_700_000_000, 0)), dralloc.WithUser("pod"), dralloc.WithAmounts(map[string]string{}),
	}
	if found := kind(every...); found != dralloc.Optimal {
		t.Errorf("found %s", found)
	}
}

// Options are the same after each use, beside whatever others.
func TestOptionsAreNotChangedByUse(t *testing.T) {
	w := newWorld(t)
	given := []dralloc.Option{
		dralloc.WithPolicy(dralloc.Pack), dralloc.WithBranches(1 << 20), dralloc.WithTimeout(time.Hour),
		dralloc.WithNow(time.Unix(1, 0)), dralloc.WithAmounts(`{"cpu":"1"}`), dralloc.WithFindBest(1),
	}
	others := must[*dralloc.Options](t)(dralloc.NewOptions(
		dralloc.WithPolicy(dralloc.PolicyOf(dralloc.Waste)), dralloc.WithBranches(1<<21), dralloc.WithTimeout(time.Minute),
		dralloc.WithNow(time.Unix(2, 0)), dralloc.WithAmounts(`{"cpu":"2"}`), dralloc.WithFindBest(2)))
	text := func(options ...dralloc.Option) string {
		made := must[*dralloc.Options](t)(dralloc.NewOptions(options...))
		defer made.Close()
		return string(made.Text())
	}
	expected := text(given...)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			own := must[*dralloc.Transaction](t)(w.snapshot.Transaction())
			defer own.Close()
			placement, err := own.Place(t.Context(), w.claims, nil, append(given, others)...)
			if err != nil {
				t.Error(err)
				return
			}
			placement.Close()
		})
	}
	all.Wait()
	if found := text(given...); found != expected {
		t.Errorf("found %s, expected %s", found, expected)
	}
	if found, expected := text(append(given, others)...), text(others); found != expected {
		t.Errorf("found %s, expected %s", found, expected)
	}
	terms := []dralloc.Term{dralloc.Waste}
	policy := dralloc.WithPolicy(dralloc.PolicyOf(terms...))
	terms[0] = dralloc.HealthPenalty
	if found, expected := text(policy), `{"policy":["waste"]}`; found != expected {
		t.Errorf("found %s, expected %s", found, expected)
	}
	others.Close()
	w.close()
	noHandles(t)
}

// Of several timeouts the earliest counts, in whatever order.
func TestTheEarliestTimeoutCounts(t *testing.T) {
	hour := must[*dralloc.Options](t)(dralloc.NewOptions(dralloc.WithTimeout(time.Hour)))
	defer hour.Close()
	minute := dralloc.WithTimeout(time.Minute)
	for _, options := range [][]dralloc.Option{{hour, minute}, {minute, hour}} {
		both := must[*dralloc.Options](t)(dralloc.NewOptions(options...))
		if found, expected := string(both.Text()), `{"timeoutNanoseconds":60000000000}`; found != expected {
			t.Errorf("found %s, expected %s", found, expected)
		}
		both.Close()
	}
}

// A workspace that would be passed over is an error.
func TestWorkspacesAreNoOptionsToKeep(t *testing.T) {
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	defer workspace.Close()
	_, err := dralloc.NewOptions(workspace)
	if !errors.Is(err, dralloc.ErrInvalid) || err.Error() != "a workspace is an option of calls only, expected another option" {
		t.Errorf("found %v", err)
	}
}
