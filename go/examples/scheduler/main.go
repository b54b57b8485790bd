// Scheduler is the loop of a scheduler: it watches, finds a node, assumes the claim to be
// allocated, writes its status, and goes on.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/dralloc/dralloc/go"
)

// scheduler keeps what lives as long as the program.
type scheduler struct {
	engine  *dralloc.Engine
	options *dralloc.Options
}

// watch tells the engine of an event, as informers call it.
func (s *scheduler) watch(object any) error {
	_, err := s.engine.Apply(object)
	return err
}

// schedule finds a node for a claim; its name is empty if the claim fits nowhere.
func (s *scheduler) schedule(ctx context.Context, claim any) (string, any, error) {
	// A search that takes too long ends with what is known until then.
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	for {
		node, allocation, err := s.try(ctx, claim)
		// If somebody else was faster, what is left now is asked anew.
		if !errors.Is(err, dralloc.ErrConflict) {
			return node, allocation, err
		}
	}
}

func (s *scheduler) try(ctx context.Context, claim any) (string, any, error) {
	snapshot, err := s.engine.Snapshot()
	if err != nil {
		return "", nil, err
	}
	defer snapshot.Close()
	claims, err := snapshot.Prepare(claim)
	if err != nil {
		return "", nil, err
	}
	defer claims.Close()
	transaction, err := snapshot.Transaction()
	if err != nil {
		return "", nil, err
	}
	defer transaction.Close()
	placement, err := transaction.PlaceAndAllocate(ctx, claims, nil, s.options)
	if err != nil {
		return "", nil, err
	}
	defer placement.Close()
	if placement.Feasible() == 0 {
		answer, err := placement.Detail()
		if err == nil && answer.StopCause != "" {
			err = fmt.Errorf("where the claim fits is not known yet: %s", answer.StopCause)
		}
		return "", nil, err
	}
	outcome, err := placement.Outcome(0)
	if err != nil {
		return "", nil, err
	}
	answer, err := outcome.Detail()
	if err != nil {
		return "", nil, err
	}
	// From here on the claim is assumed: later snapshots see its devices as held.
	_, err = transaction.Commit(s.engine)
	return answer.Node, answer.Results[0], err
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	options, err := dralloc.NewOptions(dralloc.WithPolicy(dralloc.Pack), dralloc.WithFindBest(1))
	if err != nil {
		return err
	}
	defer options.Close()
	engine, err := dralloc.NewEngine()
	if err != nil {
		return err
	}
	defer engine.Close()
	s := &scheduler{engine: engine, options: options}
	for _, object := range objects() {
		if err := s.watch(object); err != nil {
			return err
		}
	}
	for number := range 4 {
		claim := newClaim(number)
		node, allocation, err := s.schedule(context.Background(), claim)
		if err != nil {
			return err
		}
		if node == "" {
			fmt.Println(claim.name(), "fits nowhere")
			continue
		}
		if err := s.confirm(claim, node, allocation); err != nil {
			return err
		}
	}
	return nil
}

// confirm writes the status of a claim; here the API server refuses the first one.
func (s *scheduler) confirm(claim *claim, node string, allocation any) error {
	if claim.name() == "claim-0" {
		fmt.Println(claim.name(), "was refused on", node)
		// The devices are free again.
		_, err := s.engine.Forget(claim.name())
		return err
	}
	fmt.Println(claim.name(), "is on", node)
	// The event that comes back confirms what was assumed.
	claim.Status = map[string]any{"allocation": allocation}
	return s.watch(claim)
}

// claim is a ResourceClaim, where a program has that of k8s.io/api.
type claim struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   map[string]string `json:"metadata"`
	Spec       json.RawMessage   `json:"spec"`
	Status     map[string]any    `json:"status,omitempty"`
}

func (c *claim) name() string { return c.Metadata["uid"] }

func newClaim(number int) *claim {
	name := fmt.Sprintf("claim-%d", number)
	return &claim{
		APIVersion: "resource.k8s.io/v1",
		Kind:       "ResourceClaim",
		Metadata:   map[string]string{"namespace": "default", "name": name, "uid": name},
		Spec: json.RawMessage(`{"devices": {"requests": [{"name": "gpu", "exactly":
			{"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}]}}`),
	}
}

// objects are two nodes with a device each.
func objects() []string {
	all := []string{`{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"},
		"spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]}}`}
	for _, node := range []string{"node-1", "node-2"} {
		all = append(all, fmt.Sprintf(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": %q}}`, node))
		all = append(all, fmt.Sprintf(`{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
			"metadata": {"name": "%[1]s-gpus"}, "spec": {"driver": "gpu.example.com", "nodeName": %[1]q,
			"devices": [{"name": "gpu-0"}], "pool": {"name": %[1]q, "generation": 1, "resourceSliceCount": 1}}}`, node))
	}
	return all
}
