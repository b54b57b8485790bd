// Generate writes the list of the functions of include/dralloc.h for both back ends.
//
// It runs by `go generate ./internal/abi`; a test compares.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/dralloc/dralloc/go/internal/generate/header"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run is called in go/internal/abi.
func run() error {
	text, err := os.ReadFile(filepath.FromSlash("../../../include/dralloc.h"))
	if err != nil {
		return err
	}
	functions := header.Functions(string(text))
	if err := os.WriteFile("functions.go", header.Go(functions), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.FromSlash("../linked/functions.h"), header.C(functions), 0o644)
}
