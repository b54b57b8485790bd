package dralloc

import "github.com/dralloc/dralloc/go/internal/abi"

// NodeList lists nodes in an order of the caller's, found by name once: calls name a node
// by its place. It stays right whatever nodes come and go, and never changes, so that any
// number of goroutines may use it at once.
type NodeList struct{ shared }

func newNodeList(raw uintptr) *NodeList {
	n := &NodeList{}
	n.handle = newHandle(raw, abi.NodeListFree, "node list")
	n.cleanup = closeWith(n, n.handle)
	return n
}

// Close frees the list; again is nothing. A transaction keeps the one that it was asked
// about last until it is asked about another, or closed.
func (n *NodeList) Close() {
	if n != nil {
		n.shared.close()
	}
}

// Count returns how many nodes there are.
func (n *NodeList) Count() (int, error) {
	if n == nil {
		return 0, missing("node list")
	}
	return count(&n.shared, abi.NodeListCount)
}

// Name returns the name of the node at a place.
func (n *NodeList) Name(place int) (string, error) {
	if n == nil {
		return "", missing("node list")
	}
	raw, err := n.keep()
	if err != nil {
		return "", err
	}
	defer n.letGo()
	c := begin(abi.NodeListName)
	defer c.end()
	name, err := c.number(raw).number(uintptr(place)).text()
	return string(name), err
}
