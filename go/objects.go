package dralloc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// objectsText returns objects one after the other, as the library reads them.
func objectsText(objects []any) ([]byte, error) {
	if len(objects) == 1 {
		if text, isText := textOf(objects[0]); isText {
			return text, nil
		}
	}
	var all bytes.Buffer
	for place, object := range objects {
		if err := appendObject(&all, object, fmt.Sprintf("object %d", place)); err != nil {
			return nil, err
		}
	}
	return all.Bytes(), nil
}

// appendObject appends an object, or the elements of a slice of objects.
func appendObject(all *bytes.Buffer, object any, name string) error {
	value := reflect.ValueOf(object)
	if _, isText := textOf(object); !isText && value.IsValid() && value.Kind() == reflect.Slice {
		for place := range value.Len() {
			element := value.Index(place).Interface()
			if err := appendObject(all, element, fmt.Sprintf("%s[%d]", name, place)); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := valueText(object, name)
	if err != nil {
		return err
	}
	all.Write(withKind(text, value))
	all.WriteByte('\n')
	return nil
}

// kubernetes is where the types of Kubernetes' API are, whoever vendors them.
var kubernetes = regexp.MustCompile(`(?:^|/)k8s\.io/api/(core|resource)/(v\w+)$`)

// withKind says of a typed object of k8s.io/api what it is, where it does not: what a
// client of Kubernetes decodes has neither apiVersion nor kind.
func withKind(text []byte, value reflect.Value) []byte {
	for value.IsValid() && value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if !value.IsValid() || value.Kind() != reflect.Struct {
		return text
	}
	found := kubernetes.FindStringSubmatch(value.Type().PkgPath())
	kind := value.FieldByName("Kind")
	if found == nil || !kind.IsValid() || !kind.IsZero() || !bytes.HasPrefix(text, []byte("{\"")) {
		return text
	}
	version := found[2]
	if found[1] != "core" {
		version = found[1] + ".k8s.io/" + version
	}
	head := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,`, version, value.Type().Name())
	return append([]byte(head), text[1:]...)
}

// textOf returns what is JSON already.
func textOf(value any) ([]byte, bool) {
	switch text := value.(type) {
	case []byte:
		return text, true
	case json.RawMessage:
		return text, true
	case string:
		return []byte(text), true
	default:
		return nil, false
	}
}

// valueText returns JSON as it is, and what else there is as JSON.
func valueText(value any, name string) ([]byte, error) {
	if value == nil {
		return nil, missing(name)
	}
	if text, isText := textOf(value); isText {
		return text, nil
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
