package layout_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

var records = slices.Concat(layout.Winperf, layout.Perflib)

func TestRecordsHaveNoHoles(t *testing.T) {
	t.Parallel()
	for _, r := range records {
		end := uint32(0)
		for _, f := range r.Fields {
			if f.At != end {
				t.Errorf("%s.%s is at %d, the field before it ends at %d", r.C, f.Name, f.At, end)
			}
			end = f.At + f.Type.Size()
		}
		if end != r.Size || r.Size%r.Align != 0 {
			t.Errorf("%s: fields end at %d, size %d, alignment %d", r.C, end, r.Size, r.Align)
		}
	}
}

func TestRecordsAreNamed(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, r := range records {
		for _, name := range []string{"C " + r.C, "Go " + r.Name, "view " + r.View} {
			if names[name] {
				t.Errorf("%q is used twice", name)
			}
			names[name] = name != "view " // SYSTEMTIME and GUID have no view
		}
		if r.Doc == "" || !strings.HasSuffix(r.Doc, ".") || !strings.HasPrefix(r.Source, "https://") {
			t.Errorf("%s: doc %q, source %q", r.C, r.Doc, r.Source)
		}
		fields := map[string]bool{}
		for _, f := range r.Fields {
			if f.Name == "" || fields[f.Name] {
				t.Errorf("%s: field %q is used twice", r.C, f.Name)
			}
			fields[f.Name] = true
			if f.Doc == "" || strings.Contains(f.Doc, "|") {
				t.Errorf("%s.%s: doc %q must be there, without what ends a table's cell", r.C, f.Name, f.Doc)
			}
			if got := r.Field(f.Name); got == nil || got.At != f.At {
				t.Errorf("%s.Field(%q) is %v", r.C, f.Name, got)
			}
		}
		if f := r.Field("NoSuchField"); f != nil {
			t.Errorf("%s has %v", r.C, f)
		}
	}
}

func TestRolesAreComplete(t *testing.T) {
	t.Parallel()
	for _, r := range records {
		for _, f := range r.Fields {
			name, role := r.C+"."+f.Name, f.Role
			switch role.Kind {
			case layout.Length:
				if role.Of == "" {
					t.Errorf("%s is a length without a subject", name)
				}
			case layout.Offset:
				if role.Of == "" || role.From == layout.Nowhere {
					t.Errorf("%s is the offset of %q from %q", name, role.Of, role.From)
				}
			case layout.Count:
				if role.Of == "" || role.From != layout.Nowhere {
					t.Errorf("%s counts %q from %q", name, role.Of, role.From)
				}
			default:
				if role.Of != "" || role.From != layout.Nowhere {
					t.Errorf("%s is a %v of %q from %q", name, role.Kind, role.Of, role.From)
				}
			}
			if role.Kind.String() == "" {
				t.Errorf("%s: role %d has no name", name, role.Kind)
			}
		}
	}
}

func TestSpanSub(t *testing.T) {
	t.Parallel()
	const wide32, wide64 = 1 << 32, math.MaxUint64
	s := layout.NewSpan([]byte("0123456789"), 1000)
	for _, tt := range []struct {
		at, n  uint64
		want   string
		ok     bool
		reason string
	}{
		{0, 10, "0123456789", true, "the whole"},
		{0, 0, "", true, "nothing at the start"},
		{10, 0, "", true, "nothing at the end"},
		{3, 4, "3456", true, "a middle"},
		{9, 1, "9", true, "the last byte"},
		{0, 11, "", false, "one byte too many"},
		{10, 1, "", false, "one byte after the end"},
		{11, 0, "", false, "nothing, after the end"},
		{5, 6, "", false, "starts inside, ends one byte after"},
		{wide32 - 1, 1, "", false, "the largest offset of 32 bits"},
		{wide32 - 1, 2, "", false, "its sum wraps to 1 in 32 bits"},
		{2, wide32 - 1, "", false, "its sum wraps to 1 in 32 bits"},
		{wide32, 1, "", false, "cut to 32 bits, the offset is 0"},
		{1, wide32, "", false, "cut to 32 bits, the length is 0"},
		{wide32 + 3, 4, "", false, "cut to 32 bits, offset and length would be valid"},
		{wide64, 1, "", false, "its sum wraps to 0"},
		{wide64, 2, "", false, "its sum wraps to 1"},
		{2, wide64, "", false, "its sum wraps to 1"},
		{wide64, wide64, "", false, "its sum wraps to the largest but one"},
		{1 << 63, 1 << 63, "", false, "its sum wraps to 0"},
		{10, wide64 - 9, "", false, "its sum wraps to 0, from the very end"},
		{wide64 - 9, 10, "", false, "the offset is negative as an int64"},
	} {
		got, err := s.Sub(tt.at, tt.n)
		if (err == nil) != tt.ok || string(got.Bytes()) != tt.want || !tt.ok && !errors.Is(err, layout.ErrBounds) {
			t.Errorf("%d bytes from 0x%x: %q, %v: %s", tt.n, tt.at, got.Bytes(), err, tt.reason)
			continue
		}
		if tt.ok && (got.Off() != 1000+int64(tt.at) || got.Len() != int(tt.n) || got.End() != 1000+int64(tt.at+tt.n)) {
			t.Errorf("%d bytes from 0x%x: %d to %d, %d bytes: %s", tt.n, tt.at, got.Off(), got.End(), got.Len(), tt.reason)
		}
	}
}

func TestSubOfSub(t *testing.T) {
	t.Parallel()
	outer, err := layout.NewSpan([]byte("0123456789"), 50).Sub(2, 6)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := outer.Sub(3, 3)
	if err != nil || string(inner.Bytes()) != "567" || inner.Off() != 55 {
		t.Errorf("got %q at %d, %v", inner.Bytes(), inner.Off(), err)
	}
	if _, err := outer.Sub(3, 4); !errors.Is(err, layout.ErrBounds) {
		t.Errorf("%v: a span must not have bytes after its end", err)
	}
}

// TestSubLeavesNoRoom checks that appending to the bytes of a span does not overwrite the bytes
// after it.
func TestSubLeavesNoRoom(t *testing.T) {
	t.Parallel()
	b := []byte("0123456789")
	s, err := layout.NewSpan(b, 0).Sub(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(s.Bytes(), 'X')
	if string(b) != "0123456789" {
		t.Errorf("the bytes are now %q", b)
	}
	if &s.Bytes()[0] != &b[2] {
		t.Error("the bytes were copied")
	}
}

func TestSpanError(t *testing.T) {
	t.Parallel()
	_, err := layout.NewSpan(make([]byte, 136), 7).Sub(0x90, 8)
	if got, want := err.Error(), "8 bytes from 0x90 do not fit into 136 bytes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	all := []byte{0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9}
	for n := range len(all) + 1 {
		got, ok := layout.NewSpan(all[:n], 0).Number()
		want := map[int]uint64{4: 0xF4F3F2F1, 8: 0xF8F7F6F5F4F3F2F1}[n]
		if ok != (want != 0) || got != want {
			t.Errorf("%d bytes: 0x%x, %t; want 0x%x", n, got, ok, want)
		}
	}
}
