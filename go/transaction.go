package dralloc

import (
	"runtime"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Transaction tries things on a snapshot that nobody else sees before they are committed.
//
// Any number of goroutines may use it; its calls wait for each other. To work at once,
// each goroutine begins one of its own, which costs next to nothing.
type Transaction struct {
	exclusive
	held *held
}

// held is what a transaction keeps; all of it is let go when the transaction is closed,
// by whoever made it or by the garbage collector.
type held struct {
	transaction *handle
	snapshot    *handle
	workspaces  *workspaces
	workspace   *handle
	claims      pin
	nodes       pin
	options     pin
	signal      signal
}

// newTransaction makes a transaction of a snapshot that its caller keeps.
func newTransaction(raw uintptr, snapshot *handle, workspaces *workspaces) *Transaction {
	h := newHandle(raw, abi.TransactionFree, "transaction")
	h.keepAlso(snapshot)
	t := &Transaction{held: &held{transaction: h, snapshot: snapshot, workspaces: workspaces}}
	t.handle = h
	t.cleanup = runtime.AddCleanup(t, (*held).close, t.held)
	return t
}

func (h *held) close() {
	h.transaction.mutex.Lock()
	defer h.transaction.mutex.Unlock()
	if h.transaction.open() != nil {
		return
	}
	h.transaction.close()
	h.claims.letGo()
	h.nodes.letGo()
	h.options.letGo()
	h.signal.end()
	if h.workspace != nil {
		h.workspaces.give(h.workspace)
	}
}

// Close frees the transaction; again is nothing. What it did and was not committed is
// undone.
func (t *Transaction) Close() {
	if t != nil && t.held != nil {
		t.cleanup.Stop()
		t.held.close()
	}
}

func (t *Transaction) begin(function abi.Function) (*call, error) {
	if t == nil {
		return nil, missing("transaction")
	}
	raw, err := t.lock()
	if err != nil {
		return nil, err
	}
	return begin(function).number(raw), nil
}

func (t *Transaction) end(c *call) {
	c.end()
	t.unlock()
}

// ownWorkspace returns the workspace that the transaction has from its engine.
func (h *held) ownWorkspace() (uintptr, error) {
	if h.workspace == nil {
		workspace, err := h.workspaces.take()
		if err != nil {
			return 0, err
		}
		h.workspace = workspace
	}
	return h.workspace.raw, nil
}

// Clone makes a transaction of its own that is where this one is; savepoints of one are
// none of the other.
func (t *Transaction) Clone() (*Transaction, error) {
	c, err := t.begin(abi.TransactionClone)
	if err != nil {
		return nil, err
	}
	defer t.end(c)
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	return newTransaction(c.handle, t.held.snapshot, t.held.workspaces), nil
}

// Commit makes the changes known to everybody, all or none, and returns what is
// different now.
//
// [ErrConflict] if something has changed that the transaction decided by: begin anew from
// a new snapshot. The transaction is spent in both cases, and can only be closed.
func (t *Transaction) Commit(engine *Engine) (*Applied, error) {
	c, err := t.begin(abi.TransactionCommit)
	if err != nil {
		return nil, err
	}
	defer t.end(c)
	if engine == nil {
		return nil, missing("engine")
	}
	raw, err := engine.lock()
	if err != nil {
		return nil, err
	}
	defer engine.unlock()
	return c.number(raw).applied()
}

// Statistics returns what the search for the last answer took that was found with the
// workspace of the transaction.
func (t *Transaction) Statistics() (Statistics, error) {
	if t == nil {
		return Statistics{}, missing("transaction")
	}
	if _, err := t.lock(); err != nil {
		return Statistics{}, err
	}
	defer t.unlock()
	workspace, err := t.held.ownWorkspace()
	if err != nil {
		return Statistics{}, err
	}
	return statistics(workspace)
}

// Dump writes the transaction as JSON, of which [LoadEngine] makes an engine.
func (t *Transaction) Dump() ([]byte, error) {
	c, err := t.begin(abi.TransactionDump)
	if err != nil {
		return nil, err
	}
	defer t.end(c)
	return c.takeBytes()
}
