package layout_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

const (
	resultCounters, resultSet = 0x60, 0x118 // offsets of results in the worked example "query"
	idsSize, idsPadding       = 0x10, 0x24  // offsets in a result: the dwSize of the ids, and the padding after the ids
)

// oneResult returns query data with one result. This result is a copy from the worked example. The function `edit`
// changes the copy.
func oneResult(t *testing.T, start, size int, edit func(a []byte) []byte) []byte {
	b := perflibBytes(t, "query")
	a := edit(slices.Clone(b[start : start+size]))
	le.PutUint32(a[8:], uint32(len(a)))
	b = append(b[:48:48], a...)
	le.PutUint32(b[0:], uint32(len(b)))
	le.PutUint32(b[4:], 1)
	return b
}

// TestOddNumberOfIDs reads an odd number of ids in the three forms that the documentation allows: with padding that
// dwSize includes, with padding that dwSize excludes, and without padding.
func TestOddNumberOfIDs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		edit func(a []byte) []byte
		len  int // of the ids, including the padding after them, if there is any
	}{
		{"dwSize includes the padding", func(a []byte) []byte { return a }, 24},
		{"dwSize excludes the padding", func(a []byte) []byte { le.PutUint32(a[idsSize:], 20); return a }, 24},
		{"dwSize excludes padding that is not zero", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			le.PutUint32(a[idsPadding:], 16)
			return a
		}, 24},
		{"dwSize excludes padding that looks like a number of four billion", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			le.PutUint32(a[idsPadding:], most)
			return a
		}, 24},
		{"dwSize excludes the padding, and a value of 8 bytes follows", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			if a[4] == 2 {
				le.PutUint32(a[0x28:], 8)
			}
			return a
		}, 24},
		{"dwSize excludes padding that is not zero, and a value of 8 bytes follows", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			le.PutUint32(a[idsPadding:], 16)
			if a[4] == 2 {
				le.PutUint32(a[0x28:], 8)
			}
			return a
		}, 24},
		{"no padding", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			return slices.Delete(a, idsPadding, idsPadding+4)
		}, 20},
		{"no padding after the ids, but at the end", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			return append(slices.Delete(a, idsPadding, idsPadding+4), 0, 0, 0, 0)
		}, 20},
	} {
		for _, where := range []struct{ at, size int }{{resultCounters, 0x58}, {resultSet, 0x70}} {
			v := follow(t, "query", oneResult(t, where.at, where.size, tt.edit))
			if v.err != nil {
				t.Errorf("%s: %v", tt.name, v.err)
			}
			want := []string{"result[0].data[0].value = 42", "result[0].data[1].value = 1234605616436508552", "result[0].data[2].value = 7"}
			if where.at == resultSet {
				want = []string{"result[0].instance[0].data[0].value = 42", "result[0].instance[0].data[1].value = 100", "result[0].instance[0].data[2].value = 7"}
			}
			var texts []string
			for _, p := range v.parts {
				texts = append(texts, p.What)
			}
			for _, w := range append(want, "result[0].ids.id[0] = 1", "result[0].ids.id[1] = 2", "result[0].ids.id[2] = 3") {
				if !slices.Contains(texts, w) {
					t.Errorf("%s: no %q in %q", tt.name, w, texts)
				}
			}
			if ids := firstIDs(t, v.b); ids.Len() != tt.len {
				t.Errorf("%s: the ids take %d bytes, want %d", tt.name, ids.Len(), tt.len)
			}
		}
	}
}

// TestPaddingFoundByLaterRecords reads results with an odd number of ids and values of unusual sizes. The first value
// does not show whether padding follows the ids, but the later values do.
func TestPaddingFoundByLaterRecords(t *testing.T) {
	t.Parallel()
	const first = idsPadding + 4 // offset of the first value, if padding is before it
	none := make([]byte, 8)
	for _, tt := range []struct {
		reason string
		edit   func(a []byte) []byte
		len    int
	}{
		{"padding that looks like the header of a value", func(a []byte) []byte {
			le.PutUint32(a[idsPadding:], 4)
			le.PutUint32(a[first:], 16)
			le.PutUint32(a[first+4:], 24)
			return slices.Insert(a, first+16, none...)
		}, 24},
		{"padding that cannot be a header, before a value of no bytes", func(a []byte) []byte {
			le.PutUint32(a[idsPadding:], 0x2000)
			le.PutUint32(a[first:], 0)
			return a
		}, 24},
		{"zeros, before values that can be read from both places", func(a []byte) []byte {
			le.PutUint32(a[first:], 8)
			le.PutUint32(a[first+8:], 20)
			le.PutUint32(a[first+28:], 24)
			return a
		}, 24},
		{"padding that looks like the header of a value of 12 bytes that another value follows", func(a []byte) []byte {
			a = slices.Concat(a[:idsPadding], make([]byte, 4+24+8+16))
			for i, n := range []uint32{4, 12, 24, 100, 24, 0, 0, 0, 8, 8, 16, 7, 0} {
				le.PutUint32(a[idsPadding+4*i:], n)
			}
			return a
		}, 24},
		{"no padding, and a value of no bytes before one of 16", func(a []byte) []byte {
			le.PutUint32(a[first:], 0)
			le.PutUint32(a[first+4:], 8)
			a = slices.Delete(a, first+8, first+16)
			le.PutUint32(a[first+8:], 16)
			le.PutUint32(a[first+12:], 24)
			return slices.Delete(slices.Insert(a, first+24, none...), idsPadding, first)
		}, 20},
	} {
		b := oneResult(t, resultCounters, 0x58, func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			return tt.edit(a)
		})
		v := follow(t, "query", b)
		if last := v.parts[len(v.parts)-1].What; v.err != nil || last != "result[0].data[2].value = 7" {
			t.Errorf("%s: %v, %s", tt.reason, v.err, last)
		}
		if ids := firstIDs(t, b); ids.Len() != tt.len {
			t.Errorf("%s: the ids take %d bytes, want %d", tt.reason, ids.Len(), tt.len)
		}
	}
}

func firstIDs(t *testing.T, b []byte) layout.MultiCounters {
	t.Helper()
	q := readQuery(t, b)
	for r, err := range q.Results() {
		if err != nil {
			t.Fatal(err)
		}
		ids, err := r.IDs()
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	t.Fatal("no result")
	return layout.MultiCounters{}
}

// TestIDsEndAtTheirSize checks that the reader looks for padding only if dwSize ends directly
// after an odd number of ids.
func TestIDsEndAtTheirSize(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		size, count uint32
		len         int
		reason      string
	}{
		{24, 3, 24, "as it was"},
		{24, 4, 24, "an even number that fills its length"},
		{24, 1, 24, "much padding"},
		{22, 3, 22, "a dwSize between the sizes with and without padding"},
		{12, 1, 12, "no value starts at offset 12 or 16"},
	} {
		b := oneResult(t, resultCounters, 0x58, func(a []byte) []byte {
			le.PutUint32(a[idsSize:], tt.size)
			le.PutUint32(a[idsSize+4:], tt.count)
			return a
		})
		if ids := firstIDs(t, b); ids.Len() != tt.len {
			t.Errorf("%d bytes for %d ids: %d, want %d: %s", tt.size, tt.count, ids.Len(), tt.len, tt.reason)
		}
	}
	// An even number of ids requires no padding. Here 4 more bytes are between the ids and the first value, and IDs
	// must not treat them as padding.
	b := oneResult(t, resultCounters, 0x58, func(a []byte) []byte {
		a = slices.Delete(a, idsPadding-4, idsPadding)
		le.PutUint32(a[idsSize:], 16)
		le.PutUint32(a[idsSize+4:], 2)
		return a
	})
	if ids := firstIDs(t, b); ids.Len() != 16 {
		t.Errorf("an even number of ids takes %d bytes", ids.Len())
	}
	// The result ends after its ids, so there is no padding.
	b = oneResult(t, resultCounters, 0x58, func(a []byte) []byte {
		le.PutUint32(a[idsSize:], 20)
		return a[:idsPadding]
	})
	if ids := firstIDs(t, b); ids.Len() != 20 {
		t.Errorf("the ids at the end take %d bytes", ids.Len())
	}
	if v := follow(t, "query", b); !errors.Is(v.err, layout.ErrShort) {
		t.Errorf("%v, want ErrShort for the missing values", v.err)
	}
}

// TestValuesAfterBrokenIDs checks that Values and Instances return the fault of the ids. The value with the fault belongs
// to the result, and not to an instance.
func TestValuesAfterBrokenIDs(t *testing.T) {
	t.Parallel()
	for _, where := range []struct{ at, size int }{{resultCounters, 0x58}, {resultSet, 0x70}} {
		b := oneResult(t, where.at, where.size, func(a []byte) []byte { le.PutUint32(a[idsSize+4:], most); return a })
		q := readQuery(t, b)
		for r := range q.Results() {
			var faults []string
			for v, err := range r.Values() {
				if err == nil || !zeros(v.Bytes()) || v.Path().String() != "result[0].data[0]" {
					t.Errorf("%v: % x, %v", v.Path(), v.Bytes(), err)
				} else {
					faults = append(faults, err.Error())
				}
			}
			if _, err := r.Instances(); err != nil {
				faults = append(faults, err.Error())
			}
			want := "result[0].ids.dwCounters at 0x44: 17179869188 bytes from 0x0 do not fit into 24 bytes"
			if len(faults) != 1 || faults[0] != want {
				t.Errorf("%v: %q, want %q", r.DwType(), faults, want)
			}
		}
	}
}

// TestResultsWithoutContent checks that a result has no ids, values or instances if its type is
// unknown or PERF_ERROR_RETURN.
func TestResultsWithoutContent(t *testing.T) {
	t.Parallel()
	for _, kind := range []uint32{0, 3, 5, 7, 8, most} {
		v := follow(t, "query", oneResult(t, resultSet, 0x70, func(a []byte) []byte { le.PutUint32(a[4:], kind); return a }))
		if len(v.parts) != 13+4 || v.err != nil {
			t.Errorf("type %d: %v, %v", kind, v.parts, v.err)
		}
	}
}

// words returns the numbers as little-endian DWORDs.
func words(numbers ...uint32) (b []byte) {
	for _, n := range numbers {
		b = le.AppendUint32(b, n)
	}
	return b
}

// TestPaddingInDamagedResults checks the search for padding in results that are damaged or have
// values of unusual lengths.
func TestPaddingInDamagedResults(t *testing.T) {
	t.Parallel()
	value := words(4, 16, 5, 0)
	// The first 4 bytes are padding, and 5 values follow. If a reader takes the padding for the start of the first value,
	// the dwSizes of 5 values fill the bytes exactly too. But then the dwDataSize of the second value is too large for its
	// dwSize.
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
		{"too many instances", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 0), words(40, 9, 16, 1, 'a', 0), value), 16},
		{"padding that is not zero, and as many instances as fit", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 9), words(40, 2, 16, 1, 'a', 0), value), 16},
		{"one instance more than fits", layout.PERF_COUNTERSET, slices.Concat(words(12, 1, 7, 9), words(40, 3, 16, 1, 'a', 0), value), 12},
		{"padding that is not zero, a value of one byte, and more bytes", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 9, 1, 16, 5, 0, 6, 7), 16},
		{"padding that is not zero, a value without bytes, and more bytes", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 9, 0, 16, 5, 0, 6, 7), 12},
		{"nothing but zeros", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 0), 16},
		{"no padding, and no instances", layout.PERF_COUNTERSET, words(12, 1, 7, 8, 0), 12},
		{"no padding, no instances, and a rounded dwSize of the result", layout.PERF_COUNTERSET, words(12, 1, 7, 8, 0, 0), 12},
		{"no padding, a rounded dwSize of the result, and a value that looks like a dwSize", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 4, 16, 16, 0, 0), 12},
		{"no padding, a rounded dwSize of the result, and a value of 8 bytes that looks like a dwSize", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 8, 16, 16, 0, 0), 12},
		{"no padding, and a value whose dwSize is 0", layout.PERF_MULTIPLE_COUNTERS, words(12, 1, 7, 4, 0, 5, 0), 12},
		{"no padding, a rounded dwSize of the result, and bytes that look like a value after padding", layout.PERF_MULTIPLE_COUNTERS,
			words(20, 3, 7, 8, 9, 4, 16, 32, 0, 4, 16, 5, 0, 4, 16, 6, 0, 0), 20},
		{"a dwSize that fits the bytes that follow, but not its value", layout.PERF_MULTIPLE_COUNTERS, slices.Concat(words(28, 5, 0, 1, 2, 3, 4), many), 32},
	} {
		head := wire.Result{DwType: tt.kind, DwSize: uint32(16 + len(tt.content))}.Append(nil)
		b := oneResult(t, resultCounters, 0x58, func([]byte) []byte { return slices.Concat(head, tt.content) })
		if got := firstIDs(t, b).Len(); got != tt.len {
			t.Errorf("%s: the ids take %d bytes, want %d", tt.reason, got, tt.len)
		}
	}
}
