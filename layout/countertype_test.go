package layout_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

func TestCounterTypeTraps(t *testing.T) {
	t.Parallel()
	const (
		base = 1 << iota
		needs
		text
		objectTimer
	)
	for _, tt := range []struct {
		typ    layout.CounterType
		want   int
		reason string
	}{
		{layout.PERF_PRECISION_SYSTEM_TIMER, needs, "its subtype's bits contain those of BASE"},
		{layout.PERF_PRECISION_100NS_TIMER, needs, "its subtype's bits contain those of BASE"},
		{layout.PERF_PRECISION_OBJECT_TIMER, needs | objectTimer, "its subtype's bits contain those of BASE"},
		{layout.PERF_RAW_BASE, base, "its subtype's bits contain those of FRACTION"},
		{layout.PERF_LARGE_RAW_BASE, base, "a base of 8 bytes"},
		{layout.PERF_COUNTER_MULTI_BASE, base, "MULTI_BASE has the bit MULTI, but is a base"},
		{layout.PERF_COUNTER_HISTOGRAM_TYPE, 0, "bit 31 alone means a histogram"},
		{0xC0030403, 0, "with bit 31, the other bits have no meaning"},
		{0x80020400, 0, "with bit 31, the other bits have no meaning"},
		{0x00030000, 0, "kind NUMBER: subtype 3 is no base"},
		{0x00030C00, 0, "kind ZERO: subtype 3 is no base"},
		{0x00030800, 0, "kind TEXT of 4 bytes, subtype 3: neither base nor text"},
		{0x00020000, 0, "PERF_NUMBER_DEC_1000 has the bits of FRACTION"},
		{0x00070000, 0, "kind NUMBER: subtype 7 is no PRECISION"},
		{0x000B0400, 0, "subtype 11 is not the base, subtype 3"},
		{0x02000000, 0, "MULTI has no meaning for a NUMBER"},
		{0x02400400, needs, "a MULTI of the COUNTER kind requires a base"},
		{layout.PERF_COUNTER_TEXT, text, "a text has variable length"},
		{0x00010B00, text, "a text may be in ASCII"},
		{0x00000300, 0, "a NUMBER of variable length is not a text"},
		{0x00000F00, 0, "a value of variable length of kind ZERO is not a text"},
		{layout.PERF_ELAPSED_TIME, objectTimer, "the counter uses the clock of the object"},
		{layout.PERF_OBJ_TIME_TIMER, objectTimer, "the counter uses the clock of the object"},
		{layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, objectTimer, "the counter uses the clock of the object"},
		{0x00200000, 0, "a NUMBER has no clock"},
		{0x00300400, 0, "time base 3 has no name and is not OBJECT_TIMER"},
		{layout.PERF_100NSEC_TIMER, 0, "a clock of 100 ns is not the clock of the object"},
	} {
		got := 0
		for i, set := range []bool{tt.typ.IsBase(), tt.typ.NeedsBase(), tt.typ.IsText(), tt.typ.UsesObjectTimer()} {
			if set {
				got |= 1 << i
			}
		}
		if got != tt.want {
			t.Errorf("%v: base, needs base, text, object timer are 0b%04b, want 0b%04b: %s", tt.typ, got, tt.want, tt.reason)
		}
	}
}

func TestTakesBaseOfOtherTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ, base layout.CounterType
		want      bool
		reason    string
	}{
		{0x20820400, layout.PERF_SAMPLE_BASE, true, "a fraction that is not predefined takes any base"},
		{0x20820400, layout.PERF_LARGE_RAW_BASE, true, "the base may have another width"},
		{0x20820400, 0x00030400, true, "the base may be a type that is not predefined"},
		{0x20820400, layout.PERF_PRECISION_SYSTEM_TIMER, false, "PRECISION is no base"},
		{0x20820400, layout.PERF_COUNTER_RAWCOUNT, false, "a plain counter is no base"},
		{0x00410401, layout.PERF_SAMPLE_BASE, false, "a type that is not predefined and requires no base"},
		{layout.PERF_RAW_FRACTION, 0x00030400, false, "a predefined type takes its own base only"},
		{0x20020402, layout.PERF_RAW_BASE, true, "the tag makes it another type"},
	} {
		if got := tt.typ.TakesBase(tt.base); got != tt.want {
			t.Errorf("%v, then %v: %t, want %t: %s", tt.typ, tt.base, got, tt.want, tt.reason)
		}
		if base, ok := tt.typ.Base(); ok != tt.typ.Predefined() || !ok && base != 0 {
			t.Errorf("%v: base %v, %t", tt.typ, base, ok)
		}
	}
}

func TestBits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ    layout.CounterType
		want   string
		reason string
	}{
		{layout.PERF_COUNTER_COUNTER, "PERF_SIZE_DWORD | PERF_TYPE_COUNTER | PERF_COUNTER_RATE | PERF_TIMER_TICK | PERF_DELTA_COUNTER | PERF_DISPLAY_PER_SEC", "every field has a name"},
		{layout.PERF_COUNTER_RAWCOUNT, "PERF_SIZE_DWORD | PERF_TYPE_NUMBER | PERF_NUMBER_DECIMAL | PERF_DISPLAY_NO_SUFFIX", "a number has no clock"},
		{layout.PERF_COUNTER_TEXT, "PERF_SIZE_VARIABLE_LEN | PERF_TYPE_TEXT | PERF_TEXT_UNICODE | PERF_DISPLAY_NO_SUFFIX", "subtype names of TEXT"},
		{layout.PERF_SAMPLE_BASE, "PERF_SIZE_DWORD | PERF_TYPE_COUNTER | PERF_COUNTER_BASE | PERF_TIMER_TICK | PERF_DISPLAY_NOSHOW | 0x00000001", "the tag is a number"},
		{layout.PERF_COUNTER_MULTI_TIMER_INV, "PERF_SIZE_LARGE | PERF_TYPE_COUNTER | PERF_COUNTER_RATE | PERF_TIMER_TICK | PERF_DELTA_COUNTER | PERF_INVERSE_COUNTER | PERF_MULTI_COUNTER | PERF_DISPLAY_PERCENT", "modifiers"},
		{layout.PERF_SAMPLE_FRACTION, "PERF_SIZE_DWORD | PERF_TYPE_COUNTER | PERF_COUNTER_FRACTION | PERF_TIMER_TICK | PERF_DELTA_COUNTER | PERF_DELTA_BASE | PERF_DISPLAY_PERCENT", "both deltas"},
		{layout.PERF_COUNTER_HISTOGRAM_TYPE, "PERF_SIZE_DWORD | PERF_TYPE_NUMBER | PERF_NUMBER_HEX | PERF_DISPLAY_NO_SUFFIX | 0x80000000", "bit 31 has no name"},
		{0x50030C00, "PERF_SIZE_DWORD | PERF_TYPE_ZERO | 0x50030000", "no subtypes of ZERO, no suffix 5"},
		{0x00300400, "PERF_SIZE_DWORD | PERF_TYPE_COUNTER | PERF_COUNTER_VALUE | PERF_DISPLAY_NO_SUFFIX | 0x00300000", "time base 3 has no name"},
		{0x0C00F000, "PERF_SIZE_DWORD | PERF_TYPE_NUMBER | PERF_NUMBER_HEX | PERF_DISPLAY_NO_SUFFIX | 0x0c00f000", "the unassigned bits"},
	} {
		if got := tt.typ.Bits(); got != tt.want {
			t.Errorf("%v: got\n%s, want\n%s: %s", tt.typ, got, tt.want, tt.reason)
		}
	}
}

func TestCounterTypeRoundTrips(t *testing.T) {
	t.Parallel()
	var all []layout.CounterType
	for c := range layout.CounterTypes() {
		all = append(all, c)
	}
	for i := range 32 {
		all = append(all, 1<<i, ^layout.CounterType(1<<i))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		all = append(all, layout.CounterType(rnd.Uint32()))
	}
	for _, c := range all {
		for _, text := range []string{c.String(), c.Bits(), " " + c.String() + "\t|0"} {
			if got, err := layout.ParseCounterType(text); err != nil || got != c {
				t.Fatalf("0x%08x: %q reads as 0x%08x, %v", uint32(c), text, uint32(got), err)
			}
		}
		fields := c.Size() | c.Kind() | c.Subtype() | c.TimeBase() | c.Display() | c.Unassigned() | layout.CounterType(c.Tag()) |
			c&(layout.PERF_DELTA_COUNTER|layout.PERF_DELTA_BASE|layout.PERF_INVERSE_COUNTER|0x80000000)
		if c.Multi() {
			fields |= layout.PERF_MULTI_COUNTER
		}
		if fields != c {
			t.Fatalf("the fields of 0x%08x make 0x%08x", uint32(c), uint32(fields))
		}
		if c.Predefined() == strings.HasPrefix(c.String(), "0x") {
			t.Fatalf("%v is predefined: %t", c, c.Predefined())
		}
	}
}

func TestParseCounterType(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text   string
		want   layout.CounterType
		ok     bool
		reason string
	}{
		{"PERF_PRECISION_TIMESTAMP", 0x40030500, true, "the second name of a value is accepted"},
		{"PERF_LARGE_RAW_BASE", 0x40030500, true, "the first name of a value is accepted"},
		{"272696320", 0x10410400, true, "decimal"},
		{"0x10410400", 0x10410400, true, "hex"},
		{"0X10410400", 0x10410400, true, "the prefix of hex may be 0X"},
		{"PERF_RAW_FRACTION|PERF_SIZE_LARGE", 0x20020500, true, "names of types and of bits can be joined"},
		{" PERF_SIZE_LARGE |\tPERF_TYPE_COUNTER ", 0x00000500, true, "space around words is ignored"},
		{"4294967295", 0xFFFFFFFF, true, "the largest number has 32 bits"},
		{"4294967296", 0, false, "33 bits"},
		{"", 0, false, "nothing"},
		{"|", 0, false, "two empty words"},
		{"PERF_SIZE_LARGE|", 0, false, "a word is missing after the bar"},
		{"PERF_SIZE_LARGE PERF_TYPE_COUNTER", 0, false, "no bar"},
		{"perf_raw_fraction", 0, false, "names must be in upper case"},
		{"PERF_COUNTER", 0, false, "a part of a name is not a name"},
		{"-1", 0, false, "a sign"},
		{"1.5", 0, false, "no whole number"},
		{"0x", 0, false, "hex without digits"},
		{"0x10410400_0", 0, false, "digits must not be separated by _"},
		{"0010", 10, true, "a leading 0 does not mean octal"},
		{"PERF_COUNTER_RATE|PERF_COUNTER_FRACTION", 0, false, "two subtypes, which together would be a base"},
		{"PERF_TIMER_100NS|PERF_OBJECT_TIMER", 0, false, "two time bases"},
		{"PERF_COUNTER_COUNTER|PERF_DISPLAY_PERCENT", 0, false, "two suffixes"},
		{"PERF_COUNTER_COUNTER|0x10410400", 0x10410400, true, "the same type may be given twice"},
	} {
		got, err := layout.ParseCounterType(tt.text)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%q: got 0x%08x, %v; want 0x%08x: %s", tt.text, uint32(got), err, uint32(tt.want), tt.reason)
		}
		if err != nil && !errors.Is(err, layout.ErrRange) {
			t.Errorf("%q: %v does not wrap ErrRange", tt.text, err)
		}
	}
}

func TestWidth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ   layout.CounterType
		n     uint32
		fixed bool
	}{
		{0x00000000, 4, true}, {0x00000100, 8, true}, {0x00000200, 0, true}, {0x00000300, 0, false},
		{0xFFFFFCFF, 4, true}, {0xFFFFFDFF, 8, true}, {0xFFFFFEFF, 0, true}, {0xFFFFFFFF, 0, false},
	} {
		if n, fixed := tt.typ.Width(); n != tt.n || fixed != tt.fixed {
			t.Errorf("0x%08x: %d, %t; want %d, %t: only the size bits count", uint32(tt.typ), n, fixed, tt.n, tt.fixed)
		}
	}
}

// TestParseCounterTypeRepeatedBits checks that repeating a name or bit has no effect.
func TestParseCounterTypeRepeatedBits(t *testing.T) {
	t.Parallel()
	got, err := layout.ParseCounterType("PERF_COUNTER_COUNTER | PERF_COUNTER_RATE | PERF_DELTA_COUNTER | 0x400")
	if err != nil || got != layout.PERF_COUNTER_COUNTER {
		t.Errorf("%v, %v", got, err)
	}
}
