package dralloc

import "github.com/dralloc/dralloc/go/internal/abi"

// Savepoint is a point of a transaction to go back to.
type Savepoint struct{ shared }

// Close frees the savepoint; again is nothing. The transaction stays as it is.
func (s *Savepoint) Close() {
	if s != nil {
		s.shared.close()
	}
}

// Savepoint returns a point to go back to; it stays one after going back to it.
func (t *Transaction) Savepoint() (*Savepoint, error) {
	c, err := t.begin(abi.TransactionSavepoint)
	if err != nil {
		return nil, err
	}
	defer t.end(c)
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	s := &Savepoint{}
	s.handle = newHandle(c.handle, abi.SavepointFree, "savepoint")
	s.cleanup = closeWith(s, s.handle)
	return s, nil
}

// Rollback takes back everything since a savepoint.
//
// [ErrNotFound] if it is of another transaction, or was itself taken back.
func (t *Transaction) Rollback(to *Savepoint) error {
	if to == nil {
		return missing("savepoint")
	}
	c, err := t.begin(abi.TransactionRollback)
	if err != nil {
		return err
	}
	defer t.end(c)
	raw, err := to.keep()
	if err != nil {
		return err
	}
	defer to.letGo()
	return c.number(raw).do()
}
