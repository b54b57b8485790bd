package dralloc_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"testing"

	"github.com/dralloc/dralloc/go"
)

// gates are those of features as conformance cases name them.
var gates = map[string]string{
	"adminAccess":             "DRAAdminAccess",
	"compatibilityGroups":     "DRADeviceCompatibilityGroups",
	"consumableCapacity":      "DRAConsumableCapacity",
	"derivedAttributes":       "DRADerivedAttributes",
	"deviceBindingAndStatus":  "DRADeviceBindingConditions",
	"deviceTaints":            "DRADeviceTaints",
	"fractionalCapacityRange": "DRAFractionalCapacityRange",
	"listTypeAttributes":      "DRAListTypeAttributes",
	"optionalNodeOperations":  "DRAOptionalNodeOperations",
	"partitionableDevices":    "DRAPartitionableDevices",
	"prioritizedList":         "DRAPrioritizedList",
}

// conformanceCase is a line of testdata/conformance.
type conformanceCase struct {
	Name           string            `json:"name"`
	Features       map[string]bool   `json:"features"`
	Node           json.RawMessage   `json:"node"`
	DeviceClasses  []json.RawMessage `json:"deviceClasses"`
	ResourceSlices []json.RawMessage `json:"resourceSlices"`
	Allocated      json.RawMessage   `json:"allocated"`
	Claims         json.RawMessage   `json:"claims"`
}

func TestConformance(t *testing.T) {
	cases := must[*os.File](t)(os.Open("../testdata/conformance/generated.jsonl"))
	defer cases.Close()
	digests := must[*os.File](t)(os.Open("../testdata/corpus/conformance.digests"))
	defer digests.Close()
	workspace := must[*dralloc.Workspace](t)(dralloc.NewWorkspace())
	expected := bufio.NewScanner(digests)
	lines := bufio.NewScanner(cases)
	lines.Buffer(nil, 1<<24)
	count := 0
	for lines.Scan() && expected.Scan() {
		count++
		if found := digest(t, lines.Bytes(), workspace); found != expected.Text() {
			t.Errorf("found %s, expected %s", found, expected.Text())
		}
	}
	if count != 2000 || lines.Err() != nil {
		t.Errorf("found %d cases, expected 2000", count)
	}
	workspace.Close()
	noHandles(t)
}

// digest returns the line of a case, as testdata/corpus/README.md says.
func digest(t *testing.T, line []byte, workspace *dralloc.Workspace) string {
	var one conformanceCase
	if err := json.Unmarshal(line, &one); err != nil {
		t.Fatal(err)
	}
	outcome, err := answerOf(t, &one, workspace)
	kind, text := "error", json.RawMessage(nil)
	var failure *dralloc.Error
	switch {
	case errors.As(err, &failure):
		text = failure.JSON()
	case err != nil:
		t.Fatal(err)
	default:
		kind, text = outcome.Kind().String(), outcome.JSON()
	}
	hash := fnv.New64a()
	hash.Write(text)
	return fmt.Sprintf("%s\t%s\t%016x", one.Name, kind, hash.Sum64())
}

// answerOf answers a case, and once more in numbers, which have to be the same.
func answerOf(t *testing.T, one *conformanceCase, workspace *dralloc.Workspace) (*dralloc.Outcome, error) {
	var features []dralloc.EngineOption
	for name, gate := range gates {
		features = append(features, dralloc.WithGate(gate, one.Features[name]))
	}
	engine := must[*dralloc.Engine](t)(dralloc.NewEngine(features...))
	defer engine.Close()
	if _, err := engine.Apply(one.Node); err != nil {
		return nil, err
	}
	for _, object := range slices.Concat(one.DeviceClasses, one.ResourceSlices) {
		if _, err := engine.Apply(object); err != nil {
			return nil, err
		}
	}
	if _, err := engine.Change(map[string]any{"allocated": one.Allocated}); err != nil {
		return nil, err
	}
	snapshot := must[*dralloc.Snapshot](t)(engine.Snapshot())
	defer snapshot.Close()
	claims, err := snapshot.Prepare(one.Claims)
	if err != nil {
		return nil, err
	}
	defer claims.Close()
	transaction := must[*dralloc.Transaction](t)(snapshot.Transaction())
	defer transaction.Close()
	name := must[[]string](t)(snapshot.Nodes())[0]
	outcome, err := transaction.Allocate(t.Context(), name, claims, workspace)
	if err != nil {
		return nil, err
	}
	again := must[*dralloc.Transaction](t)(snapshot.Transaction())
	defer again.Close()
	nodes := must[*dralloc.NodeList](t)(snapshot.NodeList(name))
	defer nodes.Close()
	kind, devices, err := again.AllocateDevices(t.Context(), nodes, 0, claims, nil, workspace)
	if err != nil || kind != outcome.Kind() || !slices.Equal(devices, outcome.Devices()) {
		t.Errorf("%s: found %s %v %v, expected %s %v", one.Name, kind, devices, err, outcome.Kind(), outcome.Devices())
	}
	return outcome, nil
}
