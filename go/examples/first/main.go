// First allocates a device for a claim.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/dralloc/dralloc/go"
)

const objects = `
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"},
 "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]}}
{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "node-1-gpus"},
 "spec": {"driver": "gpu.example.com", "nodeName": "node-1", "devices": [{"name": "gpu-0"}],
  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1}}}`

const claim = `
{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
 "metadata": {"namespace": "default", "name": "training"},
 "spec": {"devices": {"requests": [{"name": "gpu",
  "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}]}}}`

// must returns a value that there is.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	engine := must(dralloc.NewEngine())
	defer engine.Close()
	must(engine.Apply(objects))
	snapshot := must(engine.Snapshot())
	defer snapshot.Close()
	claims := must(snapshot.Prepare(claim))
	defer claims.Close()
	transaction := must(snapshot.Transaction())
	defer transaction.Close()
	outcome := must(transaction.Allocate(context.Background(), "node-1", claims))
	fmt.Println(outcome)
	for _, result := range must(outcome.Results())[0].Devices.Results {
		fmt.Println(result.Request, "gets", result.ID())
	}
}
