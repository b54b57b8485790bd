package dralloc

import (
	"encoding/json"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Placement says on which nodes claims fit, and why not elsewhere. It never changes, so
// that any number of goroutines may use it at once.
type Placement struct {
	shared
	counts [3]int
}

// PlacedNode is a node where claims fit.
type PlacedNode struct {
	// Rank is how good the alternatives are: for each request with a choice 8, less the
	// place of the one that it gets; more is better.
	Rank uint64
	// Free is how many devices nobody would hold afterwards; less is better where the
	// rank is the same.
	Free uint64
	// Place is that of the node in the list that was asked.
	Place uint64
}

func newPlacement(raw uintptr, snapshot *handle) (*Placement, error) {
	p := &Placement{}
	p.handle = newHandle(raw, abi.PlacementFree, "placement")
	p.handle.keepAlso(snapshot)
	p.cleanup = closeWith(p, p.handle)
	c := begin(abi.PlacementCounts)
	defer c.end()
	if err := c.number(raw).newCount(0).newCount(1).newCount(2).do(); err != nil {
		p.Close()
		return nil, err
	}
	for place, count := range c.counts {
		p.counts[place] = int(count)
	}
	return p, nil
}

// Close frees the placement; again is nothing.
func (p *Placement) Close() {
	if p != nil {
		p.shared.close()
	}
}

// Asked returns how many nodes answered.
func (p *Placement) Asked() int { return p.count(0) }

// Feasible returns on how many of them the claims fit.
func (p *Placement) Feasible() int { return p.count(1) }

// Next returns the place after the last one that was asked, where another call may begin
// ([WithStart]).
func (p *Placement) Next() int { return p.count(2) }

func (p *Placement) count(place int) int {
	if p == nil {
		return 0
	}
	return p.counts[place]
}

func (p *Placement) begin(function abi.Function) (*call, error) {
	if p == nil {
		return nil, missing("placement")
	}
	raw, err := p.keep()
	if err != nil {
		return nil, err
	}
	return begin(function).number(raw), nil
}

func (p *Placement) end(c *call) {
	c.end()
	p.letGo()
}

// Nodes appends the nodes that were wanted, in order, to dst, which needs no memory if it
// has room.
func (p *Placement) Nodes(dst []PlacedNode) ([]PlacedNode, error) {
	for {
		count, err := p.nodes(dst[len(dst):cap(dst)])
		if err != nil {
			return dst, err
		}
		if count <= cap(dst)-len(dst) {
			return dst[:len(dst)+count], nil
		}
		dst = append(make([]PlacedNode, 0, len(dst)+count), dst...)
	}
}

func (p *Placement) nodes(free []PlacedNode) (int, error) {
	c, err := p.begin(abi.PlacementNodes)
	if err != nil {
		return 0, err
	}
	defer p.end(c)
	err = room(c, free).newCount(0).do()
	return int(c.counts[0]), err
}

// NodeName returns the name of one of the nodes that were wanted.
func (p *Placement) NodeName(index int) (string, error) {
	c, err := p.begin(abi.PlacementNodeName)
	if err != nil {
		return "", err
	}
	defer p.end(c)
	name, err := c.number(uintptr(index)).text()
	return string(name), err
}

// Outcome returns what the claims would get on one of the nodes that were wanted.
func (p *Placement) Outcome(index int) (*Outcome, error) {
	c, err := p.begin(abi.PlacementOutcome)
	if err != nil {
		return nil, err
	}
	defer p.end(c)
	if err := c.number(uintptr(index)).newHandle().do(); err != nil {
		return nil, err
	}
	return takeOutcome(c.handle, p.handle.also.raw)
}

// JSON returns the placement as all languages write it.
func (p *Placement) JSON() (json.RawMessage, error) {
	c, err := p.begin(abi.PlacementJSON)
	if err != nil {
		return nil, err
	}
	defer p.end(c)
	return c.takeBytes()
}

// Detail returns all that the placement says.
func (p *Placement) Detail() (*PlacementDetail, error) {
	text, err := p.JSON()
	detail, err := decoded[PlacementDetail](text, err)
	return notNil(&detail, err)
}

// PlacementDetail is all that a placement says, with the names that it has as JSON.
type PlacementDetail struct {
	// Nodes are those that were wanted, in order.
	Nodes []PlacedNodeDetail `json:"nodes"`
	// Asked is how many nodes answered.
	Asked int `json:"asked"`
	// Next is the place after the last one that was asked.
	Next int `json:"next"`
	// Feasible is on how many the claims fit.
	Feasible int `json:"feasible"`
	// Reasons say why not elsewhere.
	Reasons []NodeReason `json:"reasons"`
	// Failed are nodes that cannot be judged.
	Failed []FailedNode `json:"failed"`
	// StopCause is why not all nodes answered.
	StopCause StopCause `json:"stopCause,omitempty"`
}

// PlacedNodeDetail is a node where claims fit, with its name.
type PlacedNodeDetail struct {
	// Name is that of the node.
	Name string `json:"name"`
	// Place, Rank and Free are as in [PlacedNode].
	Place int    `json:"place"`
	Rank  uint64 `json:"rank"`
	Free  uint64 `json:"free"`
	// Objective are the values of the terms of the policy.
	Objective []TermValue `json:"objective,omitempty"`
	// Gap is how far the answer is from the best.
	Gap *Gap `json:"gap,omitempty"`
}

// NodeReason says why claims do not fit on some nodes.
type NodeReason struct {
	// Cause is its name, such as `request` or `constraint`.
	Cause string `json:"cause"`
	// Nodes is how many nodes have it.
	Nodes int `json:"nodes"`
	// Example is one of them.
	Example string `json:"example"`
	// Message says it in one line.
	Message string `json:"message"`
}

// FailedNode is a node that cannot be judged.
type FailedNode struct {
	// Node is its name.
	Node string `json:"node"`
	// Error is why.
	Error Problem `json:"error"`
}
