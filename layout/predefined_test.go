package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// predefinedText lists the predefined types from the documentation.
//
// Columns: name, value, size in bytes, required base, kind, subtype, clock, modifiers and suffix.
//
// Modifiers: d for a delta, b for a delta of the base, i for inverse, m for multi.
const predefinedText = `
PERF_COUNTER_RAWCOUNT_HEX           0x00000000 4   -                        NUMBER  HEX       -            -    NO_SUFFIX
PERF_COUNTER_LARGE_RAWCOUNT_HEX     0x00000100 8   -                        NUMBER  HEX       -            -    NO_SUFFIX
PERF_COUNTER_TEXT                   0x00000B00 var -                        TEXT    UNICODE   -            -    NO_SUFFIX
PERF_COUNTER_RAWCOUNT               0x00010000 4   -                        NUMBER  DECIMAL   -            -    NO_SUFFIX
PERF_COUNTER_LARGE_RAWCOUNT         0x00010100 8   -                        NUMBER  DECIMAL   -            -    NO_SUFFIX
PERF_COUNTER_DELTA                  0x00400400 4   -                        COUNTER VALUE     TIMER_TICK   d    NO_SUFFIX
PERF_COUNTER_LARGE_DELTA            0x00400500 8   -                        COUNTER VALUE     TIMER_TICK   d    NO_SUFFIX
PERF_SAMPLE_COUNTER                 0x00410400 4   -                        COUNTER RATE      TIMER_TICK   d    NO_SUFFIX
PERF_COUNTER_QUEUELEN_TYPE          0x00450400 4   -                        COUNTER QUEUELEN  TIMER_TICK   d    NO_SUFFIX
PERF_COUNTER_LARGE_QUEUELEN_TYPE    0x00450500 8   -                        COUNTER QUEUELEN  TIMER_TICK   d    NO_SUFFIX
PERF_COUNTER_100NS_QUEUELEN_TYPE    0x00550500 8   -                        COUNTER QUEUELEN  TIMER_100NS  d    NO_SUFFIX
PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE 0x00650500 8   -                        COUNTER QUEUELEN  OBJECT_TIMER d    NO_SUFFIX
PERF_COUNTER_COUNTER                0x10410400 4   -                        COUNTER RATE      TIMER_TICK   d    PER_SEC
PERF_COUNTER_BULK_COUNT             0x10410500 8   -                        COUNTER RATE      TIMER_TICK   d    PER_SEC
PERF_RAW_FRACTION                   0x20020400 4   PERF_RAW_BASE            COUNTER FRACTION  TIMER_TICK   -    PERCENT
PERF_LARGE_RAW_FRACTION             0x20020500 8   PERF_LARGE_RAW_BASE      COUNTER FRACTION  TIMER_TICK   -    PERCENT
PERF_COUNTER_TIMER                  0x20410500 8   -                        COUNTER RATE      TIMER_TICK   d    PERCENT
PERF_PRECISION_SYSTEM_TIMER         0x20470500 8   PERF_PRECISION_TIMESTAMP COUNTER PRECISION TIMER_TICK   d    PERCENT
PERF_100NSEC_TIMER                  0x20510500 8   -                        COUNTER RATE      TIMER_100NS  d    PERCENT
PERF_PRECISION_100NS_TIMER          0x20570500 8   PERF_PRECISION_TIMESTAMP COUNTER PRECISION TIMER_100NS  d    PERCENT
PERF_OBJ_TIME_TIMER                 0x20610500 8   -                        COUNTER RATE      OBJECT_TIMER d    PERCENT
PERF_PRECISION_OBJECT_TIMER         0x20670500 8   PERF_PRECISION_TIMESTAMP COUNTER PRECISION OBJECT_TIMER d    PERCENT
PERF_SAMPLE_FRACTION                0x20C20400 4   PERF_SAMPLE_BASE         COUNTER FRACTION  TIMER_TICK   db   PERCENT
PERF_COUNTER_TIMER_INV              0x21410500 8   -                        COUNTER RATE      TIMER_TICK   di   PERCENT
PERF_100NSEC_TIMER_INV              0x21510500 8   -                        COUNTER RATE      TIMER_100NS  di   PERCENT
PERF_COUNTER_MULTI_TIMER            0x22410500 8   PERF_COUNTER_MULTI_BASE  COUNTER RATE      TIMER_TICK   dm   PERCENT
PERF_100NSEC_MULTI_TIMER            0x22510500 8   PERF_COUNTER_MULTI_BASE  COUNTER RATE      TIMER_100NS  dm   PERCENT
PERF_COUNTER_MULTI_TIMER_INV        0x23410500 8   PERF_COUNTER_MULTI_BASE  COUNTER RATE      TIMER_TICK   dim  PERCENT
PERF_100NSEC_MULTI_TIMER_INV        0x23510500 8   PERF_COUNTER_MULTI_BASE  COUNTER RATE      TIMER_100NS  dim  PERCENT
PERF_AVERAGE_TIMER                  0x30020400 4   PERF_AVERAGE_BASE        COUNTER FRACTION  TIMER_TICK   -    SECONDS
PERF_ELAPSED_TIME                   0x30240500 8   -                        COUNTER ELAPSED   OBJECT_TIMER -    SECONDS
PERF_COUNTER_NODATA                 0x40000200 0   -                        NUMBER  HEX       -            -    NOSHOW
PERF_AVERAGE_BULK                   0x40020500 8   PERF_AVERAGE_BASE        COUNTER FRACTION  TIMER_TICK   -    NOSHOW
PERF_SAMPLE_BASE                    0x40030401 4   -                        COUNTER BASE      TIMER_TICK   -    NOSHOW
PERF_AVERAGE_BASE                   0x40030402 4   -                        COUNTER BASE      TIMER_TICK   -    NOSHOW
PERF_RAW_BASE                       0x40030403 4   -                        COUNTER BASE      TIMER_TICK   -    NOSHOW
PERF_LARGE_RAW_BASE                 0x40030500 8   -                        COUNTER BASE      TIMER_TICK   -    NOSHOW
PERF_COUNTER_MULTI_BASE             0x42030500 8   -                        COUNTER BASE      TIMER_TICK   m    NOSHOW
PERF_COUNTER_HISTOGRAM_TYPE         0x80000000 4   -                        NUMBER  HEX       -            -    NO_SUFFIX
`

// A typeRow has the properties of a counter type in words.
type typeRow struct {
	Name, Value, Bytes, Base, Kind, Subtype, Clock, Modifiers, Suffix string
}

func predefinedRows(t *testing.T) (rows []typeRow) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(predefinedText)) {
		f := strings.Fields(line)
		if len(f) != 9 {
			t.Fatalf("%q has %d columns", line, len(f))
		}
		rows = append(rows, typeRow{f[0], strings.ToLower(f[1]), f[2], f[3], f[4], f[5], f[6], f[7], f[8]})
	}
	return rows
}

// bitName returns the name of the constant with the value v.
func bitName(t *testing.T, v layout.CounterType, prefix string, names ...string) string {
	t.Helper()
	for _, name := range names {
		if bits, err := layout.ParseCounterType("PERF_" + prefix + name); err == nil && bits == v {
			return name
		}
	}
	return "?"
}

func describe(t *testing.T, c layout.CounterType) typeRow {
	t.Helper()
	r := typeRow{Name: c.String(), Value: fmt.Sprintf("0x%08x", uint32(c)), Bytes: "var", Base: "-", Clock: "-"}
	if n, fixed := c.Width(); fixed {
		r.Bytes = fmt.Sprint(n)
	}
	if base, ok := c.Base(); ok {
		r.Base = base.String()
	}
	r.Kind = bitName(t, c.Kind(), "TYPE_", "NUMBER", "COUNTER", "TEXT", "ZERO")
	switch c.Kind() {
	case layout.PERF_TYPE_NUMBER:
		r.Subtype = bitName(t, c.Subtype(), "NUMBER_", "HEX", "DECIMAL", "DEC_1000")
	case layout.PERF_TYPE_TEXT:
		r.Subtype = bitName(t, c.Subtype(), "TEXT_", "UNICODE", "ASCII")
	case layout.PERF_TYPE_COUNTER:
		r.Subtype = bitName(t, c.Subtype(), "COUNTER_", "VALUE", "RATE", "FRACTION", "BASE", "ELAPSED", "QUEUELEN", "HISTOGRAM", "PRECISION")
		r.Clock = bitName(t, c.TimeBase(), "", "TIMER_TICK", "TIMER_100NS", "OBJECT_TIMER")
	}
	r.Suffix = bitName(t, c.Display(), "DISPLAY_", "NO_SUFFIX", "PER_SEC", "PERCENT", "SECONDS", "NOSHOW")
	for _, m := range []struct {
		letter string
		bit    layout.CounterType
	}{{"d", layout.PERF_DELTA_COUNTER}, {"b", layout.PERF_DELTA_BASE}, {"i", layout.PERF_INVERSE_COUNTER}, {"m", layout.PERF_MULTI_COUNTER}} {
		if c&m.bit != 0 {
			r.Modifiers += m.letter
		}
	}
	if r.Modifiers == "" {
		r.Modifiers = "-"
	}
	return r
}

func TestPredefinedTypes(t *testing.T) {
	t.Parallel()
	rows := predefinedRows(t)
	for i := range rows {
		if rows[i].Base != "-" { // if the value has two names, use the name that String returns
			rows[i].Base = parseType(t, rows[i].Base).String()
		}
	}
	var got []typeRow
	for c := range layout.CounterTypes() {
		if !c.Predefined() {
			t.Errorf("%v is not predefined", c)
		}
		if c.Unassigned() != 0 || c.Tag() != uint8(c&3) {
			t.Errorf("%v: unassigned bits 0x%08x, tag %d", c, uint32(c.Unassigned()), c.Tag())
		}
		got = append(got, describe(t, c))
	}
	if len(got) != 39 {
		t.Errorf("%d types, want 39", len(got))
	}
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Errorf("predefined types (-want +got):\n%s", diff)
	}
}

func TestCounterTypesStopsEarly(t *testing.T) {
	t.Parallel()
	n := 0
	for range layout.CounterTypes() {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d types", n)
	}
}

func TestTakesBase(t *testing.T) {
	t.Parallel()
	for _, row := range predefinedRows(t) {
		c := parseType(t, row.Name)
		takes := row.Base
		if c == layout.PERF_SAMPLE_COUNTER {
			takes = "PERF_SAMPLE_BASE" // a base is allowed, but not required
		}
		for base := range layout.CounterTypes() {
			want := takes != "-" && parseType(t, takes) == base
			if got := c.TakesBase(base); got != want {
				t.Errorf("%v, then %v: %t, want %t", c, base, got, want)
			}
		}
		if must := row.Base != "-"; c.NeedsBase() != must {
			t.Errorf("%v needs a base: %t, want %t", c, c.NeedsBase(), must)
		}
	}
}

func parseType(t *testing.T, name string) layout.CounterType {
	t.Helper()
	c, err := layout.ParseCounterType(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
