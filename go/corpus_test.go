package dralloc_test

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dralloc/dralloc/go"
)

// corpus is what a file of calls works with; testdata/corpus/README.md has the form.
type corpus struct {
	t           *testing.T
	engine      *dralloc.Engine
	snapshot    *dralloc.Snapshot
	transaction *dralloc.Transaction
	claims      *dralloc.Claims
	options     *dralloc.Options
	savepoints  []*dralloc.Savepoint
	// members are those of the next gang.
	members   []*dralloc.Claims
	outcome   *dralloc.Outcome
	placement *dralloc.Placement
	trace     *dralloc.Trace
	// lines is what was taken of the trace.
	lines []byte
}

func (c *corpus) close() {
	c.placement.Close()
	c.closeSavepoints()
	c.closeMembers()
	c.options.Close()
	c.claims.Close()
	c.transaction.Close()
	c.snapshot.Close()
	c.engine.Close()
	c.trace.Close()
	*c = corpus{t: c.t}
}

func (c *corpus) closeSavepoints() {
	for _, savepoint := range c.savepoints {
		savepoint.Close()
	}
	c.savepoints = nil
}

func (c *corpus) closeMembers() {
	for _, member := range c.members {
		member.Close()
	}
	c.members = nil
}

// line returns the line of a result.
func line(result string, err error) string {
	var failure *dralloc.Error
	switch {
	case errors.As(err, &failure):
		return "!\t" + string(failure.JSON())
	case err != nil:
		return err.Error()
	case result == nothing:
		return ""
	default:
		return "=\t" + result
	}
}

func TestCorpus(t *testing.T) {
	files := must[[]string](t)(filepath.Glob("../testdata/corpus/*.calls"))
	if len(files) < 8 {
		t.Fatalf("found %d files, expected more", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { runFile(t, file) })
	}
	noHandles(t)
}

func runFile(t *testing.T, path string) {
	c := &corpus{t: t}
	defer c.close()
	if err := c.begin(""); err != nil {
		t.Fatal(err)
	}
	file := must[*os.File](t)(os.Open(path))
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	result := ""
	for number := 1; lines.Scan(); number++ {
		text := lines.Text()
		isResult := strings.HasPrefix(text, "=\t") || strings.HasPrefix(text, "!\t")
		switch {
		case text == "" || text[0] == '#':
			continue
		case isResult || result != "":
			if text != result {
				t.Fatalf("%s:%d: expected %s\nfound    %s", path, number, text, result)
			}
			result = ""
		default:
			result = line(c.run(strings.Split(text, "\t")))
		}
	}
	if err := lines.Err(); err != nil || result != "" {
		t.Fatal(result, err)
	}
}

// noHandles fails if something of the library was not freed.
func noHandles(t *testing.T) {
	t.Helper()
	if live := must[uint64](t)(dralloc.LiveHandles()); live != 0 {
		t.Errorf("%d handles were not freed", live)
	}
}
