package dralloc

import (
	"context"
	"encoding/json"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// CertifiedKind says what was proved.
type CertifiedKind string

// What was proved.
const (
	// CertifiedFits: the claims fit, which an answer shows.
	CertifiedFits CertifiedKind = "fits"
	// CertifiedOptimal: no answer is better.
	CertifiedOptimal CertifiedKind = "optimal"
	// CertifiedInfeasible: there is no answer.
	CertifiedInfeasible CertifiedKind = "infeasible"
	// Unrecorded: nothing, for a reason.
	Unrecorded CertifiedKind = "unrecorded"
)

// Certified says what could be proved about claims on a node.
type Certified struct {
	// Kind is what.
	Kind CertifiedKind `json:"certified"`
	// Certificate is the proof, for [Transaction.VerifyCertificate] or
	// [Transaction.VerifyOptimality].
	Certificate json.RawMessage `json:"certificate,omitempty"`
	// Unrecorded is why there is none: `size`, `reason`, `other` or a [StopCause].
	Unrecorded string `json:"unrecorded,omitempty"`
	// Reason is why nothing fits, where that needs no proof.
	Reason *Reason `json:"reason,omitempty"`

	text []byte
}

// JSON returns what all languages write; it must not be changed.
func (c *Certified) JSON() json.RawMessage {
	if c == nil {
		return nil
	}
	return c.text
}

// Certificate proves that claims do not fit on a node, or that the answer is the best.
// Nothing is held afterwards.
func (t *Transaction) Certificate(ctx context.Context, node string, claims *Claims, options ...Option) (*Certified, error) {
	text, err := t.tell(ctx, abi.TransactionCertificate, node, claims, options)
	certified, err := decoded[Certified](text, err)
	certified.text = text
	return notNil(&certified, err)
}

// notNil returns a value, or an error alone.
func notNil[T any](value *T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return value, nil
}
