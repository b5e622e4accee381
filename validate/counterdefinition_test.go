package validate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/layout"
)

// objectOfType returns the spec of an object that has one counter of the given type.
func objectOfType(t layout.CounterType) string {
	return fmt.Sprintf(`kind: objects
objects:
  - ObjectNameTitleIndex: 4000
    counters: [{CounterNameTitleIndex: 4002, CounterType: PERF_COUNTER_RAWCOUNT}]
patches:
  - object[0].counter[0].CounterType: 0x%08x
`, uint32(t))
}

// TestCounterTypeEdges checks the rules for CounterType with unknown, unnamed and obsolete
// types, and with every type of winperf.h.
func TestCounterTypeEdges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ    layout.CounterType
		rule   string
		want   string
		reason string
	}{
		{0x00012000, "ctr-type-unassigned-bits", "PERF_COUNTER_RAWCOUNT, without the bits 0x00002000", "PERF_DOUBLE_RAW is a type of WMI only"},
		{0x04410400, "ctr-type-unassigned-bits", "PERF_SAMPLE_COUNTER, without the bits 0x04000000", "bit 26 has no meaning"},
		{0x1C410400, "ctr-type-unassigned-bits", "PERF_COUNTER_COUNTER, without the bits 0x0c000000", "bits 26 and 27 have no meaning"},
		{0x10418400, "ctr-type-unassigned-bits", "PERF_COUNTER_COUNTER, without the bits 0x00008000", "bit 15 has no meaning"},
		{0x10410401, "ctr-type-unassigned-bits", "PERF_COUNTER_COUNTER, without the bits 0x00000001", "only bases have tags"},
		{0x40030404, "ctr-type-unassigned-bits", "a type without the bits 0x00000004, which have no meaning", "no base has the tag 4"},
		{0x40031402, "ctr-type-unassigned-bits", "PERF_AVERAGE_BASE, without the bits 0x00001000", "PERF_AVERAGE_BASE has the tag 2, which is valid"},
		{0x10411401, "ctr-type-unassigned-bits", "PERF_COUNTER_COUNTER, without the bits 0x00001001", "a tag and a bit that have no meaning here"},
		{0x80000100, "ctr-type-known", "a type with a name in winperf.h", "only PERF_COUNTER_HISTOGRAM_TYPE has the highest bit"},
		{0x10710400, "ctr-type-known", "a type with a name in winperf.h", "no type has both clock bits"},
		{0x40030400, "ctr-type-known", "a type with a name in winperf.h", "the type has the bits of a base of 4 bytes, without its tag"},
	} {
		want := map[string][]string{tt.rule: {fmt.Sprintf("object[0].counter[0].CounterType: CounterType is %v, must be %s", tt.typ, tt.want)}}
		checkTypeFindings(t, tt.typ, want, tt.reason)
	}
	obsolete := []layout.CounterType{layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE}
	for typ := range layout.CounterTypes() {
		want := map[string][]string{}
		if slices.Contains(obsolete, typ) {
			want["ctr-type-obsolete"] = []string{fmt.Sprintf("object[0].counter[0].CounterType: CounterType is %v, must be a type that is not obsolete", typ)}
		}
		checkTypeFindings(t, typ, want, "a type of winperf.h")
	}
}

func checkTypeFindings(t *testing.T, typ layout.CounterType, want map[string][]string, reason string) {
	t.Helper()
	for _, rule := range []string{"ctr-type-known", "ctr-type-unassigned-bits", "ctr-type-obsolete"} {
		if diff := cmp.Diff(want[rule], foundBy(t, rule, objectOfType(typ)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s of %v: %s (-want +got):\n%s", rule, typ, reason, diff)
		}
	}
}
