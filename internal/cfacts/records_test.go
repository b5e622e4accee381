package cfacts_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
)

func checkedMap(t *testing.T) map[string]int64 {
	t.Helper()
	facts, err := cfacts.Checked()
	if err != nil {
		t.Fatal(err)
	}
	m := make(map[string]int64, len(facts))
	for _, f := range facts {
		m[f.Name] = f.Value
	}
	return m
}

// The field lists are typed in; a forgotten field would be a hole. The format has one, after SystemTime.
func TestFieldsFillTheRecords(t *testing.T) {
	t.Parallel()
	facts := checkedMap(t)
	type field struct {
		name   string
		at, to int64
	}
	records := map[string][]field{}
	for name, at := range facts {
		if path, ok := strings.CutPrefix(name, "offsetof "); ok {
			record, _, _ := strings.Cut(path, ".")
			records[record] = append(records[record], field{path, at, at + facts["sizeof "+path]})
		}
	}
	if len(records) != 6 {
		t.Errorf("%d records, want 6", len(records))
	}
	for record, fields := range records {
		slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.at, b.at) })
		end := int64(0)
		for _, f := range append(fields, field{"the end of " + record, facts["sizeof "+record], 0}) {
			hole := int64(0)
			if f.name == "PERF_DATA_BLOCK.PerfTime" {
				hole = 4
			}
			if f.at != end+hole {
				t.Errorf("%s is at %d, the field before it ends at %d", f.name, f.at, end)
			}
			end = f.to
		}
	}
}

// Typed from the documentation, not from a compiler: the answer file and the compilers could be wrong together about the target.
func TestCheckedAgainstTheDocumentation(t *testing.T) {
	t.Parallel()
	facts := checkedMap(t)
	for name, want := range map[string]int64{
		"sizeof PERF_DATA_BLOCK":                         88,
		"sizeof PERF_OBJECT_TYPE":                        64,
		"sizeof PERF_COUNTER_DEFINITION":                 40,
		"sizeof PERF_INSTANCE_DEFINITION":                24,
		"sizeof PERF_COUNTER_BLOCK":                      4,
		"sizeof SYSTEMTIME":                              16,
		"alignof PERF_DATA_BLOCK":                        8,
		"alignof PERF_OBJECT_TYPE":                       8,
		"alignof PERF_COUNTER_DEFINITION":                4,
		"offsetof PERF_COUNTER_DEFINITION.CounterOffset": 36,
		"const PERF_COUNTER_COUNTER":                     0x10410400,
		"const PERF_100NSEC_TIMER_INV":                   0x21510500,
		"const PERF_PRECISION_TIMESTAMP":                 0x40030500,
		"const PERF_COUNTER_HISTOGRAM_TYPE":              0x80000000,
		"const PERF_NO_INSTANCES":                        0xffffffff,
		"const PERF_DETAIL_WIZARD":                       400,
	} {
		if got, ok := facts[name]; !ok || got != want {
			t.Errorf("%s: got %d (found %t), want %d", name, got, ok, want)
		}
	}
}
