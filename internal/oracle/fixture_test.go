package oracle_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A fixture is a block in testdata and the entries that the walker must return for it.
type fixture struct {
	name    string
	kind    string
	block   []byte
	entries []oracle.Entry // by offset
}

func (f fixture) entry(t *testing.T, path string) oracle.Entry {
	t.Helper()
	i := slices.IndexFunc(f.entries, func(e oracle.Entry) bool { return e.Path == path })
	if i < 0 {
		t.Fatalf("no %s in the fixture", path)
	}
	return f.entries[i]
}

// with returns a copy of the block with value in the little-endian field at path.
func (f fixture) with(t *testing.T, path string, value uint64) []byte {
	t.Helper()
	e := f.entry(t, path)
	block := bytes.Clone(f.block)
	for i := range e.Size {
		block[int(e.Off)+i] = byte(value >> (8 * i))
	}
	return block
}

// fixtures returns the blocks of the files in testdata and the worked examples of perflib.h.
func fixtures(t *testing.T) []fixture {
	t.Helper()
	var list []fixture
	for _, name := range []string{"sample.txt", "extremes.txt", "roomy.txt", "shortids.txt", "regcounter.txt", "regguid.txt"} {
		list = append(list, load(t, name))
	}
	return append(list, worked(t)...)
}

func load(t *testing.T, name string) fixture {
	t.Helper()
	if i := slices.IndexFunc(worked(t), func(f fixture) bool { return f.name == name }); i >= 0 {
		return worked(t)[i]
	}
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{name: name}
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n") {
		if i == 0 {
			f.kind = strings.TrimPrefix(line, "# ")
		}
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		if err := f.add(line); err != nil {
			t.Fatalf("%s:%d: %v", name, i+1, err)
		}
	}
	return f
}

// add reads a line `offset | bytes | path = value`. A line of padding has no path. A line of the
// worked examples has a remark after the value.
func (f *fixture) add(line string) error {
	part := strings.Split(line, "|")
	if len(part) < 3 {
		return fmt.Errorf("%d parts", len(part))
	}
	off, err := strconv.ParseInt(strings.TrimSpace(part[0]), 16, 64)
	if err != nil {
		return err
	}
	if off != int64(len(f.block)) {
		return fmt.Errorf("has the offset %#x, must have %#x", off, len(f.block))
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(part[1], " ", ""))
	if err != nil {
		return err
	}
	f.block = append(f.block, raw...)
	if path, value, ok := strings.Cut(strings.TrimSpace(part[2]), " = "); ok {
		f.entries = append(f.entries, asWalked(oracle.Entry{Path: path, Off: off, Size: len(raw), Value: value}, raw)...)
	}
	return nil
}

// ends returns the lengths at which the truncated block ends with a complete element of a list.
func (f fixture) ends() map[int]bool {
	ends := map[int]bool{}
	if !slices.Contains([]string{"objects", "instances", "identifiers", "guids"}, f.kind) {
		return ends
	}
	element := "none"
	for _, e := range f.entries {
		if top, _, _ := strings.Cut(e.Path, "."); top != element {
			element, ends[int(e.Off)] = top, true
		}
	}
	return ends
}

// perflibKinds maps the title of a block in layout/testdata/perflib.txt, without the text after a
// colon, to its kind.
var perflibKinds = map[string]layout.Kind{
	"query": layout.QueryDataKind, "instances": layout.InstancesKind, "identifiers": layout.IdentifiersKind, "strings": layout.StringsKind,
	"registered set": layout.RegSetKind, "registered counter": layout.RegCounterKind, "registered text": layout.RegStringKind,
	"GUIDs": layout.GUIDsKind, "template": layout.TemplateKind, "set instance": layout.InstanceBlockKind,
}

// worked returns the worked examples of perflib.h in layout/testdata/perflib.txt.
func worked(t *testing.T) (list []fixture) {
	t.Helper()
	text, err := os.ReadFile("../../layout/testdata/perflib.txt")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r", ""), "\n== ") {
		title, lines, _ := strings.Cut(part, "\n")
		short, _, _ := strings.Cut(title, ":")
		kind, ok := perflibKinds[short]
		if !ok {
			continue // the lines before the first block, and parts that are not a buffer
		}
		f := fixture{name: title, kind: kind.String()}
		for line := range strings.SplitSeq(lines, "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if err := f.add(line); err != nil {
				t.Fatalf("%s: %q: %v", title, line, err)
			}
		}
		list = append(list, f)
	}
	if len(list) < len(perflibKinds) {
		t.Fatalf("%d worked examples", len(list))
	}
	return list
}

// asWalked returns the entries of the walker for a line of the worked examples. A line can have a list or a time, for
// which the walker returns several entries.
func asWalked(e oracle.Entry, raw []byte) []oracle.Entry {
	owner, value, several := strings.Cut(e.Path, " ")
	switch {
	case several && value == "value":
		e.Path = owner + "." + value
	case several: // name or text
		e.Path, e.Value = owner+"."+strings.ToUpper(value[:1])+value[1:], "hex:"+hex.EncodeToString(raw)
	case e.Path == "name" || e.Path == "text":
		e.Path, e.Value = strings.ToUpper(e.Path[:1])+e.Path[1:], "hex:"+hex.EncodeToString(raw)
	case len(raw) == 16 && strings.Contains(e.Value, "-"):
		e.Value = "hex:" + hex.EncodeToString(raw)
	case strings.ContainsAny(e.Value, "[{"):
		return items(e)
	}
	return []oracle.Entry{e}
}

var timeFields = []string{"wYear", "wMonth", "wDayOfWeek", "wDay", "wHour", "wMinute", "wSecond", "wMilliseconds"}

func items(e oracle.Entry) (list []oracle.Entry) {
	values := strings.Fields(strings.Trim(e.Value, "[]{}"))
	for i, v := range values {
		size := e.Size / len(values)
		path := fmt.Sprintf("%s.id[%d]", e.Path, i)
		if strings.HasPrefix(e.Value, "{") {
			path = e.Path + "." + timeFields[i]
		}
		list = append(list, oracle.Entry{Path: path, Off: e.Off + int64(i*size), Size: size, Value: v})
	}
	return list
}

// longText returns a string buffer whose n entries point to the same string of size bytes.
func longText(n, size int) []byte {
	first := 8 + 8*n
	b := wire.StringBufferHeader{DwSize: uint32(first + size), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: uint32(first)}.Append(b)
	}
	return append(append(b, strings.Repeat("x", size-2)...), 0, 0)
}
