package layout_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// words are numbers of 4 bytes, one after the other.
func words(numbers ...uint32) (b []byte) {
	for _, n := range numbers {
		b = le.AppendUint32(b, n)
	}
	return b
}

// Where an answer is damaged, or its values have odd lengths, padding that an odd number of ids
// leaves out is found all the same, and where there is none, none is.
func TestPaddingThatIsInDoubt(t *testing.T) {
	t.Parallel()
	value := words(4, 16, 5, 0)
	// Of padding that is the first of them and of three values, both ways lead to the end.
	many := slices.Concat(words(13), words(24, 32), words(75, 70, 2, 74, 36, 28), words(13, 24), words(88, 40, 44, 0),
		words(17, 32), words(26, 79, 49, 12, 0, 0), words(23, 32), words(49, 28, 23, 14, 43, 0), words(22, 32), words(34, 65, 31, 44, 0, 0))
	for _, tt := range []struct {
		reason  string
		kind    layout.PerfCounterDataType
		content []byte
		len     int // of the ids
	}{
		{"a value whose dwSize is 0", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 0, 8, 0, 5, 1), 16},
		{"a value whose dwSize is too long", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 0, 8, 24, 5, 1), 16},
		{"a value whose dwDataSize is too long", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 0, 9, 16, 5, 1), 16},
		{"instances whose dwTotalSize is 0", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 0), words(0, 1, 16, 1, 'a', 0), value), 16},
		{"instances whose dwTotalSize is too long", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 0), words(48, 1, 16, 1, 'a', 0), value), 16},
		{"instances of which there are too many", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 0), words(40, 9, 16, 1, 'a', 0), value), 16},
		{"as many instances as have room behind what holds something", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 9), words(40, 2, 16, 1, 'a', 0), value), 16},
		{"one more than have room", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 9), words(40, 3, 16, 1, 'a', 0), value), 12},
		{"a value of one byte behind what holds something, and more", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 9, 1, 16, 5, 0, 6, 7), 16},
		{"a value of no byte behind it", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 9, 0, 16, 5, 0, 6, 7), 12},
		{"nothing but zeros", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 0), 16},
		{"no padding, and no instances", layout.PERF_COUNTERSET, words(12, 1, 7, 8, 0), 12},
		{"no padding, no instances, and a rounded answer", layout.PERF_COUNTERSET, words(12, 1, 7, 8, 0, 0), 12},
		{"no padding, a rounded answer, and a value that looks like a dwSize", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 4, 16, 16, 0, 0), 12},
		{"the same of 8 bytes", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 8, 16, 16, 0, 0), 12},
		{"no padding, and a value whose dwSize is 0", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 4, 0, 5, 0), 12},
		{"no padding, a rounded answer, and where padding would end what looks like a value too", layout.PERF_MULTIPLE_COUNTERS,
			words(20, 3, 7, 8, 9, 4, 16, 32, 0, 4, 16, 5, 0, 4, 16, 6, 0, 0), 20},
		{"a dwSize that has room for what is behind it, but not for its value", layout.PERF_MULTIPLE_COUNTERS, slices.Concat(words(28, 5, 0, 1, 2, 3, 4), many), 32},
	} {
		head := wire.CounterHeader{DwType: tt.kind, DwSize: uint32(16 + len(tt.content))}.Append(nil)
		b := answer(t, answerCounters, 0x58, func([]byte) []byte { return slices.Concat(head, tt.content) })
		if got := firstIDs(t, b).Len(); got != tt.len {
			t.Errorf("%s: the ids take %d bytes, want %d", tt.reason, got, tt.len)
		}
	}
}
