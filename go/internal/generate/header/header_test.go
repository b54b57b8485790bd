package header_test

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/dralloc/dralloc/go"
	"github.com/dralloc/dralloc/go/internal/abi"
	"github.com/dralloc/dralloc/go/internal/generate/header"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const path = "../../../../include/dralloc.h"

// What is committed is what `go generate` writes.
func TestFunctionsAreThoseOfTheHeader(t *testing.T) {
	functions := header.Functions(string(read(t, path)))
	if !bytes.Equal(header.Go(functions), read(t, "../../abi/functions.go")) {
		t.Error("abi/functions.go is not of this header, expected what `go generate ./internal/abi` writes")
	}
	if !bytes.Equal(header.C(functions), read(t, "../../linked/functions.h")) {
		t.Error("linked/functions.h is not of this header, expected what `go generate ./internal/abi` writes")
	}
	for _, function := range functions {
		if function.Parameters > abi.Most {
			t.Errorf("%s has %d parameters, expected %d at most", function.Name, function.Parameters, abi.Most)
		}
	}
	// However a declaration is written, its name is followed by a parenthesis.
	if names := regexp.MustCompile(`\bdralloc_\w+\(`).FindAll(read(t, path), -1); len(functions) != len(names) {
		t.Errorf("found %d functions, expected %d", len(functions), len(names))
	}
}

func TestVersionIsThatOfTheHeader(t *testing.T) {
	version, err := header.Version(string(read(t, path)))
	if err != nil || version != abi.ABI {
		t.Errorf("found %d %v, expected %d", version, err, abi.ABI)
	}
}

func TestCodesAreThoseOfTheHeader(t *testing.T) {
	statuses, err := header.Statuses(string(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	delete(statuses, "OK")
	for name, number := range statuses {
		if found := dralloc.Code(number).String(); header.CodeName(name) != found {
			t.Errorf("found %s, expected %s", found, header.CodeName(name))
		}
	}
	if known := dralloc.Code(0).String(); len(statuses) != 25 || known != "code 0" {
		t.Errorf("found %d statuses, expected 25", len(statuses))
	}
}
