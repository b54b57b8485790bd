package dralloc

import "encoding/json"

// Applied says what is different now, so that a host asks again only there.
type Applied struct {
	// Changed says whether anything is; if not, it was known already.
	Changed bool `json:"changed"`
	// Nodes are those that see other devices or taints, or of which other amounts are
	// used, by name.
	Nodes []string `json:"nodes"`
	// AnyNode says that any node may see other devices, not only those listed.
	AnyNode bool `json:"anyNode"`
	// Pools have other slices, or devices that were taken or given back; driver and name.
	Pools [][2]string `json:"pools"`
	// Claims are those that hold something else now, by owner.
	Claims []string `json:"claims"`
	// Warnings are for fields that were passed over since they are not known.
	Warnings []Warning `json:"warnings,omitempty"`

	json []byte
}

// Warning is for something in an object that was passed over.
type Warning struct {
	// Path is the field.
	Path string `json:"path"`
	// Message says what was passed over.
	Message string `json:"message"`
	// Hint is what may have been meant.
	Hint string `json:"hint,omitempty"`
}

// JSON returns what the library wrote.
func (a *Applied) JSON() json.RawMessage {
	if a == nil {
		return nil
	}
	return a.json
}

func (c *call) applied() (*Applied, error) {
	text, err := c.takeBytes()
	applied, err := decoded[Applied](text, err)
	if err != nil {
		return nil, err
	}
	applied.json = text
	return &applied, nil
}
