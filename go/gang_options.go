package dralloc

import "maps"

// DomainScope says what nodes of a domain have in common.
type DomainScope string

// What nodes have in common, the widest first.
const (
	DomainRegion DomainScope = "region"
	DomainZone   DomainScope = "zone"
	DomainCore   DomainScope = "core"
	DomainBlock  DomainScope = "block"
	DomainRack   DomainScope = "rack"
	DomainNVLink DomainScope = "nvLinkDomain"
)

// SliceRule says how many members of a gang a node may have.
type SliceRule string

// How many members a node may have: any number, the same on all nodes, a multiple of a
// size, exactly or at least as many, or as many as it could have if nothing were held.
const (
	AnySlices        SliceRule = "any"
	SameSlices       SliceRule = "same"
	SlicesMultipleOf SliceRule = "multipleOf"
	SlicesExactly    SliceRule = "exactly"
	SlicesAtLeast    SliceRule = "atLeast"
	WholeNodes       SliceRule = "wholeNodes"
)

// mostNodesForm is what the library reads.
type mostNodesForm struct {
	Scope DomainScope `json:"scope"`
	Nodes int         `json:"nodes"`
}

// WithDomainLabels says for a gang which label names the domain of a node, by scope; those
// that are well known come after it.
func WithDomainLabels(labels map[DomainScope]string) Option {
	own := maps.Clone(labels)
	return option(func(form *optionsForm) { form.Labels = maps.Clone(own) })
}

// WithWithin lets one domain of a scope have all members of a gang; by default they may be
// anywhere, as near to each other as they can.
func WithWithin(scope DomainScope) Option {
	return option(func(form *optionsForm) { form.Within = scope })
}

// WithMostNodes lets a gang use so many nodes of one domain of a scope at most, such as 18
// of an NVLink domain.
func WithMostNodes(scope DomainScope, nodes int) Option {
	return option(func(form *optionsForm) { form.MostNodes = &mostNodesForm{scope, nodes} })
}

// WithSlices says how many members of a gang a node may have; the size is for rules that
// have one.
func WithSlices(rule SliceRule, size int) Option {
	return option(func(form *optionsForm) { form.Slices, form.SliceSize = rule, new(size) })
}
