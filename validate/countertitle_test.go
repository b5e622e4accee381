package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

func TestCounterTitles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, help uint32
		want       string
		reason     string
	}{
		{4002, 4003, "", "as lodctr gives them"},
		{2, 3, "", "the smallest"},
		{0xFFFFFFFE, 0xFFFFFFFF, "", "the largest"},
		{0, 4003, "ctr-name-index counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 0, must be an even number above 0", "no name"},
		{4001, 4003, "ctr-name-index counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 4001, must be an even number above 0", "a help text, and nothing that the help could follow"},
		{4002, 4004, "ctr-help-index counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 4004, must be odd", "a name"},
		{4002, 0, "ctr-help-none counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 0, must be the index of a help text", "none"},
		{4002, 4001, "ctr-help-follows-name counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 4001, must be 4003, directly after the CounterNameTitleIndex", "the one before"},
		{4002, 4005, "ctr-help-follows-name counter[0].CounterHelpTitleIndex: CounterHelpTitleIndex is 4005, must be 4003, directly after the CounterNameTitleIndex", "the next one"},
	} {
		c := valued(raw, 4, 4)
		c.CounterNameTitleIndex, c.CounterHelpTitleIndex = row.name, row.help
		saysOfTitles(t, row.reason, row.want, validate.Context{}, c)
	}
}

// saysOfTitles fails the test unless that alone is said of the counters; "" is nothing.
func saysOfTitles(t *testing.T, reason, want string, ctx validate.Context, counters ...wire.CounterDefinition) {
	t.Helper()
	var list []string
	if want != "" {
		list = []string{want}
	}
	if diff := cmp.Diff(list, aboutCounters(withBlocks(counters), ctx), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

func TestCounterNamesTwice(t *testing.T) {
	t.Parallel()
	titled := func(typ layout.CounterType, name, help, offset uint32) wire.CounterDefinition {
		c := valued(typ, 4, offset)
		c.CounterNameTitleIndex, c.CounterHelpTitleIndex = name, help
		return c
	}
	for _, row := range []struct {
		reason   string
		counters []wire.CounterDefinition
		want     []string
	}{
		{"three of one name", []wire.CounterDefinition{titled(raw, 6, 7, 4), titled(raw, 8, 9, 8), titled(raw, 6, 7, 12), titled(raw, 6, 7, 16)}, []string{
			"ctr-name-duplicate counter[2].CounterNameTitleIndex: CounterNameTitleIndex is 6, must differ from that of counter[0]",
			"ctr-name-duplicate counter[3].CounterNameTitleIndex: CounterNameTitleIndex is 6, must differ from that of counter[0]",
		}},
		{"a base has that of its counter, whichever comes next", []wire.CounterDefinition{titled(layout.PERF_RAW_FRACTION, 6, 7, 4), titled(layout.PERF_RAW_BASE, 6, 7, 8), titled(raw, 8, 9, 12)}, nil},
		{"two without a name have no name twice", []wire.CounterDefinition{titled(raw, 0, 7, 4), titled(raw, 0, 7, 8)}, []string{
			"ctr-name-index counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 0, must be an even number above 0",
			"ctr-name-index counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 0, must be an even number above 0",
		}},
	} {
		// The second object has the names of the first, which is as it should be.
		b := withBlocks(row.counters)
		b = layOut(b, about4000, withTitles([]wire.CounterDefinition{valued(raw, 4, 4)}), nil)
		if diff := cmp.Diff(row.want, aboutCounters(b, validate.Context{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}

func TestCounterIndexRange(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		first, last uint32
		want        string
		reason      string
	}{
		{0, 0, "", "not known"},
		{4002, 4002, "", "the only one"},
		{4000, 4002, "", "the last"},
		{4002, 4004, "", "the first"},
		{4004, 4006, "ctr-index-range counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 4002, must be 4004 to 4006, from First Counter to Last Counter", "before the first"},
		{4002, 0, "", "a range with nothing in it is none"},
		{0, 4000, "ctr-index-range counter[0].CounterNameTitleIndex: CounterNameTitleIndex is 4002, must be 0 to 4000, from First Counter to Last Counter", "behind the last"},
	} {
		counters := withTitles([]wire.CounterDefinition{valued(raw, 4, 4)})
		saysOfTitles(t, row.reason, row.want, validate.Context{FirstCounter: row.first, LastCounter: row.last}, counters...)
	}
	base := inRow(layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
	base[0].CounterNameTitleIndex, base[0].CounterHelpTitleIndex = 4002, 4003
	saysOfTitles(t, "a base without a title", "", validate.Context{FirstCounter: 4002, LastCounter: 4002}, base...)
	base[1].CounterNameTitleIndex, base[1].CounterHelpTitleIndex = 4004, 4005
	ctx := validate.Context{FirstCounter: 4002, LastCounter: 4002}
	want := []string{
		"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002 as counter[0] has",
		"ctr-index-range counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 4002 to 4002, from First Counter to Last Counter",
	}
	if diff := cmp.Diff(want, aboutCounters(withBlocks(base), ctx)); diff != "" {
		t.Errorf("a base with one that was not given (-want +got):\n%s", diff)
	}
}

func TestCounterFields(t *testing.T) {
	t.Parallel()
	sound := withTitles([]wire.CounterDefinition{valued(raw, 4, 4)})[0]
	for _, row := range []struct {
		reason string
		change func(c *wire.CounterDefinition)
		want   []string
	}{
		{"the smallest scale", func(c *wire.CounterDefinition) { c.DefaultScale = -7 }, nil},
		{"a smaller one", func(c *wire.CounterDefinition) { c.DefaultScale = -8 }, []string{"ctr-default-scale counter[0].DefaultScale: DefaultScale is -8, must be -7 to 7"}},
		{"the largest scale", func(c *wire.CounterDefinition) { c.DefaultScale = 7 }, nil},
		{"a larger one", func(c *wire.CounterDefinition) { c.DefaultScale = 8 }, []string{"ctr-default-scale counter[0].DefaultScale: DefaultScale is 8, must be -7 to 7"}},
		{"both reserved fields", func(c *wire.CounterDefinition) { c.CounterNameTitle, c.CounterHelpTitle = 1, 0x80000000 }, []string{
			"ctr-reserved-title counter[0].CounterNameTitle: CounterNameTitle is 1, must be 0",
			"ctr-reserved-title counter[0].CounterHelpTitle: CounterHelpTitle is 2147483648, must be 0",
		}},
		{"the highest level", func(c *wire.CounterDefinition) { c.DetailLevel = layout.PERF_DETAIL_WIZARD }, nil},
		{"a level between", func(c *wire.CounterDefinition) { c.DetailLevel = 101 }, []string{"ctr-detail-level counter[0].DetailLevel: DetailLevel is 101, must be 100, 200, 300 or 400"}},
	} {
		c := sound
		row.change(&c)
		if diff := cmp.Diff(row.want, aboutCounters(withBlocks([]wire.CounterDefinition{c}), validate.Context{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
	base := withTitles(inRow(layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE))
	base[1].DetailLevel = 0
	saysOfTitles(t, "a base has no level", "", validate.Context{}, base...)
}
