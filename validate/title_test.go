package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// foundBy returns the path and the message of each finding of one rule in the block of a spec.
func foundBy(t *testing.T, rule, text string) []string {
	t.Helper()
	kind, b := specBlock(t, "", []byte(text))
	var found []string
	for _, f := range validate.Bytes(kind, b, validate.Context{}).Findings {
		if f.Rule.Name == rule {
			found = append(found, fmt.Sprintf("%v: %s", f.Path, f.Message()))
		}
	}
	return found
}

// TestObjectTitleEdges checks the titles, levels, DefaultCounter and CodePage of an object at
// the limits of their rules.
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
			[]string{"object[0].ObjectNameTitleIndex: ObjectNameTitleIndex is 0, must be an even number above 0"}, "0 is even but not a title index"},
		{"obj-help-follows-name", one, "- object[0].ObjectNameTitleIndex: 0xFFFFFFFE\n",
			[]string{"object[0].ObjectHelpTitleIndex: ObjectHelpTitleIndex is 4001, must be 4294967295, the ObjectNameTitleIndex plus 1"}, "the largest name title has a help title too"},
		{"obj-reserved-title", one, "- object[0].ObjectHelpTitle: 1\n",
			[]string{"object[0].ObjectHelpTitle: ObjectHelpTitle is 1, must be 0"}, "ObjectHelpTitle is checked too"},
		{"obj-reserved-title", one, "- object[0].ObjectNameTitle: 1\n- object[0].ObjectHelpTitle: 2\n",
			[]string{"object[0].ObjectNameTitle: ObjectNameTitle is 1, must be 0", "object[0].ObjectHelpTitle: ObjectHelpTitle is 2, must be 0"}, "each field has its own finding"},
		{"obj-detail-level-min", expert, "",
			[]string{"object[0].DetailLevel: DetailLevel is PERF_DETAIL_EXPERT, must be PERF_DETAIL_NOVICE, the lowest level of its counters"}, "the first counter has the lowest level"},
		{"obj-detail-level-min", expert, "- object[0].counter[0].DetailLevel: 50\n", nil, "a counter's invalid level is not compared"},
		{"obj-detail-level-min", expert, "- object[0].counter[0].DetailLevel: 150\n- object[0].DetailLevel: PERF_DETAIL_NOVICE\n", nil, "the right level of a counter with an invalid level may be lower"},
		{"obj-detail-level-min", expert, "- object[0].counter[0].DetailLevel: 150\n- object[0].DetailLevel: PERF_DETAIL_WIZARD\n",
			[]string{"object[0].DetailLevel: DetailLevel is PERF_DETAIL_WIZARD, must be at most PERF_DETAIL_EXPERT, the lowest valid level of its counters"}, "the level is too high, whatever the right level of the counter is"},
		{"obj-detail-level-min", expert, "- object[0].DetailLevel: 301\n", nil, "an object's invalid level is not compared"},
		{"obj-detail-level-min", one, "- object[0].DetailLevel: PERF_DETAIL_EXPERT\n" + base, nil, "bases are not displayed, so their levels are not compared"},
		{"obj-detail-level-min", none, "- object[0].DetailLevel: PERF_DETAIL_EXPERT\n", nil, "there are no counters to compare"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: -1\n", nil, "-1 is no counter"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 4002\n", nil, "a title index is valid"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 1\n",
			[]string{"object[0].DefaultCounter: DefaultCounter is 1, must be -1, or the position or title index of a counter that is not a base"}, "the position is one more than the last"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 4002\n" + base,
			[]string{"object[0].DefaultCounter: DefaultCounter is 4002, must be -1, or the position or title index of a counter that is not a base"}, "the title belongs to a base"},
		{"obj-default-counter", one, "- object[0].DefaultCounter: 0\n" + base, nil, "another rule reports that the first counter is a base"},
		{"obj-default-counter", none, "- object[0].DefaultCounter: 0\n", nil, "another rule reports that there are no counters"},
		{"obj-default-counter", far, "- object[0].DefaultCounter: -2147483646\n",
			[]string{"object[0].DefaultCounter: DefaultCounter is -2147483646, must be -1, or the position or title index of a counter that is not a base"}, "DefaultCounter is negative, so it is not the title index 0x80000002"},
		{"obj-codepage-unicode", one, "- object[0].CodePage: 1\n",
			[]string{"object[0].CodePage: CodePage is 1, must be 0 (UTF-16)"}, "1 is CP_OEMCP, the lowest known code page"},
		{"obj-codepage-unicode", one, "- object[0].CodePage: 4\n", nil, "an unknown code page has its own rule"},
		{"obj-codepage-valid", one, "- object[0].CodePage: 65002\n",
			[]string{"object[0].CodePage: CodePage is 65002, must be 0 for UTF-16, or a code page that MultiByteToWideChar converts"}, "65002 is one more than the highest known code page"},
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

// TestCounterTitles checks the name title and the help title of a counter.
func TestCounterTitles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, help uint32
		want       string
		reason     string
	}{
		{4002, 4003, "", "titles as lodctr assigns them"},
		{2, 3, "", "the smallest valid titles"},
		{0xFFFFFFFE, 0xFFFFFFFF, "", "the largest valid titles"},
		{0, 4003, "ctr-name-index counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 0, must be an even number above 0", "the counter has no name"},
		{4001, 4003, "ctr-name-index counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 4001, must be an even number above 0", "the name is odd, so the help title is not compared"},
		{4002, 4004, "ctr-help-index counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 4004, must be odd", "the help title is even"},
		{4002, 0, "ctr-help-none counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 0, must be the index of a help text, an odd number", "the counter has no help title"},
		{4002, 4001, "ctr-help-follows-name counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 4001, must be 4003, the CounterNameTitleIndex plus 1", "the help title is 2 less than the right one"},
		{4002, 4005, "ctr-help-follows-name counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 4005, must be 4003, the CounterNameTitleIndex plus 1", "the help title is 2 more than the right one"},
	} {
		c := counterOf(raw, 4, 4)
		c.CounterNameTitleIndex, c.CounterHelpTitleIndex = row.name, row.help
		checkTitleFindings(t, row.reason, row.want, validate.Context{}, c)
	}
}

// checkTitleFindings checks the findings about counters. If want is "", there must be no finding.
// Otherwise want is the only finding.
func checkTitleFindings(t *testing.T, reason, want string, ctx validate.Context, counters ...wire.Counter) {
	t.Helper()
	var list []string
	if want != "" {
		list = []string{want}
	}
	expectOfCounters(t, reason, withBlocks(counters), ctx, list...)
}

// TestCounterNamesTwice checks the rule that no two counters of an object have the same name title.
func TestCounterNamesTwice(t *testing.T) {
	t.Parallel()
	counterOfTitles := func(typ layout.CounterType, name, help, offset uint32) wire.Counter {
		c := counterOf(typ, 4, offset)
		c.CounterNameTitleIndex, c.CounterHelpTitleIndex = name, help
		return c
	}
	for _, row := range []struct {
		reason   string
		counters []wire.Counter
		want     []string
	}{
		{"three counters have the same name", []wire.Counter{counterOfTitles(raw, 6, 7, 4), counterOfTitles(raw, 8, 9, 8), counterOfTitles(raw, 6, 7, 12), counterOfTitles(raw, 6, 7, 16)}, []string{
			"ctr-name-duplicate counter[2].CounterNameTitleIndex: CounterNameTitleIndex is 6, must differ from the CounterNameTitleIndex of counter[0]",
			"ctr-name-duplicate counter[3].CounterNameTitleIndex: CounterNameTitleIndex is 6, must differ from the CounterNameTitleIndex of counter[0]",
		}},
		{"a base has the name of its counter", []wire.Counter{counterOfTitles(layout.PERF_RAW_FRACTION, 6, 7, 4), counterOfTitles(layout.PERF_RAW_BASE, 6, 7, 8), counterOfTitles(raw, 8, 9, 12)}, nil},
		{"two counters without a name are not duplicates", []wire.Counter{counterOfTitles(raw, 0, 7, 4), counterOfTitles(raw, 0, 7, 8)}, []string{
			"ctr-name-index counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 0, must be an even number above 0",
			"ctr-name-index counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 0, must be an even number above 0",
		}},
	} {
		// The second object has one counter, with the name 4002, and must have no finding.
		b := withBlocks(row.counters)
		b = appendObject(b, object4000, withTitles([]wire.Counter{counterOf(raw, 4, 4)}), nil)
		expectOfCounters(t, row.reason, b, validate.Context{}, row.want...)
	}
}

// TestCounterIndexRange checks the titles of counters against First Counter and Last Counter.
func TestCounterIndexRange(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		first, last uint32
		want        string
		reason      string
	}{
		{0, 0, "", "the range is not known"},
		{4002, 4002, "", "the title is the only one in the range"},
		{4000, 4002, "", "the title is the last one in the range"},
		{4002, 4004, "", "the title is the first one in the range"},
		{4004, 4006, "ctr-index-range counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 4002, must be 4004 to 4006, the range from First Counter to Last Counter", "the title is before the range"},
		{4002, 0, "", "an empty range is ignored"},
		{0, 4000, "ctr-index-range counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 4002, must be 0 to 4000, the range from First Counter to Last Counter", "the title is after the range"},
	} {
		counters := withTitles([]wire.Counter{counterOf(raw, 4, 4)})
		checkTitleFindings(t, row.reason, row.want, validate.Context{FirstCounter: row.first, LastCounter: row.last}, counters...)
	}
	base := counterSequence(layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
	base[0].CounterNameTitleIndex, base[0].CounterHelpTitleIndex = 4002, 4003
	checkTitleFindings(t, "a base without a title", "", validate.Context{FirstCounter: 4002, LastCounter: 4002}, base...)
	base[1].CounterNameTitleIndex, base[1].CounterHelpTitleIndex = 4004, 4005
	ctx := validate.Context{FirstCounter: 4002, LastCounter: 4002}
	expectOfCounters(t, "a base with a title outside the range", withBlocks(base), ctx,
		"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002, the CounterNameTitleIndex of counter[0]",
		"ctr-index-range counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 4002 to 4002, the range from First Counter to Last Counter")
}

// TestCounterFields checks DefaultScale, the reserved titles and DetailLevel of a counter.
func TestCounterFields(t *testing.T) {
	t.Parallel()
	sound := withTitles([]wire.Counter{counterOf(raw, 4, 4)})[0]
	for _, row := range []struct {
		reason string
		change func(c *wire.Counter)
		want   []string
	}{
		{"a scale may be -7", func(c *wire.Counter) { c.DefaultScale = -7 }, nil},
		{"a scale must not be -8", func(c *wire.Counter) { c.DefaultScale = -8 }, []string{"ctr-default-scale counter[0].DefaultScale: DefaultScale is -8, must be -7 to 7"}},
		{"a scale may be 7", func(c *wire.Counter) { c.DefaultScale = 7 }, nil},
		{"a scale must not be 8", func(c *wire.Counter) { c.DefaultScale = 8 }, []string{"ctr-default-scale counter[0].DefaultScale: DefaultScale is 8, must be -7 to 7"}},
		{"both reserved fields are not 0", func(c *wire.Counter) { c.CounterNameTitle, c.CounterHelpTitle = 1, 0x80000000 }, []string{
			"ctr-reserved-title counter[0].CounterNameTitle: CounterNameTitle is 1, must be 0",
			"ctr-reserved-title counter[0].CounterHelpTitle: CounterHelpTitle is 2147483648, must be 0",
		}},
		{"a level may be 400", func(c *wire.Counter) { c.DetailLevel = layout.PERF_DETAIL_WIZARD }, nil},
		{"a level must not be 101", func(c *wire.Counter) { c.DetailLevel = 101 }, []string{"ctr-detail-level counter[0].DetailLevel: DetailLevel is 101, must be 100, 200, 300 or 400"}},
	} {
		c := sound
		row.change(&c)
		expectOfCounters(t, row.reason, withBlocks([]wire.Counter{c}), validate.Context{}, row.want...)
	}
	base := withTitles(counterSequence(layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE))
	base[1].DetailLevel = 0
	checkTitleFindings(t, "the level of a base is not checked", "", validate.Context{}, base...)
}

// TestDuplicateObjects checks the rule that no two objects have the same title.
func TestDuplicateObjects(t *testing.T) {
	t.Parallel()
	again := func(i, first string) string {
		return "data-object-duplicate object[" + i + "].ObjectNameTitleIndex: ObjectNameTitleIndex is 6, must be unique: object[" + first + "] has this title"
	}
	three := [][]byte{objectWithoutInstances(2), objectWithInstance(6), objectWithoutInstances(6), objectWithoutInstances(6), objectWithoutInstances(8)}
	want := []string{again("2", "1"), again("3", "1")}
	expectFindings(t, "each later object with the title of an earlier one is reported", layout.DataBlockKind, blockOfObjects(headerEnd, three...), want...)
	expectFindings(t, "the objects of a provider are compared too", layout.ObjectsKind, slices.Concat(three...), want...)
	for _, line := range findings(layout.ObjectsKind, slices.Concat(objectWithoutInstances(0), objectWithoutInstances(0))) {
		if strings.HasPrefix(line, "data-object-duplicate") {
			t.Errorf("two objects without a title: %s", line)
		}
	}
}
