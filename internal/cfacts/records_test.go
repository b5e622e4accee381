package cfacts_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
)

func checkedMap(t *testing.T, header cfacts.Header) map[string]int64 {
	t.Helper()
	facts, err := header.Facts()
	if err != nil {
		t.Fatal(err)
	}
	m := make(map[string]int64, len(facts))
	for _, f := range facts {
		m[f.Name] = f.Value
	}
	return m
}

// TestFieldsFillTheRecords checks that the facts have all fields of each record. A missing field would leave a gap in
// its record.
func TestFieldsFillTheRecords(t *testing.T) {
	t.Parallel()
	for header, want := range map[cfacts.Header]int{cfacts.Winperf: 6, cfacts.Perflib: 16} {
		if got := checkHoles(t, checkedMap(t, header)); got != want {
			t.Errorf("%s has %d records, want %d", header, got, want)
		}
	}
}

// checkHoles checks that the fields of each record have no gaps. It returns the number of records.
func checkHoles(t *testing.T, facts map[string]int64) int {
	t.Helper()
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
	for record, fields := range records {
		slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.at, b.at) })
		end := int64(0)
		for _, f := range append(fields, field{"the end of " + record, facts["sizeof "+record], 0}) {
			hole := int64(0)
			if f.name == "PERF_DATA_BLOCK.PerfTime" {
				hole = 4 // the only gap in the format, after SystemTime
			}
			if f.at != end+hole {
				t.Errorf("%s is at %d, the field before it ends at %d", f.name, f.at, end)
			}
			end = f.to
		}
	}
	return len(records)
}

// TestCheckedAgainstTheDocumentation compares some facts in testdata with the documentation. This finds facts that a
// compiler computed for a wrong target.
func TestCheckedAgainstTheDocumentation(t *testing.T) {
	t.Parallel()
	for header, wants := range documented {
		facts := checkedMap(t, header)
		for name, want := range wants {
			if got, ok := facts[name]; !ok || got != want {
				t.Errorf("%s: got %d (found %t), want %d", name, got, ok, want)
			}
		}
	}
}

var documented = map[cfacts.Header]map[string]int64{
	cfacts.Winperf: {
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
		"signed PERF_OBJECT_TYPE.NumInstances":           1,
		"signed PERF_OBJECT_TYPE.NumCounters":            0,
	},
	cfacts.Perflib: {
		"sizeof GUID":                           16,
		"sizeof PERF_DATA_HEADER":               48,
		"offsetof PERF_DATA_HEADER.SystemTime":  32,
		"alignof PERF_DATA_HEADER":              8,
		"sizeof PERF_COUNTER_HEADER":            16,
		"sizeof PERF_COUNTER_HEADER.dwType":     4,
		"offsetof PERF_COUNTER_DATA.dwDataSize": 0,
		"sizeof PERF_COUNTER_IDENTIFIER":        40,
		"sizeof PERF_COUNTERSET_REG_INFO":       32,
		"sizeof PERF_COUNTER_REG_INFO":          48,
		"sizeof PERF_COUNTERSET_INFO":           40,
		"sizeof PERF_COUNTER_INFO":              32,
		"sizeof PERF_COUNTERSET_INSTANCE":       32,
		"sizeof PERF_COUNTER_IDENTITY":          40,
		"signed PERF_COUNTER_INFO.Scale":        1,
		"signed PERF_COUNTER_INFO.Offset":       0,
		"const PERF_COUNTERSET":                 6,
		"const PERF_REG_COUNTER_ENGLISH_NAMES":  10,
		"const PERF_COUNTERSET_MULTI_AGGREGATE": 6,
		"const PERF_ATTRIB_DISPLAY_AS_HEX":      16,
		"const PERF_WILDCARD_COUNTER":           0xffffffff,
	},
}
