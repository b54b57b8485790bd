package dralloc

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// GangOutcome says whether the members of a gang have nodes.
type GangOutcome string

// Whether the members of a gang have nodes: all, none since not all fit, or none since the
// call ended before it knew.
const (
	GangPlaced     GangOutcome = "placed"
	GangInfeasible GangOutcome = "infeasible"
	GangUnknown    GangOutcome = "unknown"
)

// Gang says where the members of a gang go, or why they go nowhere.
type Gang struct {
	// Outcome says whether they have nodes.
	Outcome GangOutcome `json:"outcome"`
	// Nodes are those with members, in order.
	Nodes []GangNode `json:"nodes,omitzero"`
	// Levels say how domains are used, the widest first.
	Levels []GangLevel `json:"levels,omitzero"`
	// Smallest is the fewest members of a node; it and Proved are nil unless they have nodes.
	Smallest *int `json:"smallest,omitempty"`
	// Proved is whether it is the best: not known if a limit of branches ended a search.
	Proved *bool `json:"proved,omitempty"`
	// Shortage is why they do not fit.
	Shortage *GangShortage `json:"shortage,omitempty"`
	// StopCause is why it is not known.
	StopCause StopCause `json:"stopCause,omitempty"`

	text []byte
}

// GangNode is a node with members of a gang.
type GangNode struct {
	// Name is that of the node.
	Name string `json:"name"`
	// Members are those that it has, by their place in the question.
	Members []GangMember `json:"members"`
}

// GangMember is a member with what it got.
type GangMember struct {
	// Member is its place in the question.
	Member int `json:"member"`
	// Results are what Kubernetes keeps, by claim.
	Results []AllocationResult `json:"results"`
	// Objective are the values of the terms of the policy.
	Objective []TermValue `json:"objective,omitempty"`
	// Warnings are devices that a policy passed over since they cannot be judged.
	Warnings []Problem `json:"warnings,omitempty"`
}

// GangLevel says how the domains of a scope are used.
type GangLevel struct {
	// Scope is what nodes of a domain have in common.
	Scope DomainScope `json:"scope"`
	// Domains is how many of its domains have members.
	Domains int `json:"domains"`
	// Smallest is the fewest members of one of these.
	Smallest int `json:"smallest"`
}

// GangShortage says why the members of a gang do not fit.
type GangShortage struct {
	// Members is how many were asked for.
	Members int `json:"members"`
	// Most is how many fit at most: in one domain if they must be in one.
	Most int `json:"most"`
	// Scope is that of which one domain must have all.
	Scope DomainScope `json:"scope,omitempty"`
	// Domain is the one where most fit.
	Domain string `json:"domain,omitempty"`
	// Limit is what is in the way: `free`, `within`, `mostNodes`, `slices` or `together`.
	Limit string `json:"limit"`
	// Reasons say why not even one member fits on a node.
	Reasons []NodeReason `json:"reasons"`
	// Message says it in one line.
	Message string `json:"message"`
}

// JSON returns what all languages write; it must not be changed.
func (g *Gang) JSON() json.RawMessage {
	if g == nil {
		return nil
	}
	return g.text
}

// Gang allocates the claims of all members of a gang (the pods of a group) over several
// nodes, or of none; what they get is held by the transaction. No list is all nodes by
// name.
//
// Members have claims of one template, which they alone use. They are as near to each
// other as they can be, by labels of the nodes; [WithDomainLabels], [WithWithin],
// [WithMostNodes] and [WithSlices] say more. That they do not fit is an outcome, as is the
// end of the context. [ErrInvalid] if they are no gang, [ErrUnsupported] for options of one
// pod ([WithUser], [WithAmounts]).
func (t *Transaction) Gang(ctx context.Context, members []*Claims, nodes *NodeList, options ...Option) (*Gang, error) {
	if ctx == nil {
		return nil, missing("context")
	}
	if slices.Contains(members, nil) {
		return nil, missing("claims object")
	}
	c, err := t.begin(abi.TransactionGang)
	if err != nil {
		return nil, err
	}
	defer t.end(c)
	handles := make([]uintptr, 0, len(members))
	for _, member := range members {
		raw, err := member.keep()
		if err != nil {
			return nil, err
		}
		defer member.letGo()
		handles = append(handles, raw)
	}
	var list uintptr
	if nodes != nil {
		if list, err = t.held.nodes.use(nodes.handle); err != nil {
			return nil, err
		}
	}
	how, err := t.held.how(ctx, options)
	if err != nil {
		return nil, err
	}
	defer how.end()
	text, err := c.handles(handles).number(list).number(how.options).number(how.workspace).takeBytes()
	gang, err := decoded[Gang](text, err)
	gang.text = text
	return notNil(&gang, err)
}
