package kaitai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
)

// requireVariable names the environment variable that forbids to skip these tests where node or a package is missing: set
// to "require", they fail. CI sets it, so that a skip cannot hide there.
const requireVariable = "PERFBLOCK_KAITAI"

// formats holds the descriptions.
const formats = "../../docs/formats"

// A block is bytes, what they are, and the folder of the descriptions to read them by.
type block struct {
	name   string
	kind   layout.Kind
	bytes  []byte
	folder string
}

// An entry is one field, by the names of package oracle, and what a description adds to its number or bytes.
type entry struct {
	oracle.Entry
	Text *string // nil for what is no text
	Name *string // what an enumeration calls the number, "" for nothing; nil for a field that has none
}

// An answer is what was read in one block.
type answer struct {
	Entries []entry
	Error   string
}

// walk has all blocks read by what the descriptions become. The answers are in the order of the blocks. Unread lists by
// folder what of its descriptions was found in no block.
func walk(t *testing.T, blocks []block) (answers []answer, unread map[string][]string) {
	t.Helper()
	node := need(t)
	frames := make([]io.Reader, 0, 2*len(blocks))
	for _, b := range blocks {
		frames = append(frames, strings.NewReader(fmt.Sprintf("%s %d %s\n", b.kind, len(b.bytes), b.folder)), bytes.NewReader(b.bytes))
	}
	cmd := exec.CommandContext(t.Context(), node, "walk.js")
	cmd.Stdin = io.MultiReader(frames...)
	out, err := cc.Output(cmd)
	if err != nil {
		t.Fatal(err)
	}
	answers = make([]answer, len(blocks))
	lines := json.NewDecoder(bytes.NewReader(out))
	for i := range answers {
		if err := lines.Decode(&answers[i]); err != nil {
			t.Fatalf("the answer for %s: %v", blocks[i].name, err)
		}
	}
	if err := lines.Decode(&unread); err != nil {
		t.Fatal(err)
	}
	return answers, unread
}

// need returns the path of node. Where it or a package is missing it skips the test, or fails it if the environment says so.
func need(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	// What node reads is looked at here too: else the go command would not see it change, and give a result it has kept.
	for _, file := range []string{"walk.js", "package-lock.json", "node_modules/kaitai-struct-compiler", formats + "/winperf.ksy", formats + "/perflib.ksy"} {
		if err == nil {
			_, err = os.Stat(file)
		}
	}
	if err == nil {
		return node
	}
	if !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if os.Getenv(requireVariable) == "require" {
		t.Fatalf("%v, and %s=require", err, requireVariable)
	}
	t.Skipf("%v (with %s=require this is a failure)", err, requireVariable)
	return ""
}
