package samples

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestFormulaOfUnknownType checks that a value has no formula if the type of its counter is not known. The type is then
// 0, which is also PERF_COUNTER_RAWCOUNT_HEX.
func TestFormulaOfUnknownType(t *testing.T) {
	t.Parallel()
	for _, missing := range []Missing{NoType, NoNumber} {
		v := Value{Counter: &Counter{}, Missing: missing}
		if known := v.Formula() != nil; known != (missing != NoType) {
			t.Errorf("%v: a formula is known: %v", missing, known)
		}
	}
}

// TestOperands checks that Operands yields the numbers that the formula of a value uses, and omits numbers that are
// not in the samples.
func TestOperands(t *testing.T) {
	t.Parallel()
	in := Inputs{N0: 1, N1: 2, B0: 3, B1: 4, D0: -5, D1: 6, F: 7, older: true, tick: true, base: true}
	one := in
	one.older = false
	clockless := in
	clockless.tick = false
	for _, tt := range []struct {
		reason string
		t      layout.CounterType
		in     Inputs
		want   string
	}{
		{"a raw value has one number", layout.PERF_COUNTER_RAWCOUNT, in, "N1=2"},
		{"a rate has the clock and its frequency", layout.PERF_COUNTER_COUNTER, in, "N1=2 N0=1 D1=6 D0=-5 F=7"},
		{"an average has both bases", layout.PERF_AVERAGE_TIMER, in, "N1=2 N0=1 B1=4 B0=3 F=7"},
		{"a fraction has the newer base", layout.PERF_RAW_FRACTION, in, "N1=2 B1=4"},
		{"the elapsed time has the newer clock", layout.PERF_ELAPSED_TIME, in, "N1=2 D1=6 F=7"},
		{"one sample has no older numbers", layout.PERF_AVERAGE_TIMER, one, "N1=2 B1=4 F=7"},
		{"an unknown clock is left out", layout.PERF_COUNTER_COUNTER, clockless, "N1=2 N0=1"},
		{"a base has no formula", layout.PERF_AVERAGE_BASE, in, ""},
	} {
		v := Value{Counter: &Counter{Type: tt.t}, Inputs: tt.in}
		var words []string
		for name, n := range v.Operands() {
			words = append(words, name+"="+n)
		}
		if got := strings.Join(words, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
}
