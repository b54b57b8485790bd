package dralloc

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
)

// deepest is how deep slices of objects may be nested; it ends those that contain themselves.
const deepest = 100

// objectsText returns objects one after the other, as the library reads them.
func objectsText(objects []any) ([]byte, error) {
	if len(objects) == 1 {
		if text, isText := textOf(objects[0]); isText {
			return text, nil
		}
	}
	var all bytes.Buffer
	for place, object := range objects {
		if err := appendObject(&all, object, fmt.Sprintf("object %d", place), 0); err != nil {
			return nil, err
		}
	}
	return all.Bytes(), nil
}

// appendObject appends an object, or the elements of a slice or an array of objects.
func appendObject(all *bytes.Buffer, object any, name string, depth int) error {
	value := pointedTo(object)
	if isList(object, value) {
		if depth == deepest {
			return newError(ErrLimitExceeded, fmt.Sprintf("slices of objects are nested deeper than %d, expected less", deepest))
		}
		for place := range value.Len() {
			element := value.Index(place).Interface()
			if err := appendObject(all, element, fmt.Sprintf("%s[%d]", name, place), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if isNil(object) {
		return missing(name)
	}
	text, err := valueText(object, name)
	if err != nil {
		return err
	}
	all.Write(withKind(text, value))
	all.WriteByte('\n')
	return nil
}

// pointedTo returns what a value is behind all pointers; nothing behind one that is nil.
func pointedTo(value any) reflect.Value {
	found := reflect.ValueOf(value)
	for found.IsValid() && found.Kind() == reflect.Pointer {
		found = found.Elem()
	}
	return found
}

// isList returns whether a value is several objects, and does not write itself.
func isList(object any, value reflect.Value) bool {
	if _, isText := textOf(object); isText || !value.IsValid() || marshals(value.Type()) {
		return false
	}
	return value.Kind() == reflect.Slice || value.Kind() == reflect.Array
}

// isNil returns whether a value is no object: nil, or a pointer or map that is.
func isNil(object any) bool {
	value := pointedTo(object)
	return !value.IsValid() || value.Kind() == reflect.Map && value.IsNil()
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// marshals returns whether a type, or a pointer to it, has a form of its own as JSON.
func marshals(of reflect.Type) bool {
	pointer := reflect.PointerTo(of)
	return pointer.Implements(jsonMarshaler) || pointer.Implements(textMarshaler)
}

// kubernetes is where the types of Kubernetes' API are, whoever vendors them.
var kubernetes = regexp.MustCompile(`(?:^|/)k8s\.io/api/(core|resource)/(v\w+)$`)

// withKind says of a typed object of k8s.io/api what it is, where it does not: what a
// client of Kubernetes decodes has neither apiVersion nor kind.
func withKind(text []byte, value reflect.Value) []byte {
	if value.Kind() != reflect.Struct {
		return text
	}
	found := kubernetes.FindStringSubmatch(value.Type().PkgPath())
	version, kind := value.FieldByName("APIVersion"), value.FieldByName("Kind")
	if found == nil || !version.IsValid() || !kind.IsValid() || !bytes.HasPrefix(text, []byte("{\"")) {
		return text
	}
	head := "{"
	if version.IsZero() {
		group := ""
		if found[1] != "core" {
			group = found[1] + ".k8s.io/"
		}
		head += fmt.Sprintf(`"apiVersion":%q,`, group+found[2])
	}
	if kind.IsZero() {
		head += fmt.Sprintf(`"kind":%q,`, value.Type().Name())
	}
	return append([]byte(head), text[1:]...)
}

// textOf returns what is JSON already, under whatever name.
func textOf(value any) ([]byte, bool) {
	switch text := value.(type) {
	case []byte:
		return text, true
	case json.RawMessage:
		return text, true
	case string:
		return []byte(text), true
	}
	found := reflect.ValueOf(value)
	if !found.IsValid() || marshals(found.Type()) {
		return nil, false
	}
	switch {
	case found.Kind() == reflect.String:
		return []byte(found.String()), true
	case found.Kind() == reflect.Slice && found.Type().Elem().Kind() == reflect.Uint8:
		return found.Bytes(), true
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
	text, err := json.Marshal(withMethods(value))
	var own *Error
	switch {
	case errors.As(err, &own):
		return nil, own
	case err != nil:
		return nil, newError(ErrMalformed, fmt.Sprintf("the %s cannot be written as JSON: %v", name, err))
	default:
		return text, nil
	}
}

// withMethods returns a pointer to a value that only a pointer can write, such as an
// unstructured.Unstructured: json.Marshal would pass over what it says.
func withMethods(value any) any {
	of := reflect.TypeOf(value)
	if of.Implements(jsonMarshaler) || of.Implements(textMarshaler) || !marshals(of) {
		return value
	}
	pointer := reflect.New(of)
	pointer.Elem().Set(reflect.ValueOf(value))
	return pointer.Interface()
}
