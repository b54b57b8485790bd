package dralloc

import (
	"bytes"
	"encoding/json"
	"fmt"
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
