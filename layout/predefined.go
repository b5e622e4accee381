package layout

import (
	"fmt"
	"iter"
	"strings"
)

// The counter types of winperf.h. The types with BASE in their names are for base counters. PERF_PRECISION_TIMESTAMP is
// for base counters too. A base counter directly follows the counter that uses it.
const (
	PERF_COUNTER_RAWCOUNT_HEX           CounterType = 0x00000000
	PERF_COUNTER_LARGE_RAWCOUNT_HEX     CounterType = 0x00000100
	PERF_COUNTER_TEXT                   CounterType = 0x00000B00 // obsolete
	PERF_COUNTER_RAWCOUNT               CounterType = 0x00010000
	PERF_COUNTER_LARGE_RAWCOUNT         CounterType = 0x00010100
	PERF_COUNTER_DELTA                  CounterType = 0x00400400
	PERF_COUNTER_LARGE_DELTA            CounterType = 0x00400500
	PERF_SAMPLE_COUNTER                 CounterType = 0x00410400
	PERF_COUNTER_QUEUELEN_TYPE          CounterType = 0x00450400
	PERF_COUNTER_LARGE_QUEUELEN_TYPE    CounterType = 0x00450500
	PERF_COUNTER_100NS_QUEUELEN_TYPE    CounterType = 0x00550500
	PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE CounterType = 0x00650500
	PERF_COUNTER_COUNTER                CounterType = 0x10410400
	PERF_COUNTER_BULK_COUNT             CounterType = 0x10410500
	PERF_RAW_FRACTION                   CounterType = 0x20020400
	PERF_LARGE_RAW_FRACTION             CounterType = 0x20020500
	PERF_COUNTER_TIMER                  CounterType = 0x20410500
	PERF_PRECISION_SYSTEM_TIMER         CounterType = 0x20470500
	PERF_100NSEC_TIMER                  CounterType = 0x20510500
	PERF_PRECISION_100NS_TIMER          CounterType = 0x20570500
	PERF_OBJ_TIME_TIMER                 CounterType = 0x20610500
	PERF_PRECISION_OBJECT_TIMER         CounterType = 0x20670500
	PERF_SAMPLE_FRACTION                CounterType = 0x20C20400
	PERF_COUNTER_TIMER_INV              CounterType = 0x21410500
	PERF_100NSEC_TIMER_INV              CounterType = 0x21510500
	PERF_COUNTER_MULTI_TIMER            CounterType = 0x22410500
	PERF_100NSEC_MULTI_TIMER            CounterType = 0x22510500
	PERF_COUNTER_MULTI_TIMER_INV        CounterType = 0x23410500
	PERF_100NSEC_MULTI_TIMER_INV        CounterType = 0x23510500
	PERF_AVERAGE_TIMER                  CounterType = 0x30020400
	PERF_ELAPSED_TIME                   CounterType = 0x30240500
	PERF_COUNTER_NODATA                 CounterType = 0x40000200 // a label without a value
	PERF_AVERAGE_BULK                   CounterType = 0x40020500
	PERF_SAMPLE_BASE                    CounterType = 0x40030401
	PERF_AVERAGE_BASE                   CounterType = 0x40030402
	PERF_RAW_BASE                       CounterType = 0x40030403
	PERF_LARGE_RAW_BASE                 CounterType = 0x40030500
	PERF_PRECISION_TIMESTAMP            CounterType = PERF_LARGE_RAW_BASE
	PERF_COUNTER_MULTI_BASE             CounterType = 0x42030500
	PERF_COUNTER_HISTOGRAM_TYPE         CounterType = 0x80000000 // obsolete
)

// predefinedType has the name of a type and the type of its base.
type predefinedType struct {
	value CounterType
	name  string
	base  CounterType // 0 if the type requires no base
}

// predefinedTypes is sorted by value.
var predefinedTypes = []predefinedType{
	{PERF_COUNTER_RAWCOUNT_HEX, "PERF_COUNTER_RAWCOUNT_HEX", 0},
	{PERF_COUNTER_LARGE_RAWCOUNT_HEX, "PERF_COUNTER_LARGE_RAWCOUNT_HEX", 0},
	{PERF_COUNTER_TEXT, "PERF_COUNTER_TEXT", 0},
	{PERF_COUNTER_RAWCOUNT, "PERF_COUNTER_RAWCOUNT", 0},
	{PERF_COUNTER_LARGE_RAWCOUNT, "PERF_COUNTER_LARGE_RAWCOUNT", 0},
	{PERF_COUNTER_DELTA, "PERF_COUNTER_DELTA", 0},
	{PERF_COUNTER_LARGE_DELTA, "PERF_COUNTER_LARGE_DELTA", 0},
	{PERF_SAMPLE_COUNTER, "PERF_SAMPLE_COUNTER", 0},
	{PERF_COUNTER_QUEUELEN_TYPE, "PERF_COUNTER_QUEUELEN_TYPE", 0},
	{PERF_COUNTER_LARGE_QUEUELEN_TYPE, "PERF_COUNTER_LARGE_QUEUELEN_TYPE", 0},
	{PERF_COUNTER_100NS_QUEUELEN_TYPE, "PERF_COUNTER_100NS_QUEUELEN_TYPE", 0},
	{PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", 0},
	{PERF_COUNTER_COUNTER, "PERF_COUNTER_COUNTER", 0},
	{PERF_COUNTER_BULK_COUNT, "PERF_COUNTER_BULK_COUNT", 0},
	{PERF_RAW_FRACTION, "PERF_RAW_FRACTION", PERF_RAW_BASE},
	{PERF_LARGE_RAW_FRACTION, "PERF_LARGE_RAW_FRACTION", PERF_LARGE_RAW_BASE},
	{PERF_COUNTER_TIMER, "PERF_COUNTER_TIMER", 0},
	{PERF_PRECISION_SYSTEM_TIMER, "PERF_PRECISION_SYSTEM_TIMER", PERF_PRECISION_TIMESTAMP},
	{PERF_100NSEC_TIMER, "PERF_100NSEC_TIMER", 0},
	{PERF_PRECISION_100NS_TIMER, "PERF_PRECISION_100NS_TIMER", PERF_PRECISION_TIMESTAMP},
	{PERF_OBJ_TIME_TIMER, "PERF_OBJ_TIME_TIMER", 0},
	{PERF_PRECISION_OBJECT_TIMER, "PERF_PRECISION_OBJECT_TIMER", PERF_PRECISION_TIMESTAMP},
	{PERF_SAMPLE_FRACTION, "PERF_SAMPLE_FRACTION", PERF_SAMPLE_BASE},
	{PERF_COUNTER_TIMER_INV, "PERF_COUNTER_TIMER_INV", 0},
	{PERF_100NSEC_TIMER_INV, "PERF_100NSEC_TIMER_INV", 0},
	{PERF_COUNTER_MULTI_TIMER, "PERF_COUNTER_MULTI_TIMER", PERF_COUNTER_MULTI_BASE},
	{PERF_100NSEC_MULTI_TIMER, "PERF_100NSEC_MULTI_TIMER", PERF_COUNTER_MULTI_BASE},
	{PERF_COUNTER_MULTI_TIMER_INV, "PERF_COUNTER_MULTI_TIMER_INV", PERF_COUNTER_MULTI_BASE},
	{PERF_100NSEC_MULTI_TIMER_INV, "PERF_100NSEC_MULTI_TIMER_INV", PERF_COUNTER_MULTI_BASE},
	{PERF_AVERAGE_TIMER, "PERF_AVERAGE_TIMER", PERF_AVERAGE_BASE},
	{PERF_ELAPSED_TIME, "PERF_ELAPSED_TIME", 0},
	{PERF_COUNTER_NODATA, "PERF_COUNTER_NODATA", 0},
	{PERF_AVERAGE_BULK, "PERF_AVERAGE_BULK", PERF_AVERAGE_BASE},
	{PERF_SAMPLE_BASE, "PERF_SAMPLE_BASE", 0},
	{PERF_AVERAGE_BASE, "PERF_AVERAGE_BASE", 0},
	{PERF_RAW_BASE, "PERF_RAW_BASE", 0},
	{PERF_LARGE_RAW_BASE, "PERF_LARGE_RAW_BASE", 0},
	{PERF_COUNTER_MULTI_BASE, "PERF_COUNTER_MULTI_BASE", 0},
	{PERF_COUNTER_HISTOGRAM_TYPE, "PERF_COUNTER_HISTOGRAM_TYPE", 0},
}

// CounterTypes yields the predefined types in ascending order.
func CounterTypes() iter.Seq[CounterType] {
	return func(yield func(CounterType) bool) {
		for _, p := range predefinedTypes {
			if !yield(p.value) {
				return
			}
		}
	}
}

// predefined returns the row of the type in predefinedTypes, or nil if the type is not predefined. The compiler
// inlines predefined. With sort.Search instead of the loop, predefined is too complex to be inlined, and the validation
// of a block with one instance takes 5 % more time.
func (t CounterType) predefined() *predefinedType {
	lo, hi := 0, len(predefinedTypes)
	for lo < hi {
		if mid := (lo + hi) / 2; predefinedTypes[mid].value < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(predefinedTypes) && predefinedTypes[lo].value == t {
		return &predefinedTypes[lo]
	}
	return nil
}

// bitNames has the C names for the values of each bit field. A name is valid only in types of the given kind, or in
// all types if kind is anyKind.
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

// Bits returns the C names of the type's bits joined by " | ", with a hexadecimal number for
// bits without a name. [ParseCounterType] parses the result.
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

// namedType returns the value of the constant with the name. The constant is a predefined type or some bits of a
// type.
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
