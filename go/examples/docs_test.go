//go:build cgo && !dralloc_dynamic

// Package examples has the programs of docs/go.md.
package examples

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// A program of the page has its path before it, and what it prints after it.
var program = regexp.MustCompile("(?s)<!-- go/examples/([a-z]+)/main.go -->\n```go\n(.*?)```\n.*?```text\n(.*?)```\n")

func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := program.FindAllSubmatch(page, -1)
	if len(programs) != 2 || strings.Count(string(page), "package main") != 2 {
		t.Errorf("found %d programs, expected 2", len(programs))
	}
	for _, found := range programs {
		name, shown, printed := string(found[1]), string(found[2]), string(found[3])
		source, err := os.ReadFile(name + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		if shown != string(source) {
			t.Errorf("docs/go.md shows another program than go/examples/%s/main.go", name)
		}
		output, err := exec.Command("go", "run", "./"+name).CombinedOutput()
		if err != nil || string(output) != printed {
			t.Errorf("%s printed %s %v, expected %s", name, output, err, printed)
		}
	}
}
