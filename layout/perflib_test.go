package layout_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/walktest"
	"github.com/perfblock/perfblock/layout"
)

// A block is an example from testdata/perflib.txt.
type block struct {
	title string // the reader's name, and after a colon the special case
	bytes []byte
	parts []seenPart
}

// A seenPart is a part that a reader returned.
type seenPart struct {
	Off  int64
	Len  int
	What string // its path and value
}

// perflibBlocks returns the blocks of testdata/perflib.txt.
func perflibBlocks(t testing.TB) (blocks []block) {
	t.Helper()
	for _, w := range readWorked(t, "testdata/perflib.txt") {
		b := block{title: w.Title, bytes: w.Bytes}
		for _, p := range w.Parts {
			b.parts = append(b.parts, seenPart{p.Off, p.Len, p.Text})
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func readWorked(t testing.TB, path string) []fixture.Worked {
	t.Helper()
	examples, err := fixture.ReadWorked(path)
	if err != nil {
		t.Fatal(err)
	}
	return examples
}

// perflibBytes returns a copy of the block with the given title.
func perflibBytes(t testing.TB, title string) []byte {
	t.Helper()
	for _, b := range perflibBlocks(t) {
		if b.title == title {
			return slices.Clone(b.bytes)
		}
	}
	t.Fatalf("no block %q", title)
	return nil
}

// readQuery returns the view of query data.
func readQuery(t testing.TB, b []byte) layout.QueryData {
	t.Helper()
	q, err := layout.ReadQueryData(b)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// A visit collects the views that a reader returns, and checks their offsets and capacity.
type visit struct {
	t     testing.TB
	b     []byte
	err   error // the first fault
	keep  bool  // store the parts that the reader returns in the field parts
	parts []seenPart
}

func (v *visit) saw(s layout.Span, what string) {
	if v.keep {
		v.parts = append(v.parts, seenPart{s.Off(), s.Len(), what})
	}
}

// fault keeps the first error. It checks that Off and Len of each error are inside the input.
func (v *visit) fault(err error) {
	v.t.Helper()
	walktest.Inside(v.t, err, len(v.b))
	if v.err == nil {
		v.err = err
	}
}

// span checks that the bytes of a view are bytes of the input, and that the capacity of the view equals its length.
func (v *visit) span(s layout.Span) {
	v.t.Helper()
	if s.Off() < 0 || s.End() > int64(len(v.b)) || cap(s.Bytes()) != s.Len() || s.Len() > 0 && &s.Bytes()[0] != &v.b[s.Off()] {
		v.t.Fatalf("%d bytes at %d, with a capacity of %d, are not inside the input's %d bytes", s.Len(), s.Off(), cap(s.Bytes()), len(v.b))
	}
}

// visitRecord collects the fields of a record. If err is not nil, the bytes of s must be zeros.
func (v *visit) visitRecord(r *layout.Record, path layout.Path, s layout.Span, err error) bool {
	v.t.Helper()
	if err != nil {
		v.fault(err)
		if s.Len() < int(r.Size) || !zeros(s.Bytes()) {
			v.t.Fatalf("the view that comes with %v reads % x", err, s.Bytes())
		}
		return false
	}
	v.span(s)
	if s.Len() < int(r.Size) {
		v.t.Fatalf("%v has %d bytes", path, s.Len())
	}
	if v.keep {
		v.fields(r, path, s)
	}
	return true
}

// zeros reports whether all bytes are 0.
func zeros(b []byte) bool { return bytes.Count(b, []byte{0}) == len(b) }

// fields collects the fields of the record at the start of s.
func (v *visit) fields(r *layout.Record, path layout.Path, s layout.Span) {
	for _, f := range r.Fields {
		part, _ := s.Sub(uint64(f.At), uint64(f.Type.Size()))
		at := path.Field(f.Name)
		switch b := part.Bytes(); f.Type {
		case layout.Time:
			v.fields(&layout.SYSTEMTIME, at, part)
		case layout.UUID:
			for g := range layout.ReadGUIDs(b) {
				v.saw(part, fmt.Sprintf("%v = %v", at, g))
			}
		case layout.I32:
			v.saw(part, fmt.Sprintf("%v = %d", at, int32(le.Uint32(b))))
		default: // unsigned, because no number of 8 bytes in the examples is negative
			n := uint64(0)
			for i, c := range b {
				n |= uint64(c) << (8 * i)
			}
			v.saw(part, fmt.Sprintf("%v = %d", at, n))
		}
	}
}

// text collects a name.
func (v *visit) text(what string, n layout.Name, err error) {
	v.t.Helper()
	if err != nil {
		v.fault(err)
		return
	}
	v.span(n.Span)
	text, err := n.Text()
	if err != nil {
		v.fault(err)
	} else if n.Len() > 0 {
		v.saw(n.Span, what+" = "+strconv.Quote(text))
	}
}

// checkSteps checks n, the number of records that an iterator over s yielded. n must be at most the number of records
// that fit into s, plus one record with a fault. size is the smallest size of a record.
func (v *visit) checkSteps(n int, s layout.Span, size uint32) {
	v.t.Helper()
	if n > s.Len()/int(size)+1 {
		v.t.Fatalf("%d steps over %d bytes, each of %d or more", n, s.Len(), size)
	}
}

// allParts returns the collected parts sorted by offset. It adds padding for the bytes between the parts.
func (v *visit) allParts() (all []seenPart) {
	slices.SortStableFunc(v.parts, func(a, b seenPart) int { return int(a.Off - b.Off) })
	end := int64(0)
	for _, p := range v.parts {
		if p.Off > end {
			all = append(all, seenPart{end, int(p.Off - end), "padding"})
		}
		all = append(all, p)
		end = p.Off + int64(p.Len)
	}
	if n := len(v.b) - int(end); n > 0 {
		all = append(all, seenPart{end, n, "padding"})
	}
	return all
}

// follow reads all of b with the reader that title names, such as "query". The test can add details to the title after
// a colon.
func follow(t testing.TB, title string, b []byte) *visit {
	t.Helper()
	name, _, _ := strings.Cut(title, ":")
	i := slices.IndexFunc(perflibReaders, func(r perflibReader) bool { return r.name == name })
	if i < 0 {
		t.Fatalf("no reader %q", name)
	}
	v := &visit{t: t, b: b, keep: true}
	perflibReaders[i].read(v)
	return v
}

// TestPerflibExamples compares the parts that the readers return with the parts that the worked
// examples list.
func TestPerflibExamples(t *testing.T) {
	t.Parallel()
	for _, b := range perflibBlocks(t) {
		v := follow(t, b.title, b.bytes)
		if v.err != nil {
			t.Errorf("%s: %v", b.title, v.err)
		}
		if diff := cmp.Diff(b.parts, v.allParts()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", b.title, diff)
		}
	}
}

// TestPerflibBlocksEnd checks that bytes after the declared length of a block are not part of its
// view.
func TestPerflibBlocksEnd(t *testing.T) {
	t.Parallel()
	trailing := []byte("\xff\xff\xff\xff trailing bytes")
	for _, b := range perflibBlocks(t) {
		switch b.title {
		case "instances", "identifiers", "GUIDs", "registered text": // blocks of these kinds have no length field
			if v := follow(t, b.title, slices.Concat(b.bytes, trailing)); v.err == nil {
				t.Errorf("%s: trailing bytes were read", b.title)
			}
			continue
		}
		v := follow(t, b.title, slices.Concat(b.bytes, trailing))
		if v.err != nil {
			t.Errorf("%s: %v", b.title, v.err)
		}
		want := b.parts
		if want[len(want)-1].What == "padding" {
			want = want[:len(want)-1]
		}
		got := v.allParts()
		if diff := cmp.Diff(want, got[:len(got)-1]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", b.title, diff)
		}
	}
}
