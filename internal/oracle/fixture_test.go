package oracle_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	worked "github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/internal/wire"
)

// A fixture is a block in testdata and the entries that the walker must return for it.
type fixture struct {
	name    string
	kind    string
	block   []byte
	entries []oracle.Entry // sorted by offset
}

func (f fixture) entry(t *testing.T, path string) oracle.Entry {
	t.Helper()
	i := slices.IndexFunc(f.entries, func(e oracle.Entry) bool { return e.Path == path })
	if i < 0 {
		t.Fatalf("no %s in the fixture", path)
	}
	return f.entries[i]
}

// withField returns a copy of the block with a new value in the little-endian field at path.
func (f fixture) withField(t *testing.T, path string, value uint64) []byte {
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
	return append(list, read(t, "../../layout/testdata/perflib.txt")...)
}

// load returns a block by name. A name that ends in .txt is the name of a file in testdata. Any other name is the
// title of a worked example of perflib.h.
func load(t *testing.T, name string) fixture {
	t.Helper()
	if strings.HasSuffix(name, ".txt") {
		f := read(t, filepath.Join("testdata", name))[0]
		f.name = name
		return f
	}
	list := read(t, "../../layout/testdata/perflib.txt")
	i := slices.IndexFunc(list, func(f fixture) bool { return f.name == name })
	if i < 0 {
		t.Fatalf("no worked example %q", name)
	}
	return list[i]
}

// read returns the worked examples in a file. It skips examples of single records, which have no kind, and padding,
// which has no path.
func read(t *testing.T, path string) (list []fixture) {
	t.Helper()
	examples, err := worked.ReadWorked(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range examples {
		if x.Kind == "" {
			continue
		}
		f := fixture{name: x.Title, kind: x.Kind, block: x.Bytes}
		for _, p := range x.Parts {
			if path, value, ok := strings.Cut(p.Text, " = "); ok {
				e := oracle.Entry{Path: path, Off: p.Off, Size: p.Len, Value: value}
				f.entries = append(f.entries, asWalked(e, x.Bytes[p.Off:][:p.Len]))
			}
		}
		list = append(list, f)
	}
	return list
}

// ends returns the offset of each element of a list. A block that is truncated at one of these offsets is a valid block
// with a shorter list.
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

// asWalked returns the entry in the format of the walker, which writes the bytes of names and GUIDs in hex.
func asWalked(e oracle.Entry, raw []byte) oracle.Entry {
	if strings.ContainsAny(e.Value, `"{`) {
		e.Value = "hex:" + hex.EncodeToString(raw)
	}
	return e
}

// longText returns a string buffer whose n entries point to the same string of size bytes.
func longText(n, size int) []byte {
	first := 8 + 8*n
	b := wire.StringBuffer{DwSize: uint32(first + size), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounter{DwCounterId: uint32(i), DwOffset: uint32(first)}.Append(b)
	}
	return append(append(b, strings.Repeat("x", size-2)...), 0, 0)
}
