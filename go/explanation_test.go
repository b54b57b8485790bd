package dralloc_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/dralloc/dralloc/go"
)

// Every form that an explanation may have is read to the end.
func TestExplanationsAreRead(t *testing.T) {
	text := `{"requests":[{"claim":1,"name":"gpu/large","needed":2,"all":true,"considered":6,"refused":[["in use",4],["selector",1]],"usable":1}],
		"whole":[{"tooFew":{"claim":1,"request":"gpu"}},"tooFewTogether",{"constraint":{"claim":0,"constraint":2}},"combination",
			{"allocatedElsewhere":{"claim":1}},{"releasing":{"claim":2}}],
		"unusablePools":[{"pool":"gpu.example.com/a","state":"incomplete"}],
		"class":{"afterRelease":{"holders":[{"owner":"uid","name":"default/other"}]}},
		"conflict":{"requests":[{"claim":0,"request":"gpu"}],"constraints":[{"claim":0,"constraint":1}],"holders":[{"owner":"uid"}],"irreducible":true},
		"arithmetic":[{"count":{"alternative":"large","needed":2,"available":1,"afterRelease":3}},
			{"values":{"claim":0,"constraint":1,"attribute":"a.example.com/b","requests":2,"needed":4,"available":3}},
			{"capacities":{"device":{"driver":"d","pool":"p","device":"x"},"capacity":"bandwidth","needed":"1Gi","left":"0"}},
			{"counters":{"counterSet":"set","counter":"memory","needed":"2Gi","left":"1Gi","afterRelease":"3Gi"}},
			{"atOnce":{"attributes":["a.example.com/b"],"needed":4,"available":2}}]}`
	found := dralloc.Explanation{}
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(err)
	}
	expected := dralloc.Explanation{
		Requests: []dralloc.RequestExplanation{{
			Claim: 1, Name: "gpu/large", Needed: 2, All: true, Considered: 6, Usable: 1,
			Refused: []dralloc.Refusal{{Check: "in use", Devices: 4}, {Check: "selector", Devices: 1}},
		}},
		Whole: []dralloc.WholeFailure{
			{Kind: "tooFew", Claim: 1, Request: "gpu"},
			{Kind: "tooFewTogether"},
			{Kind: "constraint", Constraint: 2},
			{Kind: "combination"},
			{Kind: "allocatedElsewhere", Claim: 1},
			{Kind: "releasing", Claim: 2},
		},
		UnusablePools: []dralloc.UnusablePool{{Pool: "gpu.example.com/a", State: "incomplete"}},
		Class:         &dralloc.Class{Kind: "afterRelease", Holders: []dralloc.Holder{{Owner: "uid", Name: "default/other"}}},
		Conflict: &dralloc.Conflict{
			Requests:    []dralloc.ConflictRequest{{Request: "gpu"}},
			Constraints: []dralloc.ConflictConstraint{{Constraint: 1}},
			Holders:     []dralloc.Holder{{Owner: "uid"}},
			Irreducible: true,
		},
		Arithmetic: []dralloc.Arithmetic{
			{Kind: "count", Alternative: "large", Needed: "2", Available: "1", AfterRelease: "3"},
			{Kind: "values", Constraint: 1, Attribute: "a.example.com/b", Requests: 2, Needed: "4", Available: "3"},
			{Kind: "capacities", Device: &dralloc.DeviceID{Driver: "d", Pool: "p", Device: "x"}, Capacity: "bandwidth", Needed: "1Gi", Left: "0"},
			{Kind: "counters", CounterSet: "set", Counter: "memory", Needed: "2Gi", Left: "1Gi", AfterRelease: "3Gi"},
			{Kind: "atOnce", Attributes: []string{"a.example.com/b"}, Needed: "4", Available: "2"},
		},
	}
	if !reflect.DeepEqual(found, expected) {
		t.Errorf("found %+v\nexpected %+v", found, expected)
	}
	// What is written again has lost nothing.
	var again dralloc.Explanation
	if err := json.Unmarshal(must[[]byte](t)(json.Marshal(found)), &again); err != nil || !reflect.DeepEqual(again, expected) {
		t.Errorf("found %+v %v\nexpected %+v", again, err, expected)
	}
	for text, expected := range map[string]dralloc.Class{
		`"neverPossible"`: {Kind: "neverPossible"},
		`{"badInput":{"error":{"code":"cel-evaluation","message":"m","path":"p","scope":"node"}}}`: {
			Kind: "badInput", Error: &dralloc.Problem{Code: "cel-evaluation", Message: "m", Path: "p", Scope: dralloc.ScopeNode},
		},
	} {
		var class dralloc.Class
		if err := json.Unmarshal([]byte(text), &class); err != nil || !reflect.DeepEqual(class, expected) {
			t.Errorf("found %+v %v, expected %+v", class, err, expected)
		}
	}
	for _, text := range []string{`{"whole":[{}]}`, `{"class":[]}`, `{"arithmetic":[{"count":[]}]}`, `{"requests":[{"refused":[[1]]}]}`} {
		if err := json.Unmarshal([]byte(text), &found); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}
