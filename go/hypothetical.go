package dralloc

import "github.com/dralloc/dralloc/go/internal/abi"

// AddNode adds a node that is like another, with devices of its own, nothing of it held.
func (t *Transaction) AddNode(name, like string) error {
	c, err := t.begin(abi.TransactionAddNode)
	if err != nil {
		return err
	}
	defer t.end(c)
	return c.string(name).string(like).do()
}

// RemoveNode takes a node away.
func (t *Transaction) RemoveNode(name string) error {
	c, err := t.begin(abi.TransactionRemoveNode)
	if err != nil {
		return err
	}
	defer t.end(c)
	return c.string(name).do()
}

// TakeAmounts makes an owner, such as a pod by its uid, use exactly these amounts of a
// node, whether there is enough or not. They are quantities by name, such as
// map[string]string{"cpu": "500m"}, a ResourceList of k8s.io/api, or JSON.
func (t *Transaction) TakeAmounts(node, owner string, amounts any) error {
	text, err := valueText(amounts, "amounts")
	if err != nil {
		return err
	}
	c, err := t.begin(abi.TransactionTakeAmounts)
	if err != nil {
		return err
	}
	defer t.end(c)
	return c.string(node).string(owner).bytes(text).do()
}

// ReleaseAmounts gives back what an owner uses of the amounts of a node, and returns
// whether it used any.
func (t *Transaction) ReleaseAmounts(owner string) (bool, error) {
	c, err := t.begin(abi.TransactionReleaseAmounts)
	if err != nil {
		return false, err
	}
	defer t.end(c)
	return c.string(owner).boolean()
}

// AmountsInUse returns what is used of the amounts of a node, as quantities by name.
func (t *Transaction) AmountsInUse(node string) (map[string]string, error) {
	c, err := t.begin(abi.TransactionAmountsInUse)
	if err != nil {
		return nil, err
	}
	defer t.end(c)
	return decoded[map[string]string](c.string(node).takeBytes())
}
