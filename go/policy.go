package dralloc

import (
	"encoding/json"
	"slices"
)

// Policy says which of several answers is wanted: a preset, or terms of one's own.
type Policy struct {
	preset string
	terms  []Term
}

// Presets.
var (
	// Kubernetes wants the first answer in canonical order, as Kubernetes' own allocator
	// does.
	Kubernetes = Policy{preset: "kubernetes"}
	// Pack leaves as much as it can for what comes later.
	Pack = Policy{preset: "pack"}
	// Spread uses all cards alike.
	Spread = Policy{preset: "spread"}
	// Affinity wants devices that work together: linked, and near to each other.
	Affinity = Policy{preset: "affinity"}
)

// PolicyOf makes a policy of terms, the most important first.
func PolicyOf(terms ...Term) Policy { return Policy{terms: slices.Clone(terms)} }

// String returns the name of the preset, or `terms`.
func (p Policy) String() string {
	if p.preset == "" {
		return "terms"
	}
	return p.preset
}

// MarshalJSON writes the name of the preset, or an array of terms.
func (p Policy) MarshalJSON() ([]byte, error) {
	if p.preset != "" {
		return json.Marshal(p.preset)
	}
	if p.terms == nil {
		return []byte("[]"), nil
	}
	return json.Marshal(p.terms)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Policy) UnmarshalJSON(text []byte) error {
	*p = Policy{}
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &p.preset)
	}
	return json.Unmarshal(text, &p.terms)
}

// Term is what a policy counts; less is better.
type Term struct {
	// Name is that of the term, such as `waste`.
	Name string
	// Attribute is that of which each value is a parent, for terms that count parents;
	// empty for cards.
	Attribute string
	// Near is what placement policies prefer, for the terms that they add themselves:
	// `affinityLevel` and `unitLevel`.
	Near *Near
}

// Near says which levels devices, or those of each unit, should have in common.
type Near struct {
	// Requests are how many devices of each a unit has; empty for all devices together.
	Requests map[string]int64
	// Levels are scopes such as `pcieSwitch`, the best first.
	Levels []string
	// ApartOver is the scope of which no domain has devices of two units; empty where they
	// may be together.
	ApartOver string
}

// Terms that need no attribute.
var (
	AlternativeRank  = Term{Name: "alternativeRank"}
	HealthPenalty    = Term{Name: "healthPenalty"}
	Waste            = Term{Name: "waste"}
	PackingPotential = Term{Name: "packingPotential"}
	// These count how devices are linked, as a topology says.
	Ring          = Term{Name: "ring"}
	Links         = Term{Name: "links"}
	Bottleneck    = Term{Name: "bottleneck"}
	NicAlignment  = Term{Name: "nicAlignment"}
	Span          = Term{Name: "span"}
	HostUplink    = Term{Name: "hostUplink"}
	LinkPotential = Term{Name: "linkPotential"}
)

// ParentsTouched counts parents with a device that is picked: cards, or values of an
// attribute.
func ParentsTouched(attribute string) Term { return Term{Name: "parentsTouched", Attribute: attribute} }

// Evenness measures how unevenly parents are used: cards, or values of an attribute.
func Evenness(attribute string) Term { return Term{Name: "evenness", Attribute: attribute} }

type termForm struct {
	Name      string           `json:"term"`
	Attribute string           `json:"attribute,omitempty"`
	Requests  map[string]int64 `json:"requests,omitempty"`
	Levels    []string         `json:"levels,omitempty"`
	ApartOver string           `json:"apartOver,omitempty"`
}

// MarshalJSON writes the name, or an object with the attribute or the levels.
func (t Term) MarshalJSON() ([]byte, error) {
	form := termForm{Name: t.Name, Attribute: t.Attribute}
	if t.Near != nil {
		form.Requests, form.Levels = t.Near.Requests, t.Near.Levels
		form.ApartOver = t.Near.ApartOver
	} else if t.Attribute == "" {
		return json.Marshal(t.Name)
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Term) UnmarshalJSON(text []byte) error {
	*t = Term{}
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &t.Name)
	}
	var form termForm
	if err := json.Unmarshal(text, &form); err != nil {
		return err
	}
	t.Name, t.Attribute = form.Name, form.Attribute
	if form.Levels != nil {
		t.Near = &Near{Requests: form.Requests, Levels: form.Levels, ApartOver: form.ApartOver}
	}
	return nil
}
