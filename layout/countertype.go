package layout

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// CounterType is the CounterType of a PERF_COUNTER_DEFINITION. Its bit fields encode the size of the value, the
// formula for the displayed value, and the suffix of the displayed value.
//
// The subtype is an enumeration, not a set of flags, and its meaning depends on the kind. To test the subtype, compare
// [CounterType.Subtype] with a constant. To recognize a base counter, use [CounterType.IsBase], not
// t&PERF_COUNTER_BASE.
type CounterType uint32

// The bit fields.
const (
	maskTag        CounterType = 0x000000FF // distinguishes PERF_SAMPLE_BASE, PERF_AVERAGE_BASE and PERF_RAW_BASE
	maskSize       CounterType = 0x00000300
	maskKind       CounterType = 0x00000C00
	maskSubtype    CounterType = 0x000F0000
	maskTimeBase   CounterType = 0x00300000
	maskDisplay    CounterType = 0x70000000
	maskUnassigned CounterType = 0x0C00F000
	bitHistogram   CounterType = 0x80000000 // only in PERF_COUNTER_HISTOGRAM_TYPE
)

// The bits of a CounterType: size, kind, subtype, time base, modifiers and display.
const (
	PERF_SIZE_DWORD        CounterType = 0x00000000
	PERF_SIZE_LARGE        CounterType = 0x00000100
	PERF_SIZE_ZERO         CounterType = 0x00000200
	PERF_SIZE_VARIABLE_LEN CounterType = 0x00000300

	PERF_TYPE_NUMBER  CounterType = 0x00000000
	PERF_TYPE_COUNTER CounterType = 0x00000400
	PERF_TYPE_TEXT    CounterType = 0x00000800
	PERF_TYPE_ZERO    CounterType = 0x00000C00

	// Subtypes of PERF_TYPE_NUMBER.
	PERF_NUMBER_HEX      CounterType = 0x00000000
	PERF_NUMBER_DECIMAL  CounterType = 0x00010000
	PERF_NUMBER_DEC_1000 CounterType = 0x00020000

	// Subtypes of PERF_TYPE_COUNTER.
	PERF_COUNTER_VALUE     CounterType = 0x00000000
	PERF_COUNTER_RATE      CounterType = 0x00010000
	PERF_COUNTER_FRACTION  CounterType = 0x00020000
	PERF_COUNTER_BASE      CounterType = 0x00030000
	PERF_COUNTER_ELAPSED   CounterType = 0x00040000
	PERF_COUNTER_QUEUELEN  CounterType = 0x00050000
	PERF_COUNTER_HISTOGRAM CounterType = 0x00060000
	PERF_COUNTER_PRECISION CounterType = 0x00070000

	// Subtypes of PERF_TYPE_TEXT.
	PERF_TEXT_UNICODE CounterType = 0x00000000
	PERF_TEXT_ASCII   CounterType = 0x00010000

	PERF_TIMER_TICK   CounterType = 0x00000000 // PerfTime and PerfFreq of the data block
	PERF_TIMER_100NS  CounterType = 0x00100000 // PerfTime100nSec of the data block
	PERF_OBJECT_TIMER CounterType = 0x00200000 // PerfTime and PerfFreq of the object

	PERF_DELTA_COUNTER   CounterType = 0x00400000
	PERF_DELTA_BASE      CounterType = 0x00800000
	PERF_INVERSE_COUNTER CounterType = 0x01000000
	PERF_MULTI_COUNTER   CounterType = 0x02000000

	PERF_DISPLAY_NO_SUFFIX CounterType = 0x00000000
	PERF_DISPLAY_PER_SEC   CounterType = 0x10000000
	PERF_DISPLAY_PERCENT   CounterType = 0x20000000
	PERF_DISPLAY_SECONDS   CounterType = 0x30000000
	PERF_DISPLAY_NOSHOW    CounterType = 0x40000000
)

// Size returns the size bits, one of the PERF_SIZE constants.
func (t CounterType) Size() CounterType { return t & maskSize }

// Width returns the size of a value in bytes: 4, 8, or 0 for PERF_SIZE_ZERO. fixed is false
// for PERF_SIZE_VARIABLE_LEN.
func (t CounterType) Width() (n uint32, fixed bool) {
	switch t.Size() {
	case PERF_SIZE_DWORD:
		return 4, true
	case PERF_SIZE_LARGE:
		return 8, true
	case PERF_SIZE_ZERO:
		return 0, true
	}
	return 0, false
}

// Kind returns the kind bits, one of the PERF_TYPE constants.
func (t CounterType) Kind() CounterType { return t & maskKind }

// Subtype returns the subtype bits. Their meaning depends on the kind: for PERF_TYPE_COUNTER, compare them with a
// PERF_COUNTER constant, for PERF_TYPE_NUMBER with a PERF_NUMBER constant, and for PERF_TYPE_TEXT with a PERF_TEXT
// constant.
func (t CounterType) Subtype() CounterType { return t & maskSubtype }

// TimeBase returns the clock of a rate: PERF_TIMER_TICK, PERF_TIMER_100NS, PERF_OBJECT_TIMER, or 0x00300000, which has
// no name.
func (t CounterType) TimeBase() CounterType { return t & maskTimeBase }

// Display returns the suffix bits, one of the PERF_DISPLAY constants or a value
// without a name.
func (t CounterType) Display() CounterType { return t & maskDisplay }

// Multi reports whether the value is the sum of several components, such as processors. The value of the base
// counter is the number of components.
func (t CounterType) Multi() bool { return t&PERF_MULTI_COUNTER != 0 }

// Unassigned returns the bits that have no meaning.
func (t CounterType) Unassigned() CounterType { return t & maskUnassigned }

// Tag returns the low byte. PERF_SAMPLE_BASE, PERF_AVERAGE_BASE and PERF_RAW_BASE differ only in this byte.
func (t CounterType) Tag() uint8 { return uint8(t & maskTag) }

// hasKind reports whether the type has the kind and the subtype, and is not a histogram.
func (t CounterType) hasKind(kind, subtype CounterType) bool {
	return t&bitHistogram == 0 && t.Kind() == kind && t.Subtype() == subtype
}

// IsBase reports whether the counter is the denominator of the counter before it.
func (t CounterType) IsBase() bool { return t.hasKind(PERF_TYPE_COUNTER, PERF_COUNTER_BASE) }

// IsText reports whether the value is text: a DWORD with the length of the text, and then the text.
func (t CounterType) IsText() bool {
	return t.Size() == PERF_SIZE_VARIABLE_LEN && t.Kind() == PERF_TYPE_TEXT
}

// UsesObjectTimer reports whether the counter is computed with the object's
// PerfTime and PerfFreq.
func (t CounterType) UsesObjectTimer() bool {
	return t.Kind() == PERF_TYPE_COUNTER && t.TimeBase() == PERF_OBJECT_TIMER
}

// NeedsBase reports whether the counter requires a base definition directly after it.
func (t CounterType) NeedsBase() bool {
	return t.hasKind(PERF_TYPE_COUNTER, PERF_COUNTER_FRACTION) || t.hasKind(PERF_TYPE_COUNTER, PERF_COUNTER_PRECISION) ||
		t&bitHistogram == 0 && t.Kind() == PERF_TYPE_COUNTER && t.Multi() && !t.IsBase()
}

// Base returns the type of the base definition that must directly follow a counter of a
// predefined type. ok is false if the type requires no base or is not predefined.
func (t CounterType) Base() (base CounterType, ok bool) {
	if p := t.predefined(); p != nil && p.base != 0 {
		return p.base, true
	}
	return 0, false
}

// TakesBase reports whether baseType is a correct type for the base definition directly after a counter of type t:
//   - If [CounterType.Base] returns a type for t, baseType must be this type.
//   - If t is PERF_SAMPLE_COUNTER, which requires no base, baseType must be PERF_SAMPLE_BASE.
//   - If t is not predefined and [CounterType.NeedsBase] returns true for t, baseType may be any base type.
//   - For any other t, TakesBase returns false.
func (t CounterType) TakesBase(baseType CounterType) bool {
	if want, ok := t.Base(); ok {
		return baseType == want
	}
	if t == PERF_SAMPLE_COUNTER {
		return baseType == PERF_SAMPLE_BASE
	}
	return t.predefined() == nil && t.NeedsBase() && baseType.IsBase()
}

// Predefined reports whether winperf.h has a name for the type. Providers should use only
// these types.
func (t CounterType) Predefined() bool { return t.predefined() != nil }

// String returns the type's name in C, or its number in hex. PERF_LARGE_RAW_BASE and
// PERF_PRECISION_TIMESTAMP have the same value; String returns "PERF_LARGE_RAW_BASE" for both.
func (t CounterType) String() string {
	if p := t.predefined(); p != nil {
		return p.name
	}
	return fmt.Sprintf("0x%08x", uint32(t))
}

// ParseCounterType parses a counter type. The text is the C name of a type or of some of its bits, a decimal
// number, a hexadecimal number after 0x, or several of these joined by "|". Two names or numbers must not give
// different nonzero values to the same bit field. The error wraps [ErrRange].
func ParseCounterType(s string) (CounterType, error) {
	var t CounterType
	for word := range strings.SplitSeq(s, "|") {
		word = strings.TrimSpace(word)
		v, ok := namedType(word)
		if !ok {
			n, err := parseNumber(word, 32)
			if err != nil {
				return 0, Faultf(ErrRange, "%s is not a counter type: it must be a name of winperf.h, such as PERF_COUNTER_COUNTER, or a number of 32 bits", quote.Short(word))
			}
			v = CounterType(n)
		}
		if clash(t, v) {
			return 0, Faultf(ErrRange, "%s contradicts an earlier part of %s: both set the same bit field, to different values", word, quote.Short(s))
		}
		t |= v
	}
	return t, nil
}

// clash reports whether a and b have different nonzero values in the same bit field.
func clash(a, b CounterType) bool {
	for _, field := range [...]CounterType{maskTag, maskSize, maskKind, maskSubtype, maskTimeBase, maskDisplay} {
		if a&field != 0 && b&field != 0 && a&field != b&field {
			return true
		}
	}
	return false
}

func parseNumber(s string, bits int) (uint64, error) {
	if digits, hex := strings.CutPrefix(strings.ToLower(s), "0x"); hex {
		return strconv.ParseUint(digits, 16, bits)
	}
	return strconv.ParseUint(s, 10, bits)
}
