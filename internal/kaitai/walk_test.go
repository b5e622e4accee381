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

// requireVariable is an environment variable. If it is "require", these tests fail instead of being skipped if node or a
// package is missing. CI sets it.
const requireVariable = "PERFBLOCK_KAITAI"

// formats is the directory of the descriptions.
const formats = "../../docs/formats"

// A block has bytes, their kind, and the directory of the descriptions to read them with.
type block struct {
	name   string
	kind   layout.Kind
	bytes  []byte
	folder string
}

// An entry is one field as in package oracle, with its text and the name of its number.
type entry struct {
	oracle.Entry
	Text *string // nil if the field is not a text
	Name *string // the number's name in the enumeration, "" if it has none; nil for a field without an enumeration
}

// An answer has the entries or the error for one block.
type answer struct {
	Entries []entry
	Error   string
}

// walk reads all blocks with the generated readers. The answers are in the order of the blocks. unread has, for each
// directory of descriptions, the attributes that are in no block.
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

// need returns the path of node. If node or a package is missing, it skips the test, or fails it if requireVariable is set.
func need(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	// The test opens the files that node reads, so that the go command does not use a cached result after they change.
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
