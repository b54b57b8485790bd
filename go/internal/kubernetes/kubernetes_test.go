// Package kubernetes tests the Go module with the types of k8s.io/api, which it does not
// need itself: so this is a module of its own.
package kubernetes

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/dralloc/dralloc/go"
)

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Objects as informers have them, which say nowhere what they are.
func objects() (*corev1.Node, []*resourcev1.DeviceClass, v1beta2.ResourceSlice, *resourcev1.ResourceClaim) {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "uid-node"},
		Status:     corev1.NodeStatus{Allocatable: corev1.ResourceList{"cpu": resource.MustParse("4")}},
	}
	classes := []*resourcev1.DeviceClass{{
		ObjectMeta: metav1.ObjectMeta{Name: "gpu"},
		Spec: resourcev1.DeviceClassSpec{Selectors: []resourcev1.DeviceSelector{{
			CEL: &resourcev1.CELDeviceSelector{Expression: `device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("10Gi"))`},
		}}},
	}}
	name := "node-1"
	slice := v1beta2.ResourceSlice{
		ObjectMeta: metav1.ObjectMeta{Name: "node-1-gpus", UID: "uid-slice"},
		Spec: v1beta2.ResourceSliceSpec{
			Driver: "gpu.example.com", NodeName: &name,
			Pool: v1beta2.ResourcePool{Name: "node-1", Generation: 1, ResourceSliceCount: 1},
			Devices: []v1beta2.Device{
				{Name: "small", Capacity: map[v1beta2.QualifiedName]v1beta2.DeviceCapacity{"memory": {Value: resource.MustParse("10Gi")}}},
				{Name: "large", Capacity: map[v1beta2.QualifiedName]v1beta2.DeviceCapacity{"memory": {Value: resource.MustParse("80Gi")}}},
			},
		},
	}
	claim := &resourcev1.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "training", UID: "uid-claim"},
		Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{
			Requests: []resourcev1.DeviceRequest{{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{
				DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 1,
			}}},
			Config: []resourcev1.DeviceClaimConfiguration{{
				DeviceConfiguration: resourcev1.DeviceConfiguration{Opaque: &resourcev1.OpaqueDeviceConfiguration{Driver: "gpu.example.com"}},
			}},
		}},
	}
	claim.Spec.Devices.Config[0].Opaque.Parameters.Raw = []byte(`{"sharing":"none"}`)
	return node, classes, slice, claim
}

func TestTypesOfKubernetes(t *testing.T) {
	node, classes, slice, claim := objects()
	engine := must(dralloc.NewEngine())(t)
	defer engine.Close()
	applied := must(engine.Apply(classes, slice))(t)
	must(engine.Change(dralloc.Change{Object: node}))(t)
	if len(applied.Warnings) != 0 || !applied.Changed {
		t.Errorf("found %s", applied.JSON())
	}
	snapshot := must(engine.Snapshot())(t)
	defer snapshot.Close()
	claims := must(snapshot.Prepare([]*resourcev1.ResourceClaim{claim}))(t)
	defer claims.Close()
	transaction := must(snapshot.Transaction())(t)
	defer transaction.Close()
	outcome := must(transaction.Allocate(t.Context(), "node-1", claims,
		dralloc.WithUser("pod"), dralloc.WithAmounts(corev1.ResourceList{"cpu": resource.MustParse("500m")})))(t)

	text := must(outcome.ResultsJSON())(t)
	var allocations []resourcev1.AllocationResult
	if err := json.Unmarshal(text, &allocations); err != nil {
		t.Fatal(err)
	}
	if found := allocations[0].Devices.Results[0]; found.Device != "large" || found.Driver != "gpu.example.com" {
		t.Errorf("found %+v", found)
	}
	if found := string(must(json.Marshal(allocations))(t)); found != string(text) {
		t.Errorf("found %s, expected %s", found, text)
	}
	if results := must(outcome.Results())(t); string(must(json.Marshal(results))(t)) != string(text) {
		t.Errorf("found %+v, expected %s", results, text)
	}

	if held := must(transaction.Release(claim))(t); !held {
		t.Error("the claim held nothing")
	}
	if violations := must(transaction.Verify("node-1", claim, allocations))(t); len(violations) != 0 {
		t.Errorf("found %v", violations)
	}
	if err := transaction.Hold(claim, allocations[0]); err != nil {
		t.Error(err)
	}
	if err := transaction.TakeAmounts("node-1", "pod", node.Status.Allocatable); err != nil {
		t.Error(err)
	}
	if amounts := must(transaction.AmountsInUse("node-1"))(t); amounts["cpu"] != "4" {
		t.Errorf("found %v", amounts)
	}
}

// Types of results have the fields of those of Kubernetes.
func TestResultsHaveTheFieldsOfKubernetes(t *testing.T) {
	compare(t, "", reflect.TypeFor[dralloc.AllocationResult](), reflect.TypeFor[resourcev1.AllocationResult]())
}

func compare(t *testing.T, path string, found, expected reflect.Type) {
	for found.Kind() == reflect.Pointer || found.Kind() == reflect.Slice {
		found = found.Elem()
	}
	for expected.Kind() == reflect.Pointer || expected.Kind() == reflect.Slice {
		expected = expected.Elem()
	}
	// What has a form of its own is a text here: times, quantities and parameters.
	if found.Kind() != reflect.Struct {
		return
	}
	ours, theirs := fields(found), fields(expected)
	for name := range theirs {
		if _, isThere := ours[name]; !isThere {
			t.Errorf("%s.%s is missing", path, name)
		}
	}
	for name, field := range ours {
		other, isThere := theirs[name]
		if !isThere {
			t.Errorf("%s.%s is no field of Kubernetes", path, name)
			continue
		}
		compare(t, path+"."+name, field, other)
	}
}

// fields returns the types of fields by their names as JSON.
func fields(of reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for place := range of.NumField() {
		field := of.Field(place)
		name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
		if strings.Contains(rest, "inline") || field.Anonymous {
			for name, field := range fields(field.Type) {
				all[name] = field
			}
		} else {
			all[name] = field.Type
		}
	}
	return all
}

// Objects of Kubernetes are told apart however they are passed, and whatever they say of
// themselves.
func TestObjectsInAllForms(t *testing.T) {
	node, _, _, _ := objects()
	typed := metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
	untyped := unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": "node-1", "uid": "uid-node"},
	}}
	for name, object := range map[string]any{
		"value":                     *node,
		"pointer":                   node,
		"slice":                     []corev1.Node{*node},
		"array":                     [1]*corev1.Node{node},
		"interfaces":                []runtime.Object{node},
		"pointer to items":          &[]corev1.Node{*node},
		"list":                      &corev1.NodeList{Items: []corev1.Node{*node}},
		"list that says so":         &corev1.NodeList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "NodeList"}, Items: []corev1.Node{*node}},
		"with both":                 &corev1.Node{TypeMeta: typed, ObjectMeta: node.ObjectMeta},
		"with the version alone":    &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1"}, ObjectMeta: node.ObjectMeta},
		"with the kind alone":       &corev1.Node{TypeMeta: metav1.TypeMeta{Kind: "Node"}, ObjectMeta: node.ObjectMeta},
		"unstructured":              untyped,
		"pointer to unstructured":   &untyped,
		"items of unstructured":     []unstructured.Unstructured{untyped},
		"list of unstructured":      unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "v1", "kind": "List"}, Items: []unstructured.Unstructured{untyped}},
		"raw extension":             runtime.RawExtension{Raw: []byte(`{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","uid":"uid-node"}}`)},
		"change with unstructured":  dralloc.Change{Object: untyped},
		"change with a typed value": dralloc.Change{Object: *node},
	} {
		engine := must(dralloc.NewEngine())(t)
		apply := func(object any) (*dralloc.Applied, error) { return engine.Apply(object) }
		if _, isChange := object.(dralloc.Change); isChange {
			apply = engine.Change
		}
		applied, err := apply(object)
		if err != nil || len(applied.Nodes) != 1 || applied.Nodes[0] != "node-1" {
			t.Errorf("%s: found %+v %v", name, applied, err)
		}
		engine.Close()
	}
	engine := must(dralloc.NewEngine())(t)
	defer engine.Close()
	for _, object := range []any{(*corev1.Node)(nil), []*corev1.Node{nil}, []runtime.Object{nil}, &unstructured.UnstructuredList{}} {
		if _, err := engine.Apply(object); err == nil {
			t.Errorf("found %#v applied", object)
		}
	}
}
