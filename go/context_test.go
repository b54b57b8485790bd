package dralloc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dralloc/dralloc/go"
)

func ended(t *testing.T) map[dralloc.StopCause]context.Context {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	t.Cleanup(cancel)
	return map[dralloc.StopCause]context.Context{dralloc.StopCancelled: cancelled, dralloc.StopDeadline: late}
}

// A context that has ended is answered with an outcome, however easy the question.
func TestContextsThatHaveEnded(t *testing.T) {
	w := newWorld(t)
	nodes := must[*dralloc.NodeList](t)(w.snapshot.AllNodes())
	for cause, ctx := range ended(t) {
		expected := fmt.Sprintf(`{"outcome":"unknown","stopCause":"%s"}`, cause)
		for range 2 {
			for _, ask := range []func(context.Context, string, *dralloc.Claims, ...dralloc.Option) (*dralloc.Outcome, error){
				w.transaction.Allocate, w.transaction.Satisfiable,
			} {
				outcome := must[*dralloc.Outcome](t)(ask(ctx, "node-1", w.claims))
				if outcome.Kind() != dralloc.Unknown || outcome.StopCause() != cause || string(outcome.JSON()) != expected {
					t.Errorf("found %s, expected %s", outcome.JSON(), expected)
				}
				if outcome.String() != "unknown: "+string(cause) || outcome.Fits() {
					t.Errorf("found %s", outcome)
				}
			}
			kind, devices, err := w.transaction.AllocateDevices(ctx, nodes, 0, w.claims, nil)
			if kind != dralloc.Unknown || devices != nil || err != nil {
				t.Errorf("found %s %v %v", kind, devices, err)
			}
			placement := must[*dralloc.Placement](t)(w.transaction.Place(ctx, w.claims, nil))
			detail := must[*dralloc.PlacementDetail](t)(placement.Detail())
			if detail.StopCause != cause || detail.Asked != 0 || detail.Feasible != 0 {
				t.Errorf("found %+v, expected %s", detail, cause)
			}
			placement.Close()
			certified := must[*dralloc.Certified](t)(w.transaction.Certificate(ctx, "node-1", w.claims))
			if certified.Kind != dralloc.Unrecorded || certified.Unrecorded != string(cause) {
				t.Errorf("found %s, expected %s", certified.JSON(), cause)
			}
			runnerUp := must[*dralloc.RunnerUp](t)(w.transaction.RunnerUp(ctx, "node-1", w.claims, dralloc.WithPolicy(dralloc.Pack)))
			if runnerUp.Kind != dralloc.RunnerUpUnknown || runnerUp.StopCause != cause {
				t.Errorf("found %s, expected %s", runnerUp.JSON(), cause)
			}
			// What is counted without a search is told all the same.
			explanation := must[*dralloc.Explanation](t)(w.transaction.Explain(ctx, "node-1", w.claims))
			if explanation.Requests[0].Usable != 2 || explanation.Class != nil {
				t.Errorf("found %s", explanation.JSON())
			}
		}
	}
	// Nothing is held, and another context asks anew.
	if outcome := must[*dralloc.Outcome](t)(w.transaction.Allocate(t.Context(), "node-1", w.claims)); string(outcome.JSON()) != answer {
		t.Errorf("found %s", outcome.JSON())
	}
	nodes.Close()
	w.close()
	noHandles(t)
}

// ownContext is what somebody else made of a context.
type ownContext struct {
	deadline time.Time
	done     chan struct{}
	err      error
}

func (c ownContext) Deadline() (time.Time, bool) { return c.deadline, !c.deadline.IsZero() }
func (c ownContext) Done() <-chan struct{}       { return c.done }
func (c ownContext) Err() error                  { return c.err }
func (ownContext) Value(any) any                 { return nil }

// Contexts and limits at the ends of what there is are like all others.
func TestOddContextsAndLimits(t *testing.T) {
	w := newWorld(t)
	background := context.Background()
	until := func(year int) context.Context {
		ctx, cancel := context.WithDeadline(background, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
		t.Cleanup(cancel)
		return ctx
	}
	for name, test := range map[string]struct {
		ctx      context.Context
		option   dralloc.Option
		expected string
	}{
		"deadline and no channel":    {ownContext{deadline: time.Now().Add(time.Hour)}, nil, "optimal"},
		"past and no channel":        {ownContext{deadline: time.Unix(1, 0)}, nil, "unknown: deadline"},
		"channel that nobody closes": {ownContext{done: make(chan struct{})}, nil, "optimal"},
		"error of one's own":         {ownContext{err: errors.New("own")}, nil, "unknown: cancelled"},
		"error of a deadline":        {ownContext{err: context.DeadlineExceeded}, nil, "unknown: deadline"},
		"far future":                 {until(9999), nil, "optimal"},
		"far past":                   {until(1), nil, "unknown: deadline"},
		"not cancelled any more":     {context.WithoutCancel(until(1)), nil, "optimal"},
		"value of one that ended":    {context.WithValue(until(1), ownContext{}, 1), nil, "unknown: deadline"},
		"longest timeout":            {background, dralloc.WithTimeout(math.MaxInt64), "optimal"},
		"negative timeout":           {background, dralloc.WithTimeout(math.MinInt64), "unknown: deadline"},
		"most branches":              {background, dralloc.WithBranches(math.MaxUint64), "optimal"},
		"no branches":                {background, dralloc.WithBranches(0), "unknown: branches"},
		"no time":                    {background, dralloc.WithNow(time.Time{}), "optimal"},
		"last time":                  {background, dralloc.WithNow(time.Unix(math.MaxInt64, 0)), "optimal"},
	} {
		var options []dralloc.Option
		if test.option != nil {
			options = append(options, test.option)
		}
		outcome, err := w.transaction.Satisfiable(test.ctx, "node-1", w.claims, options...)
		if err != nil || outcome.String() != test.expected {
			t.Errorf("%s: found %s %v, expected %s", name, outcome, err, test.expected)
		}
	}
	w.close()
	noHandles(t)
}

// hard is a question whose search takes far longer than any test waits: to colour a graph
// that has no triangle and needs five colours with four. Requests are its corners,
// constraints its edges.
func hard(t *testing.T) *world {
	t.Helper()
	corners, edges := 2, [][2]int{{0, 1}}
	// Each step of Mycielski's takes one colour more, and makes no triangle.
	for range 3 {
		for _, edge := range slices.Clone(edges) {
			edges = append(edges, [2]int{edge[0], corners + edge[1]}, [2]int{corners + edge[0], edge[1]})
		}
		for corner := range corners {
			edges = append(edges, [2]int{corners + corner, 2 * corners})
		}
		corners = 2*corners + 1
	}
	var devices, requests, constraints []string
	for device := range 4 * corners {
		devices = append(devices, fmt.Sprintf(`{"name":"gpu-%02d","attributes":{"colour":{"int":%d}}}`, device, device%4))
	}
	for corner := range corners {
		requests = append(requests, fmt.Sprintf(
			`{"name":"r%d","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}`, corner))
	}
	for _, edge := range edges {
		constraints = append(constraints, fmt.Sprintf(
			`{"requests":["r%d","r%d"],"distinctAttribute":"gpu.example.com/colour"}`, edge[0], edge[1]))
	}
	w := &world{engine: must[*dralloc.Engine](t)(dralloc.NewEngine())}
	must[*dralloc.Applied](t)(w.engine.Apply(node, class,
		strings.Replace(slice, `{"name":"gpu-0"},{"name":"gpu-1"}`, strings.Join(devices, ","), 1)))
	w.snapshot = must[*dralloc.Snapshot](t)(w.engine.Snapshot())
	w.transaction = must[*dralloc.Transaction](t)(w.snapshot.Transaction())
	w.claims = must[*dralloc.Claims](t)(w.snapshot.Prepare(fmt.Sprintf(
		`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"namespace":"default","name":"hard","uid":"u"},
		"spec":{"devices":{"requests":[%s],"constraints":[%s]}}}`, strings.Join(requests, ","), strings.Join(constraints, ","))))
	return w
}

// askHard are the questions to one node whose search is long.
func askHard(w *world, nodes *dralloc.NodeList) map[string]func(context.Context, ...dralloc.Option) (string, error) {
	outcome := func(outcome *dralloc.Outcome, err error) (string, error) {
		if err != nil {
			return "", err
		}
		return string(outcome.StopCause()), nil
	}
	return map[string]func(context.Context, ...dralloc.Option) (string, error){
		"allocate": func(ctx context.Context, options ...dralloc.Option) (string, error) {
			return outcome(w.transaction.Allocate(ctx, "node-1", w.claims, options...))
		},
		"satisfiable": func(ctx context.Context, options ...dralloc.Option) (string, error) {
			return outcome(w.transaction.Satisfiable(ctx, "node-1", w.claims, options...))
		},
		"allocate devices": func(ctx context.Context, options ...dralloc.Option) (string, error) {
			kind, _, err := w.transaction.AllocateDevices(ctx, nodes, 0, w.claims, nil, options...)
			return kind.String(), err
		},
		"certificate": func(ctx context.Context, options ...dralloc.Option) (string, error) {
			certified, err := w.transaction.Certificate(ctx, "node-1", w.claims, options...)
			if err != nil {
				return "", err
			}
			return certified.Unrecorded, nil
		},
		"place": func(ctx context.Context, options ...dralloc.Option) (string, error) {
			placement, err := w.transaction.Place(ctx, w.claims, nodes, options...)
			if err != nil {
				return "", err
			}
			defer placement.Close()
			detail, err := placement.Detail()
			return string(detail.StopCause), err
		},
	}
}

// The end of a context ends a search that is under way, with its cause.
func TestContextsThatEndMeanwhile(t *testing.T) {
	w := hard(t)
	nodes := must[*dralloc.NodeList](t)(w.snapshot.AllNodes())
	options := must[*dralloc.Options](t)(dralloc.NewOptions(dralloc.WithUser("pod")))
	for name, ask := range askHard(w, nodes) {
		for _, given := range [][]dralloc.Option{nil, {options}, {dralloc.WithUser("pod")}} {
			for _, cause := range []dralloc.StopCause{dralloc.StopCancelled, dralloc.StopDeadline} {
				ctx, cancel := context.WithCancel(t.Context())
				if cause == dralloc.StopDeadline {
					ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
				} else {
					time.AfterFunc(10*time.Millisecond, cancel)
				}
				found, err := ask(ctx, given...)
				cancel()
				if name == "allocate devices" && found == dralloc.Unknown.String() {
					found = string(cause)
				}
				if err != nil || found != string(cause) {
					t.Errorf("%s with %d options: found %s %v, expected %s", name, len(given), found, err, cause)
				}
			}
		}
	}
	options.Close()
	nodes.Close()
	w.close()
	noHandles(t)
}

// The earliest of several limits counts, and limits of options alone.
func TestTimeoutsAndBranches(t *testing.T) {
	w := hard(t)
	defer w.close()
	long, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	hour := must[*dralloc.Options](t)(dralloc.NewOptions(dralloc.WithTimeout(time.Hour)))
	defer hour.Close()
	for _, test := range []struct {
		ctx      context.Context
		options  []dralloc.Option
		expected dralloc.StopCause
	}{
		{context.Background(), []dralloc.Option{dralloc.WithTimeout(time.Millisecond)}, dralloc.StopDeadline},
		{long, []dralloc.Option{dralloc.WithTimeout(time.Millisecond)}, dralloc.StopDeadline},
		{short, []dralloc.Option{hour}, dralloc.StopDeadline},
		{long, []dralloc.Option{dralloc.WithBranches(1000)}, dralloc.StopBranches},
		{context.Background(), []dralloc.Option{hour, dralloc.WithBranches(1000)}, dralloc.StopBranches},
	} {
		outcome := must[*dralloc.Outcome](t)(w.transaction.Allocate(test.ctx, "node-1", w.claims, test.options...))
		if outcome.StopCause() != test.expected {
			t.Errorf("found %s, expected %s", outcome, test.expected)
		}
	}
	statistics := must[dralloc.Statistics](t)(w.transaction.Statistics())
	if statistics.Branches != 1000 {
		t.Errorf("found %+v, expected 1000 branches", statistics)
	}
}
