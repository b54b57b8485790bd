package dralloc_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/dralloc/dralloc/go"
)

// get returns a value that there is, for examples that are about something else.
func get[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// twoNodes returns an engine that knows a node with two devices and one with one.
func twoNodes() *dralloc.Engine {
	engine := get(dralloc.NewEngine())
	get(engine.Apply(node, class, slice, `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-2"}}`,
		`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"node-2-gpus"},
		"spec":{"driver":"gpu.example.com","nodeName":"node-2","devices":[{"name":"gpu-0"}],
		"pool":{"name":"node-2","generation":1,"resourceSliceCount":1}}}`))
	return engine
}

// claimFor returns a claim for so many devices.
func claimFor(name string, count int) map[string]any {
	return map[string]any{
		"apiVersion": "resource.k8s.io/v1",
		"kind":       "ResourceClaim",
		"metadata":   map[string]any{"namespace": "default", "name": name, "uid": "uid-" + name},
		"spec": map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
			"name":    "gpu",
			"exactly": map[string]any{"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count},
		}}}},
	}
}

func ExampleTransaction_Allocate() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	claims := get(snapshot.Prepare(claimFor("training", 2)))
	defer claims.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	for _, node := range []string{"node-2", "node-1"} {
		outcome := get(transaction.Allocate(context.Background(), node, claims))
		fmt.Println(node, outcome)
		for _, allocation := range get(outcome.Results()) {
			for _, result := range allocation.Devices.Results {
				fmt.Println(result.Request, result.ID())
			}
		}
	}
	// Output:
	// node-2 infeasible: request 0 of claim 0 has too few devices
	// node-1 optimal
	// gpu gpu.example.com/node-1/gpu-0
	// gpu gpu.example.com/node-1/gpu-1
}

// The loop of a scheduler: watch, place, assume, confirm.
func ExampleTransaction_PlaceAndAllocate() {
	engine := twoNodes()
	defer engine.Close()
	for _, name := range []string{"first", "second", "third", "fourth"} {
		snapshot := get(engine.Snapshot())
		claim := claimFor(name, 1)
		claims := get(snapshot.Prepare(claim))
		transaction := get(snapshot.Transaction())
		placement := get(transaction.PlaceAndAllocate(context.Background(), claims, nil, dralloc.WithFindBest(1)))
		if placement.Feasible() == 0 {
			fmt.Println(name, "fits nowhere")
		} else {
			outcome := get(placement.Outcome(0))
			// From here on later snapshots see the devices as held.
			get(transaction.Commit(engine))
			assumed := get(engine.IsAssumed("uid-" + name))
			// What the API server then shows confirms it.
			claim["status"] = map[string]any{"allocation": get(outcome.Results())[0]}
			get(engine.Apply(claim))
			fmt.Println(name, get(placement.NodeName(0)), assumed, get(engine.IsAssumed("uid-"+name)))
		}
		placement.Close()
		transaction.Close()
		claims.Close()
		snapshot.Close()
	}
	// Output:
	// first node-2 true false
	// second node-1 true false
	// third node-1 true false
	// fourth fits nowhere
}

// What would fit if somebody gave something back, without anybody seeing it.
func ExampleTransaction_Rollback() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	victim, large := claimFor("victim", 1), claimFor("large", 2)
	get(transaction.Allocate(context.Background(), "node-1", get(snapshot.Prepare(victim))))

	claims := get(snapshot.Prepare(large))
	defer claims.Close()
	before := get(transaction.Savepoint())
	defer before.Close()
	fmt.Println("beside it:", get(transaction.Allocate(context.Background(), "node-1", claims)).Kind())
	get(transaction.Release(victim))
	fmt.Println("without it:", get(transaction.Allocate(context.Background(), "node-1", claims)).Kind())
	if err := transaction.Rollback(before); err != nil {
		log.Fatal(err)
	}
	fmt.Println("as before:", get(transaction.Allocate(context.Background(), "node-1", claims)).Kind())
	if err := transaction.AddNode("node-3", "node-1"); err != nil {
		log.Fatal(err)
	}
	fmt.Println("on another node like it:", get(transaction.Allocate(context.Background(), "node-3", claims)).Kind())
	// Output:
	// beside it: infeasible
	// without it: optimal
	// as before: infeasible
	// on another node like it: optimal
}

func ExampleTransaction_Explain() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	get(transaction.Allocate(context.Background(), "node-1", get(snapshot.Prepare(claimFor("other", 1)))))
	claims := get(snapshot.Prepare(claimFor("training", 2)))
	defer claims.Close()
	explanation := get(transaction.Explain(context.Background(), "node-1", claims))
	for _, request := range explanation.Requests {
		fmt.Println(request.Name, "needs", request.Needed, "of", request.Considered, "devices, usable are", request.Usable)
		for _, refusal := range request.Refused {
			fmt.Println(refusal.Check, refusal.Devices)
		}
	}
	fmt.Println(explanation.Class.Kind, explanation.Class.Holders[0].Owner)

	certified := get(transaction.Certificate(context.Background(), "node-1", claims))
	violations := get(transaction.VerifyCertificate("node-1", claimFor("training", 2), certified.Certificate))
	fmt.Println(certified.Kind, len(violations))
	// Output:
	// gpu needs 2 of 2 devices, usable are 1
	// in use 1
	// afterRelease uid-other
	// infeasible 0
}

func ExampleWithPolicy() {
	engine := get(dralloc.NewEngine())
	defer engine.Close()
	get(engine.Apply(node, class, `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"gpus"},
		"spec":{"driver":"gpu.example.com","nodeName":"node-1","pool":{"name":"node-1","generation":1,"resourceSliceCount":1},
		"devices":[{"name":"gpu-0","attributes":{"numa":{"int":0}}},{"name":"gpu-1","attributes":{"numa":{"int":1}}},
		{"name":"gpu-2","attributes":{"numa":{"int":1}}}]}}`))
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	claims := get(snapshot.Prepare(claimFor("training", 2)))
	defer claims.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	near := dralloc.PolicyOf(dralloc.ParentsTouched("gpu.example.com/numa"))
	for _, policy := range []dralloc.Policy{dralloc.Kubernetes, near} {
		start := get(transaction.Savepoint())
		outcome := get(transaction.Allocate(context.Background(), "node-1", claims, dralloc.WithPolicy(policy)))
		for _, result := range get(outcome.Results())[0].Devices.Results {
			fmt.Println(policy, result.Device)
		}
		for _, value := range get(outcome.Detail()).Objective {
			fmt.Println(value.Term.Name, value.Value)
		}
		if err := transaction.Rollback(start); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// kubernetes gpu-0
	// kubernetes gpu-1
	// terms gpu-1
	// terms gpu-2
	// parentsTouched 1
}

// The answer in numbers, into memory that is there.
func ExampleTransaction_AllocateDevices() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	nodes := get(snapshot.NodeList("node-2", "node-1"))
	defer nodes.Close()
	claims := get(snapshot.Prepare(claimFor("training", 2)))
	defer claims.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	room := make([]dralloc.Device, 0, 8)
	for place := range get(nodes.Count()) {
		kind, devices, err := transaction.AllocateDevices(context.Background(), nodes, place, claims, room)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(place, kind)
		for _, device := range devices {
			fmt.Println(device.Claim, device.Request, get(snapshot.Device(device.Device)))
		}
	}
	// Output:
	// 0 infeasible
	// 1 optimal
	// 0 0 gpu.example.com/node-1/gpu-0
	// 0 0 gpu.example.com/node-1/gpu-1
}

func ExampleError() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	_, err := snapshot.Prepare(claimFor("training", -1))
	var failure *dralloc.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Code, failure.Path)
	}
	fmt.Println(errors.Is(err, dralloc.ErrInvalid))
	// Output:
	// invalid claims[0].spec.devices.requests[0].exactly.count
	// true
}

func ExampleValidate() {
	for _, problem := range get(dralloc.Validate([]any{claimFor("Training", 1)})) {
		fmt.Println(problem.Code, problem.Path)
	}
	// Output:
	// invalid metadata.name
}
