package builder_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

func TestTextsRefused(t *testing.T) {
	t.Parallel()
	checkRefused(t, "a NUL", builder.RegString("a\x00b"), "Text", layout.ErrNUL)
	checkRefused(t, "a text that is not UTF-8", builder.RegString("a\xff"), "Text", layout.ErrText)
	checkRefused(t, "a NUL in the text of a counter", *new(builder.StringBuffer{}).Counter(1, "").Counter(2, "\x00"), "entry[1].Text", layout.ErrNUL)
	checkRefused(t, "a text of a counter that is not UTF-8", *new(builder.StringBuffer{}).Counter(1, "\xc3"), "entry[0].Text", layout.ErrText)
	checkRefused(t, "a text with None", *new(builder.StringBuffer{}).Define(builder.StringCounter{Text: "a", None: true}), "entry[0].Text", builder.ErrConflict)
	checkRefused(t, "FromEntries without entries", builder.StringBuffer{FromEntries: true}, "FromEntries", layout.ErrRange)
	checkRefused(t, "FromEntries without texts", builder.StringBuffer{FromEntries: true, Entries: []builder.StringCounter{{None: true}}}, "FromEntries", layout.ErrRange)
	checkRefused(t, "a NUL in an instance's name", builder.CounterSetInstance{Name: "\x00"}, "Name", layout.ErrNUL)
	checkRefused(t, "a name that is not UTF-8", builder.CounterSetInstance{Name: "\xff"}, "Name", layout.ErrText)
	checkRefused(t, "more values than a set has counters", builder.CounterSetInstance{Values: make([]uint64, 1<<16+1)}, "Values", builder.ErrTooLarge)
}

func TestTextsAllowed(t *testing.T) {
	t.Parallel()
	checkRoundTrip(t, "an empty text", builder.RegString(""), new(builder.RegString))
	checkRoundTrip(t, "characters of two units", builder.RegString("𝄞ä"), new(builder.RegString))
	checkRoundTrip(t, "no strings", builder.StringBuffer{}, new(builder.StringBuffer))
	checkRoundTrip(t, "counters without a text", builder.StringBuffer{Entries: []builder.StringCounter{{None: true}, {CounterId: 1, None: true}}}, new(builder.StringBuffer))
	checkRoundTrip(t, "two texts with the same counter id", *new(builder.StringBuffer{}).Counter(1, "a").Counter(1, "b"), new(builder.StringBuffer))
	checkRoundTrip(t, "the wildcard id", *new(builder.StringBuffer{}).Counter(0xFFFFFFFF, "a"), new(builder.StringBuffer))
	from := new(builder.StringBuffer{}).Define(builder.StringCounter{None: true}).Counter(1, "").Counter(2, "é")
	from.FromEntries = true
	checkRoundTrip(t, "offsets from the entries", *from, new(builder.StringBuffer))
	checkRoundTrip(t, "an empty name", builder.CounterSetInstance{InstanceId: 0xFFFFFFFF, Values: []uint64{1}}, new(builder.CounterSetInstance))
	checkRoundTrip(t, "as many values as a set can have counters", builder.CounterSetInstance{Name: "*", Values: make([]uint64, 1<<16)}, new(builder.CounterSetInstance))
	checkRoundTrip(t, "a name longer than Windows allows", builder.CounterSetInstance{Name: strings.Repeat("é", 2000)}, new(builder.CounterSetInstance))
	checkRoundTrip(t, "two equal GUIDs", builder.GUIDs{processors, processors}, new(builder.GUIDs))
	checkRoundTrip(t, "no GUID", builder.RegGUID{}, new(builder.RegGUID))
	if got := builder.RegGUID(processors).String(); got != "{b4fc721a-0378-476f-89ba-a5a79f810b36}" {
		t.Errorf("%s", got)
	}
}

func TestTextLosses(t *testing.T) {
	t.Parallel()
	checkLosses(t, "a text after a NUL", []byte("a\x00\x00\x00b\x00\x00\x00"), "Text", builder.RegString("a"), builder.RegString("untouched"))
	checkLosses(t, "an unpaired surrogate", []byte("\x00\xdc\x00\x00"), "Text", builder.RegString("\uFFFD"), builder.RegString("untouched"))
	checkLosses(t, "bytes after a GUID", appendZeros(wire.GUID(processors).Append(nil)), "rest", builder.RegGUID(processors), builder.RegGUID(provider))
}
