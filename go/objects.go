package dralloc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// objectsText returns objects one after the other, as the library reads them.
func objectsText(objects []any) ([]byte, error) {
	if len(objects) == 1 {
		return valueText(objects[0], "object")
	}
	var all bytes.Buffer
	for place, object := range objects {
		text, err := valueText(object, fmt.Sprintf("object %d", place))
		if err != nil {
			return nil, err
		}
		all.Write(text)
		all.WriteByte('\n')
	}
	return all.Bytes(), nil
}

// valueText returns JSON as it is, and what else there is as JSON.
func valueText(value any, name string) ([]byte, error) {
	switch text := value.(type) {
	case nil:
		return nil, missing(name)
	case []byte:
		return text, nil
	case json.RawMessage:
		return text, nil
	case string:
		return []byte(text), nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, newError(ErrMalformed, fmt.Sprintf("the %s cannot be written as JSON: %v", name, err))
	}
	return text, nil
}

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
