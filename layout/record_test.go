package layout_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

func TestRecordsHaveNoHoles(t *testing.T) {
	t.Parallel()
	for _, r := range layout.Winperf {
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
	records := map[string]bool{}
	for _, r := range layout.Winperf {
		for _, name := range []string{r.C, r.Name, "view " + r.View} {
			if records[name] {
				t.Errorf("%q stands twice", name)
			}
			records[name] = true
		}
		if r.Doc == "" || !strings.HasSuffix(r.Doc, ".") || !strings.HasPrefix(r.Source, "https://") {
			t.Errorf("%s: doc %q, source %q", r.C, r.Doc, r.Source)
		}
		fields := map[string]bool{}
		for _, f := range r.Fields {
			if f.Name == "" || fields[f.Name] {
				t.Errorf("%s: field %q stands twice", r.C, f.Name)
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

func TestRolesAreSensible(t *testing.T) {
	t.Parallel()
	for _, r := range layout.Winperf {
		for _, f := range r.Fields {
			name, role := r.C+"."+f.Name, f.Role
			switch role.Kind {
			case layout.Length:
				if role.Of == "" {
					t.Errorf("%s is the length of nothing", name)
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

// The lengths, offsets and counts of the format, and where they count from.
var structural = map[string]layout.Origin{
	"PERF_DATA_BLOCK.TotalByteLength":       layout.RecordStart,
	"PERF_DATA_BLOCK.HeaderLength":          layout.RecordStart,
	"PERF_DATA_BLOCK.NumObjectTypes":        layout.Nowhere,
	"PERF_DATA_BLOCK.SystemNameLength":      layout.Nowhere,
	"PERF_DATA_BLOCK.SystemNameOffset":      layout.RecordStart,
	"PERF_OBJECT_TYPE.TotalByteLength":      layout.RecordStart,
	"PERF_OBJECT_TYPE.DefinitionLength":     layout.RecordStart,
	"PERF_OBJECT_TYPE.HeaderLength":         layout.RecordStart,
	"PERF_OBJECT_TYPE.NumCounters":          layout.Nowhere,
	"PERF_OBJECT_TYPE.NumInstances":         layout.Nowhere,
	"PERF_COUNTER_DEFINITION.ByteLength":    layout.RecordStart,
	"PERF_COUNTER_DEFINITION.CounterSize":   layout.Nowhere,
	"PERF_COUNTER_DEFINITION.CounterOffset": layout.CounterStart,
	"PERF_INSTANCE_DEFINITION.ByteLength":   layout.RecordStart,
	"PERF_INSTANCE_DEFINITION.NameOffset":   layout.RecordStart,
	"PERF_INSTANCE_DEFINITION.NameLength":   layout.Nowhere,
	"PERF_COUNTER_BLOCK.ByteLength":         layout.RecordStart,
}

func TestStructuralFields(t *testing.T) {
	t.Parallel()
	for _, r := range layout.Winperf {
		for _, f := range r.Fields {
			name := r.C + "." + f.Name
			from, is := structural[name]
			if f.Role.Structural() != is || f.Role.From != from {
				t.Errorf("%s: structural %t from %q, want %t from %q", name, f.Role.Structural(), f.Role.From, is, from)
			}
		}
	}
}

// Roles of the fields that carry no structure, as the documentation has them.
func TestOtherRoles(t *testing.T) {
	t.Parallel()
	got := map[layout.RoleKind]string{}
	for _, r := range layout.Winperf {
		for _, f := range r.Fields {
			got[f.Role.Kind] += " " + f.Name
		}
	}
	for _, tt := range []struct {
		kind   layout.RoleKind
		want   string
		reason string
	}{
		{layout.Reserved, " ObjectNameTitle ObjectHelpTitle CounterNameTitle CounterHelpTitle", "the four members that were pointers"},
		{layout.TitleIndex, " ObjectNameTitleIndex ObjectHelpTitleIndex CounterNameTitleIndex CounterHelpTitleIndex ParentObjectTitleIndex", "indexes into the title database"},
		{layout.Flags, " CounterType", "the only bit field"},
		{layout.Constant, " Signature Version Revision", "one legal value each"},
		{layout.Padding, " Padding", "the only hole of the C structures"},
		{layout.Enum, " LittleEndian DetailLevel CodePage DetailLevel", "one of named values"},
	} {
		if got[tt.kind] != tt.want {
			t.Errorf("%v: got%s, want%s: %s", tt.kind, got[tt.kind], tt.want, tt.reason)
		}
	}
}
