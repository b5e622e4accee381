package layout

import (
	"fmt"
	"strings"
)

// bitNames names the bits of each field by kind; a kind of 0xFFFFFFFF is any.
var bitNames = []struct {
	mask, kind, value CounterType
	name              string
}{
	{maskSize, anyKind, PERF_SIZE_DWORD, "PERF_SIZE_DWORD"},
	{maskSize, anyKind, PERF_SIZE_LARGE, "PERF_SIZE_LARGE"},
	{maskSize, anyKind, PERF_SIZE_ZERO, "PERF_SIZE_ZERO"},
	{maskSize, anyKind, PERF_SIZE_VARIABLE_LEN, "PERF_SIZE_VARIABLE_LEN"},
	{maskKind, anyKind, PERF_TYPE_NUMBER, "PERF_TYPE_NUMBER"},
	{maskKind, anyKind, PERF_TYPE_COUNTER, "PERF_TYPE_COUNTER"},
	{maskKind, anyKind, PERF_TYPE_TEXT, "PERF_TYPE_TEXT"},
	{maskKind, anyKind, PERF_TYPE_ZERO, "PERF_TYPE_ZERO"},
	{maskSubtype, PERF_TYPE_NUMBER, PERF_NUMBER_HEX, "PERF_NUMBER_HEX"},
	{maskSubtype, PERF_TYPE_NUMBER, PERF_NUMBER_DECIMAL, "PERF_NUMBER_DECIMAL"},
	{maskSubtype, PERF_TYPE_NUMBER, PERF_NUMBER_DEC_1000, "PERF_NUMBER_DEC_1000"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_VALUE, "PERF_COUNTER_VALUE"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_RATE, "PERF_COUNTER_RATE"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_FRACTION, "PERF_COUNTER_FRACTION"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_BASE, "PERF_COUNTER_BASE"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_ELAPSED, "PERF_COUNTER_ELAPSED"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_QUEUELEN, "PERF_COUNTER_QUEUELEN"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_HISTOGRAM, "PERF_COUNTER_HISTOGRAM"},
	{maskSubtype, PERF_TYPE_COUNTER, PERF_COUNTER_PRECISION, "PERF_COUNTER_PRECISION"},
	{maskSubtype, PERF_TYPE_TEXT, PERF_TEXT_UNICODE, "PERF_TEXT_UNICODE"},
	{maskSubtype, PERF_TYPE_TEXT, PERF_TEXT_ASCII, "PERF_TEXT_ASCII"},
	{maskTimeBase, PERF_TYPE_COUNTER, PERF_TIMER_TICK, "PERF_TIMER_TICK"},
	{maskTimeBase, PERF_TYPE_COUNTER, PERF_TIMER_100NS, "PERF_TIMER_100NS"},
	{maskTimeBase, PERF_TYPE_COUNTER, PERF_OBJECT_TIMER, "PERF_OBJECT_TIMER"},
	{PERF_DELTA_COUNTER, anyKind, PERF_DELTA_COUNTER, "PERF_DELTA_COUNTER"},
	{PERF_DELTA_BASE, anyKind, PERF_DELTA_BASE, "PERF_DELTA_BASE"},
	{PERF_INVERSE_COUNTER, anyKind, PERF_INVERSE_COUNTER, "PERF_INVERSE_COUNTER"},
	{PERF_MULTI_COUNTER, anyKind, PERF_MULTI_COUNTER, "PERF_MULTI_COUNTER"},
	{maskDisplay, anyKind, PERF_DISPLAY_NO_SUFFIX, "PERF_DISPLAY_NO_SUFFIX"},
	{maskDisplay, anyKind, PERF_DISPLAY_PER_SEC, "PERF_DISPLAY_PER_SEC"},
	{maskDisplay, anyKind, PERF_DISPLAY_PERCENT, "PERF_DISPLAY_PERCENT"},
	{maskDisplay, anyKind, PERF_DISPLAY_SECONDS, "PERF_DISPLAY_SECONDS"},
	{maskDisplay, anyKind, PERF_DISPLAY_NOSHOW, "PERF_DISPLAY_NOSHOW"},
}

const anyKind = ^CounterType(0)

// Bits spells the type out as the C names of its bits joined by " | ", with a
// number for the bits that have none. [ParseCounterType] reads it back.
func (t CounterType) Bits() string {
	var words []string
	rest := t
	for _, b := range bitNames {
		if (b.kind == anyKind || b.kind == t.Kind()) && t&b.mask == b.value {
			words = append(words, b.name)
			rest &^= b.mask
		}
	}
	if rest != 0 {
		words = append(words, fmt.Sprintf("0x%08x", uint32(rest)))
	}
	return strings.Join(words, " | ")
}

// namedType looks up the C name of a predefined type, of its second name, or of
// bits.
func namedType(name string) (value CounterType, ok bool) {
	for _, p := range predefinedTypes {
		if p.name == name {
			return p.value, true
		}
	}
	if name == "PERF_PRECISION_TIMESTAMP" {
		return PERF_PRECISION_TIMESTAMP, true
	}
	for _, b := range bitNames {
		if b.name == name {
			return b.value, true
		}
	}
	return 0, false
}
