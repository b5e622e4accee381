package layout_test

import (
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

// A place is the role of a structural field and the base that it counts from.
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

// The lengths, offsets and counts of the format.
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

// The documented roles of the fields that are not lengths, offsets or counts. Fields that are not listed are plain values.
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
