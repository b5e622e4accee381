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

// requireVariable is an environment variable. With the value "require", a test fails if node or a package is missing.
// CI sets the variable.
const requireVariable = "PERFBLOCK_KAITAI"

// formats is the directory of the format descriptions.
const formats = "../../docs/formats"

// A block is an input of the readers. folder is the directory with the Kaitai descriptions that they use.
type block struct {
	name   string
	kind   layout.Kind
	bytes  []byte
	folder string
}

// An entry is one field that the readers found, with its text, or with the name of its value in an enumeration.
type entry struct {
	oracle.Entry
	Text *string // nil if the field is not a text
	Name *string // the name of the value in the enumeration, "" if the value has none; nil for a field without an enumeration
}

// An output has the entries of one block, or the error.
type output struct {
	Entries []entry
	Error   string
}

// walk reads all blocks with the generated readers, and returns an output for each block, in the same order. For each
// directory of descriptions, unread lists the attributes that the readers did not find in any block.
func walk(t *testing.T, blocks []block) (outputs []output, unread map[string][]string) {
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
	outputs = make([]output, len(blocks))
	lines := json.NewDecoder(bytes.NewReader(out))
	for i := range outputs {
		if err := lines.Decode(&outputs[i]); err != nil {
			t.Fatalf("the output for %s: %v", blocks[i].name, err)
		}
	}
	if err := lines.Decode(&unread); err != nil {
		t.Fatal(err)
	}
	return outputs, unread
}

// need returns the path of the program node of Node.js. If the program or a file for it is missing, need skips the
// test. If the environment variable in requireVariable is "require", need fails the test instead.
func need(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	// If a file that a test used has changed, the go command runs the test again. Node reads these files in another
	// process, so the test calls Stat for each file.
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
	t.Skipf("%v (with %s=require, the test fails)", err, requireVariable)
	return ""
}
