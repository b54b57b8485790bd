package dralloc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/dralloc/dralloc/go"
)

// nothing is the result of a call that returns nothing.
const nothing = "nothing"

// begin begins anew, if there can be an engine with such features.
func (c *corpus) begin(features string) error {
	var options []dralloc.EngineOption
	if features != "" {
		options = append(options, dralloc.WithFeatures([]byte(features)))
	}
	engine, err := dralloc.NewEngine(options...)
	if err != nil {
		return err
	}
	c.close()
	c.engine = engine
	c.snapshot, err = engine.Snapshot()
	return err
}

// asked returns the options of a question.
func (c *corpus) asked() []dralloc.Option {
	if c.options == nil {
		return nil
	}
	return []dralloc.Option{c.options}
}

// written returns a value as all languages write it: typed values lose nothing.
func written(value any, err error) (string, error) {
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(value)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// raw is what was answered as the library wrote it.
type raw interface{ JSON() json.RawMessage }

func read[T raw](value T, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return string(value.JSON()), nil
}

func number(is bool, err error) (string, error) {
	if is {
		return "1", err
	}
	return "0", err
}

func done(err error) (string, error) { return nothing, err }

// run makes a call, and returns its result.
func (c *corpus) run(fields []string) (string, error) {
	field := func(place int) string {
		if place < len(fields) {
			return fields[place]
		}
		return ""
	}
	one, two, three := field(1), field(2), field(3)
	// What is recorded says of a context that can end that it may stop a search.
	ctx := context.Background()
	switch fields[0] {
	case "engine":
		return done(c.begin(one))
	case "reload":
		dump, err := c.engine.Dump()
		if err != nil {
			return "", err
		}
		c.engine.Close()
		c.engine, err = dralloc.LoadEngine(dump)
		return done(err)
	case "apply":
		return read(c.engine.Apply(one))
	case "change":
		return read(c.engine.Change(one))
	case "replace":
		return read(c.engine.Replace(one, two))
	case "forget":
		return read(c.engine.Forget(one))
	case "assumed":
		return number(c.engine.IsAssumed(one))
	case "snapshot":
		c.snapshot.Close()
		var err error
		c.snapshot, err = c.engine.Snapshot()
		return done(err)
	case "nodes":
		nodes, err := c.snapshot.Nodes()
		return written(nodes, err)
	case "objects":
		list, err := c.snapshot.Objects(one, two)
		return string(list), err
	case "features":
		features, err := c.snapshot.Features()
		return string(features), err
	case "record":
		c.trace.Close()
		c.lines = nil
		var err error
		c.trace, err = c.engine.Record()
		return done(err)
	case "trace":
		return c.taken()
	case "replay":
		difference, err := dralloc.Replay(c.lines)
		return written(difference, err)
	case "prepare":
		claims, err := c.snapshot.Prepare(one)
		if err == nil {
			c.claims.Close()
			c.claims = claims
		}
		return done(err)
	case "options":
		options, err := dralloc.ReadOptions([]byte(one))
		if err == nil {
			c.options.Close()
			c.options = options
		}
		return done(err)
	case "transaction":
		c.closeSavepoints()
		c.transaction.Close()
		var err error
		c.transaction, err = c.snapshot.Transaction()
		return done(err)
	case "allocate":
		return c.keep(c.transaction.Allocate(ctx, one, c.claims, c.asked()...))
	case "satisfiable":
		return c.keep(c.transaction.Satisfiable(ctx, one, c.claims, c.asked()...))
	case "results":
		results, err := c.outcome.ResultsJSON()
		return string(results), err
	case "devices":
		return c.devices()
	case "place", "placeAndAllocate":
		return c.place(fields[0], one)
	case "member":
		claims, err := c.snapshot.Prepare(one)
		if err == nil {
			c.members = append(c.members, claims)
		}
		return done(err)
	case "gang":
		return c.gang(one)
	case "placed":
		return c.placed()
	case "placedOutcome":
		return c.keep(c.placement.Outcome(must[int](c.t)(strconv.Atoi(one))))
	case "explain":
		return read(c.transaction.Explain(ctx, one, c.claims, c.asked()...))
	case "runnerUp":
		runnerUp, err := c.transaction.RunnerUp(ctx, one, c.claims, c.asked()...)
		if err == nil {
			same(c.t, runnerUp.JSON(), runnerUp)
		}
		return read(runnerUp, err)
	case "certificate":
		certified, err := c.transaction.Certificate(ctx, one, c.claims, c.asked()...)
		if err == nil {
			same(c.t, certified.JSON(), certified)
		}
		return read(certified, err)
	case "verify":
		violations, err := c.transaction.Verify(one, two, three)
		return written(violations, err)
	case "verifyCertificate":
		violations, err := c.transaction.VerifyCertificate(one, two, json.RawMessage(three))
		return written(violations, err)
	case "verifyOptimality":
		violations, err := c.transaction.VerifyOptimality(one, two, three, json.RawMessage(field(4)))
		return written(violations, err)
	case "validate":
		var features []dralloc.EngineOption
		if two != "" {
			features = append(features, dralloc.WithFeatures([]byte(two)))
		}
		problems, err := dralloc.Validate([]any{one}, features...)
		return written(problems, err)
	case "default":
		list, err := dralloc.Default(one)
		return string(list), err
	case "amounts":
		amounts, err := c.transaction.AmountsInUse(one)
		return written(amounts, err)
	case "hold":
		return done(c.transaction.Hold(one, two))
	case "release":
		return number(c.transaction.Release(one))
	case "reserve":
		return number(c.transaction.Reserve(one, two))
	case "unreserve":
		return number(c.transaction.Unreserve(one, two))
	case "markReleasing":
		return number(c.transaction.MarkReleasing(one, two == "1"))
	case "addNode":
		return done(c.transaction.AddNode(one, two))
	case "removeNode":
		return done(c.transaction.RemoveNode(one))
	case "takeAmounts":
		return done(c.transaction.TakeAmounts(one, two, three))
	case "releaseAmounts":
		return number(c.transaction.ReleaseAmounts(one))
	case "savepoint":
		savepoint, err := c.transaction.Savepoint()
		c.savepoints = append(c.savepoints, savepoint)
		return done(err)
	case "rollback":
		return done(c.transaction.Rollback(c.savepoints[must[int](c.t)(strconv.Atoi(one))]))
	case "clone":
		clone, err := c.transaction.Clone()
		c.transaction.Close()
		c.transaction = clone
		return done(err)
	case "commit":
		return read(c.transaction.Commit(c.engine))
	default:
		return "", fmt.Errorf("no call %s", fields[0])
	}
}

// keep keeps an outcome, for calls about the last one.
func (c *corpus) keep(outcome *dralloc.Outcome, err error) (string, error) {
	if err != nil {
		return "", err
	}
	c.outcome = outcome
	detail := must[*dralloc.OutcomeDetail](c.t)(outcome.Detail())
	same(c.t, outcome.JSON(), detail)
	if detail.Outcome != outcome.Kind().String() {
		c.t.Errorf("found %s, expected %s", outcome.Kind(), detail.Outcome)
	}
	return string(outcome.JSON()), nil
}

// same fails if a typed value is not what was read.
func same(t *testing.T, text []byte, value any) {
	t.Helper()
	if found := must[string](t)(written(value, nil)); found != string(text) {
		t.Errorf("the value is  %s\nexpected      %s", found, text)
	}
}

func (c *corpus) devices() (string, error) {
	var names []string
	for _, device := range c.outcome.Devices() {
		id, err := c.snapshot.Device(device.Device)
		name, err := written(id, err)
		if err != nil {
			return "", err
		}
		names = append(names, fmt.Sprintf("%d %d %d %s", device.Claim, device.Request, device.Alternative, name))
	}
	return strings.Join(names, ";"), nil
}

// nodes returns the nodes of a call; no names are all.
func (c *corpus) nodes(names string) (*dralloc.NodeList, error) {
	if names == "" {
		return nil, nil
	}
	var list []string
	if err := json.Unmarshal([]byte(names), &list); err != nil {
		return nil, err
	}
	return c.snapshot.NodeList(list...)
}

func (c *corpus) gang(names string) (string, error) {
	defer c.closeMembers()
	nodes, err := c.nodes(names)
	if err != nil {
		return "", err
	}
	defer nodes.Close()
	gang, err := c.transaction.Gang(context.Background(), c.members, nodes, c.asked()...)
	if err == nil {
		same(c.t, gang.JSON(), gang)
	}
	return read(gang, err)
}

func (c *corpus) place(name, names string) (string, error) {
	nodes, err := c.nodes(names)
	if err != nil {
		return "", err
	}
	defer nodes.Close()
	ask := c.transaction.Place
	if name == "placeAndAllocate" {
		ask = c.transaction.PlaceAndAllocate
	}
	placement, err := ask(context.Background(), c.claims, nodes, c.asked()...)
	if err != nil {
		return "", err
	}
	c.placement.Close()
	c.placement = placement
	text := must[json.RawMessage](c.t)(placement.JSON())
	detail := must[*dralloc.PlacementDetail](c.t)(placement.Detail())
	same(c.t, text, detail)
	if detail.Asked != placement.Asked() || detail.Next != placement.Next() || detail.Feasible != placement.Feasible() {
		c.t.Errorf("found %d %d %d, expected %s", placement.Asked(), placement.Next(), placement.Feasible(), text)
	}
	return string(text), nil
}

func (c *corpus) placed() (string, error) {
	nodes, err := c.placement.Nodes(nil)
	if err != nil {
		return "", err
	}
	var placed []string
	for index, node := range nodes {
		name, err := c.placement.NodeName(index)
		if err != nil {
			return "", err
		}
		placed = append(placed, fmt.Sprintf("%d %d %d %s", node.Place, node.Rank, node.Free, name))
	}
	return strings.Join(placed, ";"), nil
}

// taken takes the next lines of the trace, and returns them but for the ends of things:
// when these come is not the same in all languages.
func (c *corpus) taken() (string, error) {
	lines, err := c.trace.Take()
	if err != nil {
		return "", err
	}
	c.lines = append(c.lines, lines...)
	var calls []string
	for call := range strings.Lines(string(lines)) {
		if !strings.HasPrefix(call, `{"call":"drop",`) {
			calls = append(calls, strings.TrimSuffix(call, "\n"))
		}
	}
	return strings.Join(calls, " "), nil
}
