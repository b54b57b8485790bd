package dralloc

import (
	"context"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// ask begins a question about claims: what it is asked with is passed by its caller, who
// ends it. The context has not ended.
func (t *Transaction) ask(ctx context.Context, function abi.Function, claims *Claims, options []Option) (*question, error) {
	if ctx == nil {
		return nil, missing("context")
	}
	if claims == nil || claims.handle == nil {
		return nil, missing("claims object")
	}
	c, err := t.begin(function)
	if err != nil {
		return nil, err
	}
	q := &c.question
	q.call, q.transaction = c, t
	if q.claims, err = t.held.claims.use(claims.handle); err == nil {
		q.how, err = t.held.how(ctx, options)
	}
	if err != nil {
		t.end(c)
		return nil, err
	}
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
	return t.outcome(ctx, abi.TransactionAllocate, node, claims, options)
}

// Satisfiable answers whether claims would fit on a node if nothing were held. Nothing is
// held afterwards.
func (t *Transaction) Satisfiable(ctx context.Context, node string, claims *Claims, options ...Option) (*Outcome, error) {
	return t.outcome(ctx, abi.TransactionSatisfiable, node, claims, options)
}

func (t *Transaction) outcome(ctx context.Context, function abi.Function, node string, claims *Claims, options []Option) (*Outcome, error) {
	q, err := t.ask(ctx, function, claims, options)
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
