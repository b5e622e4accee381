package builder_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// template returns what a provider of two counters registers.
func template() builder.CounterSetInfo {
	return *builder.NewCounterSetInfo(processors, provider, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(1, layout.PERF_COUNTER_COUNTER).
		Counter(2, layout.PERF_COUNTER_LARGE_RAWCOUNT)
}

func TestCounterSetInfoRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(t *builder.CounterSetInfo)
		path   string
		kind   error
	}{
		{"no counters, which Windows refuses", func(t *builder.CounterSetInfo) { t.Counters = nil }, "Counters", builder.ErrCount},
		{"more counters than a set can have", func(t *builder.CounterSetInfo) { t.Counters = make([]builder.CounterInfo, 1<<16+1) }, "Counters", builder.ErrTooLarge},
		{"an instance type of a flag alone", func(t *builder.CounterSetInfo) { t.InstanceType = layout.PERF_COUNTERSET_FLAG_INSTANCE }, "InstanceType", layout.ErrRange},
		{"the id that asks for all", func(t *builder.CounterSetInfo) { t.Counters[1].CounterId = 0xFFFFFFFF }, "counter[1].CounterId", layout.ErrRange},
		{"two counters of one id", func(t *builder.CounterSetInfo) { t.Counters[1].CounterId = 1 }, "counter[1].CounterId", builder.ErrDuplicateID},
		{"an attribute that there is not", func(t *builder.CounterSetInfo) { t.Counters[1].Attrib = 1 << 63 }, "counter[1].Attrib", layout.ErrRange},
		{"a scale too large", func(t *builder.CounterSetInfo) { t.Counters[1].Scale = 11 }, "counter[1].Scale", layout.ErrRange},
		{"a scale too small", func(t *builder.CounterSetInfo) { t.Counters[0].Scale = math.MinInt32 }, "counter[0].Scale", layout.ErrRange},
	} {
		s := template()
		test.change(&s)
		refused(t, test.reason, s, test.path, test.kind)
	}
}

func TestCounterSetInfoAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(t *builder.CounterSetInfo)
	}{
		{"as it is", func(*builder.CounterSetInfo) {}},
		{"as many counters as a set can have", func(t *builder.CounterSetInfo) {
			t.Counters = make([]builder.CounterInfo, 1<<16)
			for i := range t.Counters {
				t.Counters[i].CounterId = uint32(i)
			}
		}},
		{"no GUIDs", func(t *builder.CounterSetInfo) { t.CounterSetGuid, t.ProviderGuid = layout.GUID{}, layout.GUID{} }},
		{"a size that Windows takes", func(t *builder.CounterSetInfo) { t.Counters[0].Size = 32 }},
		{"a size beyond all", func(t *builder.CounterSetInfo) { t.Counters[0].Size = math.MaxUint32 }},
		{"an offset that does not count", func(t *builder.CounterSetInfo) { t.Counters[0].Offset = 0xdeadbeef }},
		{"a text, which has no size", func(t *builder.CounterSetInfo) { t.Counters[0].Type = layout.PERF_COUNTER_TEXT }},
		{"a label, which has none either", func(t *builder.CounterSetInfo) { t.Counters[0].Type = layout.PERF_COUNTER_NODATA }},
		{"a fraction, whose base a template does not name", func(t *builder.CounterSetInfo) { t.Counters[0].Type = layout.PERF_RAW_FRACTION }},
		{"a level of V1", func(t *builder.CounterSetInfo) { t.Counters[0].DetailLevel = layout.PERF_DETAIL_EXPERT }},
		{"the bounds of a scale", func(t *builder.CounterSetInfo) { t.Counters[0].Scale, t.Counters[1].Scale = -10, 10 }},
	} {
		s := template()
		test.change(&s)
		allowed(t, test.reason, s, new(builder.CounterSetInfo))
	}
}

func TestTextsRefused(t *testing.T) {
	t.Parallel()
	refused(t, "a NUL", builder.RegString("a\x00b"), "Text", layout.ErrNUL)
	refused(t, "no UTF-8", builder.RegString("a\xff"), "Text", layout.ErrText)
	refused(t, "a NUL of a counter", *new(builder.StringBuffer{}).Counter(1, "").Counter(2, "\x00"), "entry[1].Text", layout.ErrNUL)
	refused(t, "no UTF-8 of a counter", *new(builder.StringBuffer{}).Counter(1, "\xc3"), "entry[0].Text", layout.ErrText)
	refused(t, "a text, and none", *new(builder.StringBuffer{}).Define(builder.StringCounter{Text: "a", None: true}), "entry[0].Text", builder.ErrConflict)
	refused(t, "offsets from the entries, of nothing", builder.StringBuffer{FromEntries: true}, "FromEntries", layout.ErrRange)
	refused(t, "offsets from the entries, of none", builder.StringBuffer{FromEntries: true, Entries: []builder.StringCounter{{None: true}}}, "FromEntries", layout.ErrRange)
	refused(t, "a NUL in an instance's name", builder.CounterSetInstance{Name: "\x00"}, "Name", layout.ErrNUL)
	refused(t, "a name that is not UTF-8", builder.CounterSetInstance{Name: "\xff"}, "Name", layout.ErrText)
	refused(t, "more values than a set has counters", builder.CounterSetInstance{Values: make([]uint64, 1<<16+1)}, "Values", builder.ErrTooLarge)
}

// The texts of a buffer stay within 32 bits, and a slice.
func TestStringsTooLarge(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("it measures 2 GiB of text: set PERFBLOCK_LONG")
	}
	large, many := strings.Repeat("x", 1<<24), new(builder.StringBuffer{}) // which all share
	for i := range uint32(300) {
		many.Counter(i, large)
	}
	last := "entry[127]"
	if most < math.MaxUint32 {
		last = "entry[63]"
	}
	n, err := many.EncodedLen()
	if e, ok := errors.AsType[*layout.Error](err); n != 0 || !ok || e.Path.String() != last || !errors.Is(err, builder.ErrTooLarge) {
		t.Errorf("%d, %v; want it at %s", n, err, last)
	}
}

func TestTextsAllowed(t *testing.T) {
	t.Parallel()
	allowed(t, "a text of no characters", builder.RegString(""), new(builder.RegString))
	allowed(t, "characters of two units", builder.RegString("𝄞ä"), new(builder.RegString))
	allowed(t, "no strings", builder.StringBuffer{}, new(builder.StringBuffer))
	allowed(t, "no text at all", builder.StringBuffer{Entries: []builder.StringCounter{{None: true}, {CounterId: 1, None: true}}}, new(builder.StringBuffer))
	allowed(t, "two texts of one counter", *new(builder.StringBuffer{}).Counter(1, "a").Counter(1, "b"), new(builder.StringBuffer))
	allowed(t, "the id that asks for all", *new(builder.StringBuffer{}).Counter(0xFFFFFFFF, "a"), new(builder.StringBuffer))
	from := new(builder.StringBuffer{}).Define(builder.StringCounter{None: true}).Counter(1, "").Counter(2, "é")
	from.FromEntries = true
	allowed(t, "offsets from the entries", *from, new(builder.StringBuffer))
	allowed(t, "a name of no characters", builder.CounterSetInstance{InstanceId: 0xFFFFFFFF, Values: []uint64{1}}, new(builder.CounterSetInstance))
	allowed(t, "as many values as a set can have counters", builder.CounterSetInstance{Name: "*", Values: make([]uint64, 1<<16)}, new(builder.CounterSetInstance))
	allowed(t, "a name of more than Windows gives", builder.CounterSetInstance{Name: strings.Repeat("é", 2000)}, new(builder.CounterSetInstance))
	allowed(t, "two GUIDs that are one", builder.GUIDs{processors, processors}, new(builder.GUIDs))
	allowed(t, "no GUID", builder.RegGUID{}, new(builder.RegGUID))
	if got := builder.RegGUID(processors).String(); got != "{b4fc721a-0378-476f-89ba-a5a79f810b36}" {
		t.Errorf("%s", got)
	}
}
