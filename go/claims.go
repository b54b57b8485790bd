package dralloc

import "github.com/dralloc/dralloc/go/internal/abi"

// Claims holds claims that are compiled with the classes of a snapshot, to be asked about
// on any node of that one and of later ones, as often as wanted. It never changes, so that any number of goroutines may use it at once.
type Claims struct{ shared }

func newClaims(raw uintptr) *Claims {
	c := &Claims{}
	c.handle = newHandle(raw, abi.ClaimsFree, "claims object")
	c.cleanup = closeWith(c, c.handle)
	return c
}

// Close frees the claims; again is nothing. A transaction keeps those that it was asked
// about last until it is asked about others, or closed.
func (c *Claims) Close() {
	if c != nil {
		c.shared.close()
	}
}

// Count returns how many claims there are.
func (c *Claims) Count() (int, error) {
	if c == nil {
		return 0, missing("claims object")
	}
	return count(&c.shared, abi.ClaimsCount)
}

// count asks how many there are of something.
func count(s *shared, function abi.Function) (int, error) {
	raw, err := s.keep()
	if err != nil {
		return 0, err
	}
	defer s.letGo()
	c := begin(function)
	defer c.end()
	err = c.number(raw).newCount(0).do()
	return int(c.counts[0]), err
}
