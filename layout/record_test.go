package layout_test

import (
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
