package dump_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

const jsonPage = "../docs/dump-json.md"

// TestJSONTables checks that docs/dump-json.md describes all members, all values of the member "sort", and nothing
// else.
func TestJSONTables(t *testing.T) {
	t.Parallel()
	members, sorts := make(map[string]bool), make(map[string]bool)
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var elements []map[string]any
		if err := json.Unmarshal(b, &elements); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, e := range elements {
			for name := range e {
				members[name] = true
			}
			sorts[e["sort"].(string)] = true
		}
	}
	all := slices.Concat(slices.Collect(maps.Keys(members)), slices.Collect(maps.Keys(sorts)))
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Za-z]+)` \\|").FindAllStringSubmatch(golden.Read(t, jsonPage), -1) {
		rows = append(rows, m[1])
	}
	slices.Sort(all)
	slices.Sort(rows)
	if diff := cmp.Diff(all, rows); diff != "" {
		t.Errorf("(-dump +page)\n%s", diff)
	}
	if !sorts[layout.UnreadPart.String()] || sorts[layout.RecordPart.String()] {
		t.Errorf("sorts are %v", slices.Sorted(maps.Keys(sorts)))
	}
}

// An element has the members of the JSON output that describe the bytes of a part.
type element struct {
	Offset, Length int
	Sort, Type     string
	Value          any
	Text, Bytes    *string
}

// raw returns the bytes of the part that the element describes.
func (e element) raw(t *testing.T) []byte {
	t.Helper()
	switch v := e.Value.(type) {
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		return le.AppendUint64(nil, uint64(n))[:e.Length]
	case string:
		n, err := strconv.ParseUint(v, 10, 64)
		if strings.HasPrefix(v, "-") {
			var signed int64
			signed, err = strconv.ParseInt(v, 10, 64)
			n = uint64(signed)
		}
		if err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		return le.AppendUint64(nil, n)
	}
	if e.Bytes != nil {
		b, err := hex.DecodeString(*e.Bytes)
		if err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		return b
	}
	if e.Text == nil {
		return nil
	}
	if e.Type == "GUID" {
		g, err := layout.ParseGUID(*e.Text)
		if err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		return wire.GUID(g).Append(nil)
	}
	var b []byte
	units := utf16.Encode([]rune(*e.Text))
	rest := e.Length
	if e.Sort == "value" {
		b = le.AppendUint32(b, uint32(e.Length-4))
		rest -= 4
	}
	if rest >= 2*len(units) {
		for _, u := range units {
			b = le.AppendUint16(b, u)
		}
	} else {
		b = append(b, *e.Text...)
	}
	if e.Sort == "name" && len(b) < e.Length {
		b = append(b, make([]byte, min(2, e.Length-len(b)))...) // the terminator
	}
	return b
}

// checkRebuilt checks that the bytes of the block can be rebuilt from the JSON.
func checkRebuilt(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	f, _ := dump.FormatNamed("json")
	var out bytes.Buffer
	if _, err := f.Write(&out, kind, b, dump.Options{}); err != nil {
		t.Fatal(err)
	}
	var elements []element
	d := json.NewDecoder(&out)
	d.UseNumber()
	if err := d.Decode(&elements); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(b))
	for _, e := range elements {
		raw := e.raw(t)
		if len(raw) != e.Length {
			t.Fatalf("%d bytes of %+v", len(raw), e)
		}
		copy(got[e.Offset:], raw)
	}
	if !bytes.Equal(got, b) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(b, got))
	}
}

func TestJSONLosesNothing(t *testing.T) {
	t.Parallel()
	whole := encode(t, block())
	broken := bytes.Clone(whole)
	broken[20]++
	for _, b := range [][]byte{
		nil, whole, broken, whole[:50], named(t, []byte("a\x00\x00\xd8b\x00")), named(t, []byte("a\x00\x00\x00b\x00")),
		append(bytes.Clone(whole), bytes.Repeat([]byte("stray\xff"), 5000)...),
	} {
		checkRebuilt(t, layout.DataBlockKind, b)
		checkRebuilt(t, layout.ObjectsKind, b)
	}
	slack := texts(t)
	checkRebuilt(t, layout.ObjectsKind, slack)
	le.PutUint32(slack[148:], 2) // 2 of the 8 bytes are the text, 6 follow it
	checkRebuilt(t, layout.ObjectsKind, slack)
}

// TestJSONOfManyBytes checks that writing 8 MiB of unread bytes takes at most 1 MiB of memory.
func TestJSONOfManyBytes(t *testing.T) {
	b := make([]byte, 8<<20)
	f, _ := dump.FormatNamed("json")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := f.Write(io.Discard, layout.ObjectsKind, b, dump.Options{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated for %d", n, len(b))
	}
}
