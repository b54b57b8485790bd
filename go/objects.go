package dralloc

import (
	"encoding/json"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Validate checks objects as an API server does; they and the features are as for
// [Engine.Apply] and [NewEngine]. What comes from an API server needs none of this.
//
// Returns what is wrong, fields that are not known among it; nothing if nothing is.
func Validate(objects []any, features ...EngineOption) ([]Problem, error) {
	text, err := objectsText(objects)
	if err != nil {
		return nil, err
	}
	featuresText, err := featuresText(features)
	if err != nil {
		return nil, err
	}
	if err := abi.Need(); err != nil {
		return nil, err
	}
	c := begin(abi.ObjectsValidate)
	defer c.end()
	return decoded[[]Problem](c.bytes(text).bytes(featuresText).takeBytes())
}

// Default fills in what an API server fills in, such as `count` 1, and returns the objects
// as one list.
func Default(objects ...any) (json.RawMessage, error) {
	text, err := objectsText(objects)
	if err != nil {
		return nil, err
	}
	if err := abi.Need(); err != nil {
		return nil, err
	}
	c := begin(abi.ObjectsDefault)
	defer c.end()
	return c.bytes(text).takeBytes()
}
