package dralloc

import (
	"encoding/json"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Verify checks an answer without a search: that results, an array with one for each
// claim, give the claims what they ask for, of what others leave free. Claims are as for
// [Snapshot.Prepare]; several are an array or JSON one after the other.
//
// Returns what is wrong; nothing if the answer is right.
func (t *Transaction) Verify(node string, claims, results any) ([]Violation, error) {
	return t.verify(abi.TransactionVerify, node, claims, results)
}

// VerifyCertificate checks a proof that claims do not fit, without a search. Returns what
// is wrong as [Transaction.Verify] does.
func (t *Transaction) VerifyCertificate(node string, claims any, certificate json.RawMessage) ([]Violation, error) {
	return t.verify(abi.TransactionVerifyCertificate, node, claims, certificate)
}

// VerifyOptimality checks a proof that no answer is better than results, and the results
// themselves, without a search. Returns what is wrong as [Transaction.Verify] does.
//
// What is held must be what was held before the answer.
func (t *Transaction) VerifyOptimality(node string, claims, results any, certificate json.RawMessage) ([]Violation, error) {
	return t.verify(abi.TransactionVerifyOptimality, node, claims, results, certificate)
}

func (t *Transaction) verify(function abi.Function, node string, claims any, values ...any) ([]Violation, error) {
	claimsText, err := objectsText([]any{claims})
	if err != nil {
		return nil, err
	}
	texts := [][]byte{claimsText}
	for _, value := range values {
		text, err := valueText(value, "result or certificate")
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	c, err := t.begin(function)
	if err != nil {
		return nil, err
	}
	defer t.end(c)
	c.string(node)
	for _, text := range texts {
		c.bytes(text)
	}
	return decoded[[]Violation](c.takeBytes())
}

// Violation is something that is wrong with an answer or a certificate.
type Violation struct {
	// Code is the name of the rule that is broken.
	Code string `json:"code"`
	// Path is where, such as `results[0].devices.results[1]`.
	Path string `json:"path"`
	// Message says it in one line.
	Message string `json:"message"`
}
