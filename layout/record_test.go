package layout_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/cfacts"
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

// A place describes a length, offset or count: its role, and the place from which it counts.
type place struct {
	kind layout.RoleKind
	from layout.Origin
}

var (
	length      = place{layout.Length, layout.RecordStart}
	plainLength = place{layout.Length, layout.Nowhere}
	offset      = place{layout.Offset, layout.RecordStart}
	count       = place{layout.Count, layout.Nowhere}
)

// structural has the lengths, offsets and counts of the format.
var structural = map[string]place{
	"PERF_DATA_BLOCK.TotalByteLength":       length,
	"PERF_DATA_BLOCK.HeaderLength":          length,
	"PERF_DATA_BLOCK.NumObjectTypes":        count,
	"PERF_DATA_BLOCK.SystemNameLength":      plainLength,
	"PERF_DATA_BLOCK.SystemNameOffset":      offset,
	"PERF_OBJECT_TYPE.TotalByteLength":      length,
	"PERF_OBJECT_TYPE.DefinitionLength":     length,
	"PERF_OBJECT_TYPE.HeaderLength":         length,
	"PERF_OBJECT_TYPE.NumCounters":          count,
	"PERF_OBJECT_TYPE.NumInstances":         count,
	"PERF_COUNTER_DEFINITION.ByteLength":    length,
	"PERF_COUNTER_DEFINITION.CounterSize":   plainLength,
	"PERF_COUNTER_DEFINITION.CounterOffset": place{layout.Offset, layout.CounterStart},
	"PERF_INSTANCE_DEFINITION.ByteLength":   length,
	"PERF_INSTANCE_DEFINITION.NameOffset":   offset,
	"PERF_INSTANCE_DEFINITION.NameLength":   plainLength,
	"PERF_COUNTER_BLOCK.ByteLength":         length,

	"PERF_DATA_HEADER.dwTotalSize":                length,
	"PERF_DATA_HEADER.dwNumCounters":              count,
	"PERF_COUNTER_HEADER.dwSize":                  length,
	"PERF_MULTI_COUNTERS.dwSize":                  length,
	"PERF_MULTI_COUNTERS.dwCounters":              count,
	"PERF_MULTI_INSTANCES.dwTotalSize":            length,
	"PERF_MULTI_INSTANCES.dwInstances":            count,
	"PERF_INSTANCE_HEADER.Size":                   length,
	"PERF_COUNTER_DATA.dwDataSize":                plainLength,
	"PERF_COUNTER_DATA.dwSize":                    length,
	"PERF_COUNTER_IDENTIFIER.Size":                length,
	"PERF_COUNTERSET_REG_INFO.NumCounters":        count,
	"PERF_STRING_BUFFER_HEADER.dwSize":            length,
	"PERF_STRING_BUFFER_HEADER.dwCounters":        count,
	"PERF_STRING_COUNTER_HEADER.dwOffset":         place{layout.Offset, layout.BufferStart},
	"PERF_COUNTERSET_INFO.NumCounters":            count,
	"PERF_COUNTER_INFO.Size":                      plainLength,
	"PERF_COUNTERSET_INSTANCE.dwSize":             length,
	"PERF_COUNTERSET_INSTANCE.InstanceNameOffset": offset,
	"PERF_COUNTERSET_INSTANCE.InstanceNameSize":   plainLength,
	"PERF_COUNTER_IDENTITY.BufferSize":            length,
	"PERF_COUNTER_IDENTITY.MachineOffset":         offset,
	"PERF_COUNTER_IDENTITY.NameOffset":            offset,
}

func TestStructuralFields(t *testing.T) {
	t.Parallel()
	got := map[string]place{}
	for _, r := range records {
		for _, f := range r.Fields {
			if f.Role.Structural() {
				got[r.C+"."+f.Name] = place{f.Role.Kind, f.Role.From}
			}
		}
	}
	if diff := cmp.Diff(structural, got, cmp.AllowUnexported(place{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// otherRoles has the documented roles of the other fields. Fields that are not listed are plain
// values.
var otherRoles = map[cfacts.Header]map[layout.RoleKind]string{
	cfacts.Winperf: {
		layout.Reserved:   " ObjectNameTitle ObjectHelpTitle CounterNameTitle CounterHelpTitle", // the four members that were pointers
		layout.TitleIndex: " ObjectNameTitleIndex ObjectHelpTitleIndex CounterNameTitleIndex CounterHelpTitleIndex ParentObjectTitleIndex",
		layout.Flags:      " CounterType",
		layout.Constant:   " Signature Version Revision",
		layout.Padding:    " Padding", // the only hole of the C structures
		layout.Enum:       " LittleEndian DetailLevel CodePage DetailLevel",
	},
	cfacts.Perflib: {
		layout.Reserved: " Reserved Reserved CounterSetType Reserved Reserved",
		layout.Flags:    " Type Attrib Type Attrib",
		layout.Enum:     " dwStatus dwType Status DetailLevel InstanceType DetailLevel AggregateFunc InstanceType DetailLevel",
	},
}

func TestOtherRoles(t *testing.T) {
	t.Parallel()
	for header, records := range tables {
		got := map[layout.RoleKind]string{}
		for _, r := range records {
			for _, f := range r.Fields {
				if !f.Role.Structural() && f.Role.Kind != layout.Plain {
					got[f.Role.Kind] += " " + f.Name
				}
			}
		}
		if diff := cmp.Diff(otherRoles[header], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", header, diff)
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
		{wide32 + 3, 4, "", false, "cut to 32 bits, both would do"},
		{wide64, 1, "", false, "its sum wraps to 0"},
		{wide64, 2, "", false, "its sum wraps to 1"},
		{2, wide64, "", false, "its sum wraps to 1"},
		{wide64, wide64, "", false, "its sum wraps to the largest but one"},
		{1 << 63, 1 << 63, "", false, "its sum wraps to 0"},
		{10, wide64 - 9, "", false, "its sum wraps to 0, from the very end"},
		{wide64 - 9, 10, "", false, "negative as an int64"},
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
