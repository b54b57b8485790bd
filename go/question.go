package dralloc

import (
	"context"
	"errors"
	"slices"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// ask begins a question about claims; its caller passes the rest, and ends it.
func (t *Transaction) ask(ctx context.Context, function abi.Function, claims *Claims, options []Option) (*question, error) {
	if ctx == nil {
		return nil, missing("context")
	}
	if claims == nil {
		return nil, missing("claims object")
	}
	c, err := t.begin(function)
	if err != nil {
		return nil, err
	}
	q := &c.question
	isAsked := false
	defer func() {
		if !isAsked {
			*q = question{}
			t.end(c)
		}
	}()
	q.call, q.transaction = c, t
	if q.claims, err = t.held.claims.use(claims.handle); err != nil {
		return nil, err
	}
	if q.how, err = t.held.how(ctx, options); err != nil {
		return nil, err
	}
	isAsked = true
	return q, nil
}

// question is a call that asks about claims.
type question struct {
	call        *call
	transaction *Transaction
	claims      uintptr
	how         how
}

// asked passes claims, options and workspace.
func (q *question) asked() *call {
	return q.call.number(q.claims).number(q.how.options).number(q.how.workspace)
}

func (q *question) end() {
	q.how.end()
	c, t := q.call, q.transaction
	*q = question{}
	t.end(c)
}

// Allocate allocates claims together on a node; what they get is held by the transaction.
//
// That the claims do not fit is an outcome, as is the end of the context.
func (t *Transaction) Allocate(ctx context.Context, node string, claims *Claims, options ...Option) (*Outcome, error) {
	q, err := t.ask(ctx, abi.TransactionAllocateInto, claims, options)
	if err != nil {
		return nil, err
	}
	defer q.end()
	if cause := stopOf(ctx); cause != "" {
		return stopped(cause), nil
	}
	c := q.call
	c.string(node)
	if err := q.asked().answer().newHandle().do(); err != nil {
		return nil, err
	}
	if c.handle != 0 {
		c.makeRoom()
		return takeOutcome(c.handle, t.held.snapshot.raw)
	}
	return newOutcome(OutcomeKind(c.flag), c.textRoom[:c.counts[0]], c.devicesRoom[:c.counts[1]]), nil
}

// Satisfiable answers whether claims would fit on a node if nothing were held. Nothing is
// held afterwards.
func (t *Transaction) Satisfiable(ctx context.Context, node string, claims *Claims, options ...Option) (*Outcome, error) {
	q, err := t.ask(ctx, abi.TransactionSatisfiable, claims, options)
	if err != nil {
		return nil, err
	}
	defer q.end()
	if cause := stopOf(ctx); cause != "" {
		return stopped(cause), nil
	}
	q.call.string(node)
	if err := q.asked().newHandle().do(); err != nil {
		return nil, err
	}
	return takeOutcome(q.call.handle, t.held.snapshot.raw)
}

// tell asks what is answered with bytes.
func (t *Transaction) tell(ctx context.Context, function abi.Function, node string, claims *Claims, options []Option) ([]byte, error) {
	q, err := t.ask(ctx, function, claims, options)
	if err != nil {
		return nil, err
	}
	defer q.end()
	q.call.string(node)
	return q.asked().takeBytes()
}

// AllocateDevices allocates like [Transaction.Allocate], and answers in numbers: the node
// is named by its place in a list, and the devices are appended to dst, which needs no
// memory if it has room. There are none unless the kind is [Optimal] or [Feasible]. If the
// context has ended the kind is [Unknown].
func (t *Transaction) AllocateDevices(ctx context.Context, nodes *NodeList, node int, claims *Claims, dst []Device, options ...Option) (OutcomeKind, []Device, error) {
	if nodes == nil {
		return Unknown, dst, missing("node list")
	}
	q, err := t.ask(ctx, abi.TransactionAllocateDevices, claims, options)
	if err != nil {
		return Unknown, dst, err
	}
	defer q.end()
	list, err := t.held.nodes.use(nodes.handle)
	if err != nil {
		return Unknown, dst, err
	}
	if stopOf(ctx) != "" {
		return Unknown, dst, nil
	}
	if len(dst) == cap(dst) {
		dst = slices.Grow(dst, 8)
	}
	for {
		free := dst[len(dst):cap(dst)]
		c := q.call
		c.number(list).number(uintptr(node))
		err := room(q.asked().newFlag(), free).newCount(0).do()
		count := int(c.counts[0])
		if err == nil {
			return OutcomeKind(c.flag), dst[:len(dst)+count], nil
		}
		if !errors.Is(err, ErrTooSmall) {
			return Unknown, dst, err
		}
		dst = slices.Grow(dst, count)
		c.again()
	}
}

// Place asks many nodes about claims that are to be allocated together on one; no list is
// all nodes by name. Nothing is held afterwards.
func (t *Transaction) Place(ctx context.Context, claims *Claims, nodes *NodeList, options ...Option) (*Placement, error) {
	return t.place(ctx, abi.TransactionPlace, claims, nodes, options)
}

// PlaceAndAllocate asks like [Transaction.Place], and allocates on the first node that is
// returned.
func (t *Transaction) PlaceAndAllocate(ctx context.Context, claims *Claims, nodes *NodeList, options ...Option) (*Placement, error) {
	return t.place(ctx, abi.TransactionPlaceAndAllocate, claims, nodes, options)
}

func (t *Transaction) place(ctx context.Context, function abi.Function, claims *Claims, nodes *NodeList, options []Option) (*Placement, error) {
	q, err := t.ask(ctx, function, claims, options)
	if err != nil {
		return nil, err
	}
	defer q.end()
	var list uintptr
	if nodes != nil {
		if list, err = t.held.nodes.use(nodes.handle); err != nil {
			return nil, err
		}
	}
	c := q.call.number(q.claims).number(list).number(q.how.options).number(q.how.workspace)
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	return newPlacement(c.handle, t.held.snapshot)
}
