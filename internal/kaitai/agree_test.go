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
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
)

// Every field of every block: its place, its number or bytes, its text, and the names of numbers.
func TestDescriptionsAgree(t *testing.T) {
	t.Parallel()
	need(t)
	blocks := append(golden(t), made(t, 400)...)
	answers, unread := walk(t, blocks)
	for i, a := range answers {
		for _, line := range disagreements(blocks[i], a) {
			t.Errorf("%s: %s", blocks[i].name, line)
		}
		if t.Failed() {
			t.FailNow() // the next would say the same
		}
	}
	for _, attribute := range unread[formats] {
		t.Errorf("%s is in no block, so it is not held", attribute)
	}
}

// golden returns the fixtures that are not broken.
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

// made returns generated blocks, so many of each kind.
func made(t *testing.T, each uint64) (list []block) {
	t.Helper()
	for _, kind := range layout.Kinds() {
		for seed := range each {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, block{fmt.Sprintf("%v of seed %d", kind, seed), kind, b, formats})
		}
	}
	return list
}

// disagreements holds what the descriptions say of a block against what we say. It returns a line for each difference.
func disagreements(b block, a answer) (lines []string) {
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
			continue // of the place of another, which has its line
		}
		if text, ok := our.text(); ok && !says(e, text) {
			lines = append(lines, fmt.Sprintf("%s is the text %q, not %s", e.Path, text, quoted(e.Text)))
		}
		if name := our.name(); name != "" && e.Name == nil || e.Name != nil && strings.TrimPrefix(*e.Name, success) != name {
			lines = append(lines, fmt.Sprintf("%s is called %q, not %s", e.Path, name, quoted(e.Name)))
		}
	}
	return lines
}

// says reports whether an entry has that text, as bytes where it is of a code page that its description cannot know.
func says(e entry, text string) bool {
	if e.Text == nil {
		return e.Value == fmt.Sprintf("hex:%x00", text)
	}
	return *e.Text == text
}

// success is what a description calls status 0, which a dump does not mention.
const success = "ERROR_SUCCESS"

func quoted(s *string) string {
	if s == nil {
		return "anything"
	}
	return fmt.Sprintf("%q", *s)
}

// A line is what the dump shows of a part.
type line struct {
	Path, Sort, Type, Meaning string
	Text                      *string
}

// constant matches one name of a C header, or several flags.
var constant = regexp.MustCompile(`^(PERF|ERROR)_[A-Z0-9_]+(\|PERF_[A-Z0-9_]+)*$`)

// text returns the text of a part. That of the signature is bytes to a description, and so is the one in a value, which
// has its length before it. A runtime drops a byte order mark where a text starts with one.
func (l line) text() (text string, ok bool) {
	if l.Text == nil || l.Path == "Signature" || l.Sort == "value" {
		return "", false
	}
	return strings.TrimPrefix(*l.Text, "\uFEFF"), true
}

// name returns the name that the part's number has. Bits of a counter type are none, flags of an Attrib are.
func (l line) name() string {
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

// The readers are not made to judge blocks: a damaged one stops them with an error, or is read as far as lengths lead. But
// each has an answer, so nothing runs on without end, and where the damage has made another whole block, this is read as
// any other.
func TestDamageHasAnAnswer(t *testing.T) {
	t.Parallel()
	need(t)
	blocks := made(t, 200)
	r := rand.New(rand.NewPCG(0, 0))
	for i, b := range blocks {
		if len(b.bytes) > 0 {
			blocks[i].bytes = bytes.Clone(b.bytes)
			blocks[i].bytes[r.IntN(len(b.bytes))] ^= 1 << r.IntN(8)
		}
	}
	answers, _ := walk(t, blocks)
	refused, whole := 0, 0
	for i, a := range answers {
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
		whole++
		for _, line := range disagreements(blocks[i], a) {
			t.Errorf("damaged %s: %s", blocks[i].name, line)
		}
	}
	if n := len(blocks); refused < n/20 || refused > n/2 || whole < n/3 {
		t.Errorf("of %d damaged blocks %d are refused, %d are whole: this tries little", n, refused, whole)
	}
}
