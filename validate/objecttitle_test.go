package validate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// foundBy returns what one rule finds in the block of a spec: path and message.
func foundBy(t *testing.T, rule, text string) []string {
	t.Helper()
	s, err := spec.Parse("", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range validate.Bytes(s.Kind(), b, validate.Context{}).Findings {
		if f.Rule.Name == rule {
			found = append(found, fmt.Sprintf("%v: %s", f.Path, f.Message()))
		}
	}
	return found
}

func TestObjectTitleEdges(t *testing.T) {
	t.Parallel()
	const (
		none = `kind: objects
objects:
  - {ObjectNameTitleIndex: 4000, counters: []}
`
		one = `kind: objects
objects:
  - ObjectNameTitleIndex: 4000
    counters: [{CounterNameTitleIndex: 4002, CounterType: PERF_COUNTER_RAWCOUNT}]
`
		far = `kind: objects
objects:
  - ObjectNameTitleIndex: 4000
    counters: [{CounterNameTitleIndex: 0x80000002, CounterType: PERF_COUNTER_RAWCOUNT}]
`
		expert = `kind: objects
objects:
  - ObjectNameTitleIndex: 4000
    DetailLevel: PERF_DETAIL_EXPERT
    counters:
      - {CounterNameTitleIndex: 4002, CounterType: PERF_COUNTER_RAWCOUNT}
      - {CounterNameTitleIndex: 4004, DetailLevel: PERF_DETAIL_EXPERT, CounterType: PERF_COUNTER_RAWCOUNT}
`
		base = "- object[0].counter[0].CounterType: PERF_RAW_BASE\n"
	)
	for _, tt := range []struct {
		rule, spec, patches string
		want                []string
		reason              string
	}{
		{"obj-name-index", one, "- object[0].ObjectNameTitleIndex: 0\n",
			[]string{"object[0].ObjectNameTitleIndex: ObjectNameTitleIndex is 0, must be an even number above 0"}, "0 is even and no name"},
		{"obj-help-follows-name", one, "- object[0].ObjectNameTitleIndex: 0xFFFFFFFE\n",
			[]string{"object[0].ObjectHelpTitleIndex: ObjectHelpTitleIndex is 4001, must be 4294967295, one more than ObjectNameTitleIndex"}, "the last name has a help text"},
		{"obj-reserved-title", one, "- object[0].ObjectHelpTitle: 1\n",
			[]string{"object[0].ObjectHelpTitle: ObjectHelpTitle is 1, must be 0"}, "the second of the two fields"},
		{"obj-reserved-title", one, "- object[0].ObjectNameTitle: 1\n- object[0].ObjectHelpTitle: 2\n",
			[]string{"object[0].ObjectNameTitle: ObjectNameTitle is 1, must be 0", "object[0].ObjectHelpTitle: ObjectHelpTitle is 2, must be 0"}, "each has its own finding"},
		{"obj-detail-level-min", expert, "",
			[]string{"object[0].DetailLevel: DetailLevel is PERF_DETAIL_EXPERT, must be PERF_DETAIL_NOVICE, the lowest of its counters"}, "the first counter is the lowest"},
		{"obj-detail-level-min", expert, "- object[0].counter[0].DetailLevel: 50\n", nil, "a counter's level that is none is not compared"},
		{"obj-detail-level-min", expert, "- object[0].counter[0].DetailLevel: 150\n- object[0].DetailLevel: PERF_DETAIL_NOVICE\n", nil, "a counter's unknown level may have to be a lower one"},
		{"obj-detail-level-min", expert, "- object[0].counter[0].DetailLevel: 150\n- object[0].DetailLevel: PERF_DETAIL_WIZARD\n",
			[]string{"object[0].DetailLevel: DetailLevel is PERF_DETAIL_WIZARD, must be at most PERF_DETAIL_EXPERT, the lowest known of its counters"}, "whatever the unknown level has to be"},
		{"obj-detail-level-min", expert, "- object[0].DetailLevel: 301\n", nil, "an object's level that is none is not compared"},
		{"obj-detail-level-min", one, "- object[0].DetailLevel: PERF_DETAIL_EXPERT\n" + base, nil, "nobody is shown a base: there is nothing to compare"},
		{"obj-detail-level-min", none, "- object[0].DetailLevel: PERF_DETAIL_EXPERT\n", nil, "no counters, nothing to compare"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: -1\n", nil, "-1 is none"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 4002\n", nil, "a title index"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 1\n",
			[]string{"object[0].DefaultCounter: DefaultCounter is 1, must be -1, or the position or title index of a counter that is not a base"}, "one past the last"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 4002\n" + base,
			[]string{"object[0].DefaultCounter: DefaultCounter is 4002, must be -1, or the position or title index of a counter that is not a base"}, "the title of a base"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 0\n" + base, nil, "that the first counter is a base is said already"},
		{"obj-default-counter", none, "- object[0].DefaultCounter: 0\n", nil, "that there are no counters is said already"},
		{"obj-default-counter", far, "- object[0].DefaultCounter: -2147483646\n",
			[]string{"object[0].DefaultCounter: DefaultCounter is -2147483646, must be -1, or the position or title index of a counter that is not a base"}, "an index has no sign: 0x80000002 is not it"},
		{"obj-codepage-unicode", one, "- object[0].CodePage: 1\n",
			[]string{"object[0].CodePage: CodePage is 1, must be 0, UTF-16"}, "CP_OEMCP, the lowest that is known"},
		{"obj-codepage-unicode", one, "- object[0].CodePage: 4\n", nil, "a code page that nobody knows has a rule of its own"},
		{"obj-codepage-valid", one, "- object[0].CodePage: 65002\n",
			[]string{"object[0].CodePage: CodePage is 65002, must be 0 for UTF-16, or a code page that MultiByteToWideChar converts"}, "one past the highest"},
	} {
		text := tt.spec
		if tt.patches != "" {
			text += "patches:\n" + tt.patches
		}
		if diff := cmp.Diff(tt.want, foundBy(t, tt.rule, text), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s\n%s(-want +got):\n%s", tt.rule, tt.reason, tt.patches, diff)
		}
	}
}
