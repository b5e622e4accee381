package kaitai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
)

// TestDescriptionsAgree compares the fields that the readers and package layout find in valid blocks. It compares
// offsets, values, texts and the names of numbers.
func TestDescriptionsAgree(t *testing.T) {
	t.Parallel()
	need(t)
	blocks := append(golden(t), made(t, uint64(long.Count(100, 400)))...)
	outputs, unread := walk(t, blocks)
	for i, a := range outputs {
		for _, line := range disagreements(blocks[i], a) {
			t.Errorf("%s: %s", blocks[i].name, line)
		}
		if t.Failed() {
			t.FailNow() // later blocks would have the same differences
		}
	}
	for _, attribute := range unread[formats] {
		t.Errorf("no block has %s, so the test does not compare it", attribute)
	}
}

// golden returns the blocks of the valid fixtures in testdata/specs.
func golden(t *testing.T) (list []block) {
	t.Helper()
	blocks, err := fixture.Blocks("../../testdata/specs")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if !b.Broken() {
			list = append(list, block{filepath.Base(b.Path), b.Kind, b.Bytes, formats})
		}
	}
	return list
}

// made returns n generated blocks of every kind.
func made(t *testing.T, n uint64) (list []block) {
	t.Helper()
	for _, kind := range layout.Kinds() {
		for seed := range n {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, block{fmt.Sprintf("%v of seed %d", kind, seed), kind, b, formats})
		}
	}
	return list
}

// disagreements compares the entries that the Kaitai readers found in a block with the parts that
// package layout finds in the block. It compares texts and names with a dump of the block. It
// returns a line for each difference.
func disagreements(b block, a output) (lines []string) {
	if a.Error != "" {
		return []string{a.Error}
	}
	entries := make([]oracle.Entry, len(a.Entries))
	for i, e := range a.Entries {
		entries[i] = e.Entry
	}
	lines = oracle.Disagreements(b.kind, b.bytes, entries)
	shown, err := dumped(b)
	if err != nil {
		return append(lines, err.Error())
	}
	for _, e := range a.Entries {
		our, ok := shown[e.Path]
		if !ok {
			continue // the dump has only the line of another part at the same offset
		}
		if text, ok := our.text(); ok && !hasText(e, text) {
			lines = append(lines, fmt.Sprintf("%s is the text %q, not %s", e.Path, text, quoted(e.Text)))
		}
		if name := our.name(); name != "" && e.Name == nil || e.Name != nil && strings.TrimPrefix(*e.Name, success) != name {
			lines = append(lines, fmt.Sprintf("%s has the name %q, not %s", e.Path, name, quoted(e.Name)))
		}
	}
	return lines
}

// hasText reports whether the entry has the text. An entry in a code page has the text as bytes,
// because the descriptions do not decode code pages.
func hasText(e entry, text string) bool {
	if e.Text == nil {
		return e.Value == fmt.Sprintf("hex:%x00", text)
	}
	return *e.Text == text
}

// success is the name that the descriptions have for status 0. A dump omits the name.
const success = "ERROR_SUCCESS"

func quoted(s *string) string {
	if s == nil {
		return "anything"
	}
	return fmt.Sprintf("%q", *s)
}

// A line is a line of a dump in JSON.
type line struct {
	Path, Sort, Type, Meaning string
	Text                      *string
}

// constant matches the name of a constant in a C header, and names of flags joined by |.
var constant = regexp.MustCompile(`^(PERF|ERROR)_[A-Z0-9_]+(\|PERF_[A-Z0-9_]+)*$`)

// text returns the text that the readers should find for a part, without a byte order mark.
func (l line) text() (text string, ok bool) {
	if l.Text == nil || l.Path == "Signature" || l.Sort == "value" {
		return "", false // the readers read the signature and values as bytes
	}
	return strings.TrimPrefix(*l.Text, "\uFEFF"), true
}

// name returns the C constant for the number in a field, such as PERF_NO_INSTANCES for -1. It returns "" for a number
// without a constant.
func (l line) name() string {
	// The readers have no names for the bits of a counter type and for PERF_NO_UNIQUE_ID.
	bits := strings.Contains(l.Meaning, "|") && !strings.HasSuffix(l.Path, "Attrib")
	if l.Sort != "field" || bits || strings.HasSuffix(l.Path, "UniqueID") || !constant.MatchString(l.Meaning) {
		return ""
	}
	return l.Meaning
}

// dumped returns the lines of a block's dump by their paths.
func dumped(b block) (map[string]line, error) {
	format, err := dump.FormatNamed("json")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := format.Write(&out, b.kind, b.bytes, dump.Options{}); err != nil {
		return nil, err
	}
	var all []line
	if err := json.Unmarshal(out.Bytes(), &all); err != nil {
		return nil, err
	}
	lines := make(map[string]line, len(all))
	for _, l := range all {
		lines[l.Path] = l
	}
	return lines, nil
}

// TestDamagedBlocks reads blocks with one wrong bit. The readers must not run forever. If package builder can decode
// the block, the readers must find the same fields as package layout.
func TestDamagedBlocks(t *testing.T) {
	t.Parallel()
	need(t)
	blocks := made(t, uint64(long.Count(60, 200)))
	r := rand.New(rand.NewPCG(0, 0))
	for i, b := range blocks {
		if len(b.bytes) > 0 {
			blocks[i].bytes = bytes.Clone(b.bytes)
			blocks[i].bytes[r.IntN(len(b.bytes))] ^= 1 << r.IntN(8)
		}
	}
	outputs, _ := walk(t, blocks)
	refused, whole := 0, 0
	for i, a := range outputs {
		m, err := builder.NewModel(blocks[i].kind)
		if err != nil {
			t.Fatal(err)
		}
		if a.Error != "" {
			refused++
		}
		if m.UnmarshalBinary(blocks[i].bytes) != nil {
			continue
		}
		// Package builder can decode the damaged block, so the readers must agree with package layout.
		whole++
		for _, line := range disagreements(blocks[i], a) {
			t.Errorf("damaged %s: %s", blocks[i].name, line)
		}
	}
	if n := len(blocks); refused < n/20 || refused > n/2 || whole < n/3 {
		t.Errorf("of %d damaged blocks %d are refused, %d are whole: the damage is too strong or too weak", n, refused, whole)
	}
}
