package layout_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// Where the answers to three counters and to a set of three stand in the query block, and in
// each the length of the ids and the padding behind them.
const (
	answerCounters, answerSet = 0x60, 0x118
	idsSize, idsPadding       = 0x10, 0x24
)

// answer returns query data with the one answer, to which edit is done.
func answer(t *testing.T, at, size int, edit func(a []byte) []byte) []byte {
	b := perflibBytes(t, "query")
	a := edit(slices.Clone(b[at : at+size]))
	le.PutUint32(a[8:], uint32(len(a)))
	b = append(b[:48:48], a...)
	le.PutUint32(b[0:], uint32(len(b)))
	le.PutUint32(b[4:], 1)
	return b
}

// The documentation can be read in two ways where the count of ids is odd: their length may
// leave out the padding, and then the padding may be there or not.
func TestOddNumberOfIDs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		edit func(a []byte) []byte
		len  int // of the ids, with the padding that is there
	}{
		{"padding counts", func(a []byte) []byte { return a }, 24},
		{"padding does not count", func(a []byte) []byte { le.PutUint32(a[idsSize:], 20); return a }, 24},
		{"padding that holds something does not count", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			le.PutUint32(a[idsPadding:], 16)
			return a
		}, 24},
		{"padding that looks like four billion does not count", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			le.PutUint32(a[idsPadding:], most)
			return a
		}, 24},
		{"a first value of 8 bytes behind padding that does not count", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			if a[4] == 2 {
				le.PutUint32(a[0x28:], 8)
			}
			return a
		}, 24},
		{"a first value of 8 bytes behind padding that holds something and does not count", func(a []byte) []byte {
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
		{"no padding there, but at the end", func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			return append(slices.Delete(a, idsPadding, idsPadding+4), 0, 0, 0, 0)
		}, 20},
	} {
		for _, where := range []struct{ at, size int }{{answerCounters, 0x58}, {answerSet, 0x70}} {
			v := follow(t, "query", answer(t, where.at, where.size, tt.edit))
			if v.err != nil {
				t.Errorf("%s: %v", tt.name, v.err)
			}
			want := []string{"result[0].data[0] value = 42", "result[0].data[1] value = 1234605616436508552", "result[0].data[2] value = 7"}
			if where.at == answerSet {
				want = []string{"result[0].instance[0].data[0] value = 42", "result[0].instance[0].data[1] value = 100", "result[0].instance[0].data[2] value = 7"}
			}
			var texts []string
			for _, p := range v.parts {
				texts = append(texts, p.What)
			}
			for _, w := range append(want, "result[0].ids = [1 2 3]") {
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

// Where the first record would fit in both places or in neither, what comes behind it tells.
func TestPaddingIsWhereAllLeadsOn(t *testing.T) {
	t.Parallel()
	const first = idsPadding + 4 // where the first value stands behind padding
	none := make([]byte, 8)
	for _, tt := range []struct {
		reason string
		edit   func(a []byte) []byte
		len    int
	}{
		{"padding that looks like the head of a value", func(a []byte) []byte {
			le.PutUint32(a[idsPadding:], 4)
			le.PutUint32(a[first:], 16)
			le.PutUint32(a[first+4:], 24)
			return slices.Insert(a, first+16, none...)
		}, 24},
		{"padding that is no head, before a value of no bytes", func(a []byte) []byte {
			le.PutUint32(a[idsPadding:], 0x2000)
			le.PutUint32(a[first:], 0)
			return a
		}, 24},
		{"zeros, before values by which one could go on from both", func(a []byte) []byte {
			le.PutUint32(a[first:], 8)
			le.PutUint32(a[first+8:], 20)
			le.PutUint32(a[first+28:], 24)
			return a
		}, 24},
		{"padding that looks like the head of a value of 12 bytes, by which one could go on", func(a []byte) []byte {
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
		b := answer(t, answerCounters, 0x58, func(a []byte) []byte {
			le.PutUint32(a[idsSize:], 20)
			return tt.edit(a)
		})
		v := follow(t, "query", b)
		if last := v.parts[len(v.parts)-1].What; v.err != nil || last != "result[0].data[2] value = 7" {
			t.Errorf("%s: %v, %s", tt.reason, v.err, last)
		}
		if ids := firstIDs(t, b); ids.Len() != tt.len {
			t.Errorf("%s: the ids take %d bytes, want %d", tt.reason, ids.Len(), tt.len)
		}
	}
}

func firstIDs(t *testing.T, b []byte) layout.MultiCounters {
	t.Helper()
	q, err := layout.ReadQueryData(b)
	if err != nil {
		t.Fatal(err)
	}
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
	t.Fatal("no answer")
	return layout.MultiCounters{}
}

// Padding is only looked for behind an odd number of ids that fill their length, and where
// nothing fits either way the length is taken as it is.
func TestIDsEndWhereTheySay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		size, count uint32
		len         int
		reason      string
	}{
		{24, 3, 24, "as it was"},
		{24, 4, 24, "an even number that fills its length"},
		{24, 1, 24, "much padding"},
		{22, 3, 22, "a length that fits neither reading"},
		{12, 1, 12, "neither 12 nor 16 leads to a value"},
	} {
		b := answer(t, answerCounters, 0x58, func(a []byte) []byte {
			le.PutUint32(a[idsSize:], tt.size)
			le.PutUint32(a[idsSize+4:], tt.count)
			return a
		})
		if ids := firstIDs(t, b); ids.Len() != tt.len {
			t.Errorf("%d bytes for %d ids: %d, want %d: %s", tt.size, tt.count, ids.Len(), tt.len, tt.reason)
		}
	}
	// Behind an even number there is no padding to look for, even where a value would follow it.
	b := answer(t, answerCounters, 0x58, func(a []byte) []byte {
		a = slices.Delete(a, idsPadding-4, idsPadding)
		le.PutUint32(a[idsSize:], 16)
		le.PutUint32(a[idsSize+4:], 2)
		return a
	})
	if ids := firstIDs(t, b); ids.Len() != 16 {
		t.Errorf("an even number of ids takes %d bytes", ids.Len())
	}
	// An answer that ends with its ids has no padding to look for.
	b = answer(t, answerCounters, 0x58, func(a []byte) []byte {
		le.PutUint32(a[idsSize:], 20)
		return a[:idsPadding]
	})
	if ids := firstIDs(t, b); ids.Len() != 20 {
		t.Errorf("the ids at the end take %d bytes", ids.Len())
	}
	if v := follow(t, "query", b); !errors.Is(v.err, layout.ErrShort) {
		t.Errorf("%v, want that the values are missing", v.err)
	}
}

// Where the ids are broken, there are neither values nor instances, but the fault.
func TestValuesBehindBrokenIDs(t *testing.T) {
	t.Parallel()
	for _, where := range []struct{ at, size int }{{answerCounters, 0x58}, {answerSet, 0x70}} {
		b := answer(t, where.at, where.size, func(a []byte) []byte { le.PutUint32(a[idsSize+4:], most); return a })
		q, err := layout.ReadQueryData(b)
		if err != nil {
			t.Fatal(err)
		}
		for r := range q.Results() {
			var faults []string
			for v, err := range r.Values() {
				if err == nil || wire.GetCounterData(v.Bytes()) != (wire.CounterData{}) {
					t.Errorf("%v, %v", wire.GetCounterData(v.Bytes()), err)
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

// A type that is none of the five holds nothing that could be read, and neither does an error.
func TestAnswersThatHoldNothing(t *testing.T) {
	t.Parallel()
	for _, kind := range []uint32{0, 3, 5, 7, 8, most} {
		v := follow(t, "query", answer(t, answerSet, 0x70, func(a []byte) []byte { le.PutUint32(a[4:], kind); return a }))
		if len(v.parts) != 6+4 || v.err != nil {
			t.Errorf("type %d: %v, %v", kind, v.parts, v.err)
		}
	}
}
