package dralloc

import "github.com/dralloc/dralloc/go/internal/abi"

// Hold holds exactly what an allocation says, as in `status.allocation`, for a claim.
//
// Whether others hold the same is not asked: it repeats what was decided elsewhere.
func (t *Transaction) Hold(claim, allocation any) error {
	claimText, err := objectsText([]any{claim})
	if err != nil {
		return err
	}
	text, err := valueText(allocation, "allocation")
	if err != nil {
		return err
	}
	c, err := t.begin(abi.TransactionHold)
	if err != nil {
		return err
	}
	defer t.end(c)
	return c.bytes(claimText).bytes(text).do()
}

// Release gives back what a claim holds, whoever uses it, and returns whether it held
// anything.
func (t *Transaction) Release(claim any) (bool, error) {
	c, err := t.ofClaim(abi.TransactionRelease, claim)
	if err != nil {
		return false, err
	}
	defer t.end(c)
	return c.boolean()
}

// Reserve reserves a claim for one more user, by uid, and returns whether that is new.
func (t *Transaction) Reserve(claim any, user string) (bool, error) {
	c, err := t.ofClaim(abi.TransactionReserve, claim)
	if err != nil {
		return false, err
	}
	defer t.end(c)
	return c.string(user).boolean()
}

// Unreserve ends the use of a claim by a user. With the last one the claim gives back
// what it holds; returns whether it did.
func (t *Transaction) Unreserve(claim any, user string) (bool, error) {
	c, err := t.ofClaim(abi.TransactionUnreserve, claim)
	if err != nil {
		return false, err
	}
	defer t.end(c)
	return c.string(user).boolean()
}

// MarkReleasing marks what a claim holds as on its way out, or takes that back, and
// returns whether it holds anything.
func (t *Transaction) MarkReleasing(claim any, isReleasing bool) (bool, error) {
	c, err := t.ofClaim(abi.TransactionMarkReleasing, claim)
	if err != nil {
		return false, err
	}
	defer t.end(c)
	var number uintptr
	if isReleasing {
		number = 1
	}
	return c.number(number).boolean()
}

// ofClaim begins a call about a claim.
func (t *Transaction) ofClaim(function abi.Function, claim any) (*call, error) {
	text, err := objectsText([]any{claim})
	if err != nil {
		return nil, err
	}
	c, err := t.begin(function)
	if err != nil {
		return nil, err
	}
	return c.bytes(text), nil
}
