package dralloc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dralloc/dralloc/go"
)

// allocated commits what a claim gets on a node, and closes what that takes.
func allocated(engine *dralloc.Engine, node string, claim any) *dralloc.Applied {
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	claims := get(snapshot.Prepare(claim))
	defer claims.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	get(transaction.Allocate(context.Background(), node, claims))
	return get(transaction.Commit(engine))
}

// Events of objects that are gone.
func ExampleEngine_Change() {
	engine := twoNodes()
	defer engine.Close()
	removed := get(engine.Change(dralloc.Change{Removed: &dralloc.Removed{Kind: "Node", Name: "node-2"}}))
	fmt.Println(removed.Changed, removed.Nodes)
	again := get(engine.Change(dralloc.Change{Removed: &dralloc.Removed{Kind: "Node", Name: "node-2"}}))
	fmt.Println(again.Changed, again.Nodes)
	// Output:
	// true [node-2]
	// false []
}

// A full list, after a watch was lost.
func ExampleEngine_Replace() {
	engine := twoNodes()
	defer engine.Close()
	get(engine.Replace("Node", node, `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-3"}}`))
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	fmt.Println(get(snapshot.Nodes()))
	// Output:
	// [node-1 node-3]
}

// What was assumed is taken back, since binding the pod has failed.
func ExampleEngine_Forget() {
	engine := twoNodes()
	defer engine.Close()
	fmt.Println(allocated(engine, "node-1", claimFor("training", 2)).Claims)
	fmt.Println(get(engine.IsAssumed("uid-training")))
	fmt.Println(get(engine.Forget("uid-training")).Claims)
	fmt.Println(get(engine.IsAssumed("uid-training")))
	// Output:
	// [uid-training]
	// true
	// [uid-training]
	// false
}

// An engine that is written and read again knows the same.
func ExampleLoadEngine() {
	engine := twoNodes()
	defer engine.Close()
	dump := get(engine.Dump())
	again := get(dralloc.LoadEngine(dump))
	defer again.Close()
	fmt.Println(string(get(again.Dump())) == string(dump))
	// Output:
	// true
}

// Calls are recorded, and made again.
func ExampleReplay() {
	engine := twoNodes()
	defer engine.Close()
	trace := get(engine.Record())
	defer trace.Close()
	allocated(engine, "node-1", claimFor("training", 2))
	difference := get(dralloc.Replay(get(trace.Take())))
	fmt.Println(difference == nil)
	// Output:
	// true
}

// How many nodes a claim fits on, and why not on the others.
func ExampleTransaction_Place() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	claims := get(snapshot.Prepare(claimFor("training", 2)))
	defer claims.Close()
	nodes := get(snapshot.NodeList("node-2", "node-1"))
	defer nodes.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	placement := get(transaction.Place(context.Background(), claims, nodes, dralloc.WithFindAll()))
	defer placement.Close()
	fmt.Println(placement.Feasible(), "of", placement.Asked())
	for _, found := range get(placement.Nodes(nil)) {
		fmt.Println(get(nodes.Name(int(found.Place))))
	}
	for _, reason := range get(placement.Detail()).Reasons {
		fmt.Printf("%d such as %s: %s\n", reason.Nodes, reason.Example, reason.Message)
	}
	// Output:
	// 1 of 2
	// node-1
	// 1 such as node-2: request `gpu` of claim 0 has too few devices
}

// A proof that claims do not fit is checked without a search.
func ExampleTransaction_Certificate() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	claim := claimFor("training", 3)
	claims := get(snapshot.Prepare(claim))
	defer claims.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	proved := get(transaction.Certificate(context.Background(), "node-1", claims))
	fmt.Println(proved.Kind)
	fmt.Println(len(get(transaction.VerifyCertificate("node-1", claim, proved.Certificate))))
	// Output:
	// infeasible
	// 0
}

// What was decided elsewhere is held, and an answer beside it checked.
func ExampleTransaction_Hold() {
	engine := twoNodes()
	defer engine.Close()
	snapshot := get(engine.Snapshot())
	defer snapshot.Close()
	transaction := get(snapshot.Transaction())
	defer transaction.Close()
	allocation := `{"devices":{"results":[
		{"request":"gpu","driver":"gpu.example.com","pool":"node-1","device":"gpu-1"}]},
		"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[
			{"key":"metadata.name","operator":"In","values":["node-1"]}]}]}}`
	if err := transaction.Hold(claimFor("elsewhere", 1), allocation); err != nil {
		log.Fatal(err)
	}
	for _, violation := range get(transaction.Verify("node-1", claimFor("training", 1), "["+allocation+"]")) {
		fmt.Println(violation.Path, violation.Message)
	}
	// Output:
	// results[0].devices.results[0].device `gpu.example.com/node-1/gpu-1` is held already, expected a free device
}
