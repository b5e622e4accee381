package builder_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Offsets in the encoded results.
const (
	single   = 48 + 16             // result[1]
	multiple = single + 32         // result[2], which has 16 + 24 (the ids) + 3 * 16 bytes
	fifth    = multiple + 88 + 96  // result[4], which has 16 + 16 (the ids) + 8 + 2 * (16 + 32) bytes
	first    = fifth + 16 + 16 + 8 // the first instance of result[4]
	end      = first + 2*48
)

// TestQueryLosses checks UnmarshalBinary and UnmarshalLossy for data that a model cannot hold.
func TestQueryLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string                                         // the paths of all errors, separated by spaces
		left   func(q *builder.QueryData, r []builder.Result) // changes the expected model, nil for no change
	}{
		{"a negative clock", putDWORD(12, 1<<31), "PerfTimeStamp", nil},
		{"no frequency", putDWORD(24, 0), "PerfFreq", nil},
		{"the count of 100 ns is 0", inOrder(putDWORD(16, 0), putDWORD(20, 0)), "PerfTime100NSec", nil},
		{"PerfTime100NSec 0, and a SystemTime that gives another number: 1601-01-01 00:00:00.621", inOrder(putDWORD(16, 0), putDWORD(20, 0), putDWORD(32, 1<<16|1601), putDWORD(36, 1<<16|1), putDWORD(40, 0), putDWORD(44, 621<<16)), "PerfTime100NSec", func(q *builder.QueryData, _ []builder.Result) {
			q.PerfTime100NSec = 6_210_000
		}},
		{"PerfTime100NSec 0, and a SystemTime that is not a valid date", inOrder(putDWORD(16, 0), putDWORD(20, 0), putDWORD(36, 1<<16|2)), "PerfTime100NSec SystemTime", nil},
		{"month 13", putDWORD(32, 13<<16|2000), "SystemTime", nil},
		{"bytes after the data", func(b []byte) []byte { return append(b, 0, 0, 0) }, "rest", nil},
		{"a reserved field", putDWORD(single+12, 1), "result[1].Reserved", nil},
		{"bytes in a PERF_ERROR_RETURN result", insert(single, 8, 0, 48+8), "result[0].rest", nil},
		{"bytes after a value", insert(multiple, 8, 0, single+8), "result[1].rest", nil},
		{"bytes after the instances", insert(end, 8, 0, fifth+8), "result[4].rest", nil},
		{"padding of a value", putDWORD(single+28, 5), "result[1].data[0].padding", nil},
		{"a value without padding", insert(single+28, -4, 0, single+8, single+16+4), "result[1].data[0].dwSize", nil},
		{"a value with 8 bytes more padding than required", insert(multiple, 8, 0, single+8, single+16+4), "result[1].data[0].dwSize", nil},
		{"padding of ids", putDWORD(multiple+16+8+12, 0xFF00), "result[2].ids.padding", nil},
		{"ids without padding", inOrder(insert(multiple+16+8+12, -4, 0, multiple+8), putDWORD(multiple+16, 20)), "result[2].ids.dwSize", nil},
		{"padding after a name is not zero", putDWORD(first+12, 1<<16), "result[4].instance[0].padding", nil},
		{"text after a NUL", inOrder(putDWORD(first+8, 'C'), putDWORD(first+12, ':')), "result[4].instance[0].padding", func(_ *builder.QueryData, r []builder.Result) {
			r[4].Instances[0].Name = "C"
		}},
		{"a length that is not a multiple of 8", insert(first+16, 4, 0, fifth+8, fifth+32, first), "result[4].instance[0].Size", nil},
		{"an unpaired surrogate", putDWORD(first+8, 0x3a<<16|0xd800), "result[4].instance[0].Name", func(_ *builder.QueryData, r []builder.Result) {
			r[4].Instances[0].Name = "\uFFFD:"
		}},
	} {
		original := sampleResults()
		b, err := original.MarshalBinary()
		if err != nil || len(b) != end {
			t.Fatalf("%d bytes, want %d, %v", len(b), end, err)
		}
		b = test.damage(b)
		left := withDefaultSizes(original)
		if test.left != nil {
			test.left(&left, left.Results)
		}
		checkLosses(t, test.reason, b, test.path, left, builder.QueryData{PerfTimeStamp: 4711})
	}
}

// withDefaultSizes replaces each Size of 8 with 0, as decoding does.
func withDefaultSizes(q builder.QueryData) builder.QueryData {
	for _, r := range q.Results {
		for i := range r.Counters {
			if r.Counters[i].Size == 8 {
				r.Counters[i].Size = 0
			}
		}
	}
	return q
}

// TestQueryBroken checks that UnmarshalBinary and UnmarshalLossy refuse input on which readers
// disagree or crash.
func TestQueryBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		off    int64
		kind   error
	}{
		{"dwTotalSize is larger than the input", putDWORD(0, end+8), "dwTotalSize", 0, layout.ErrBounds},
		{"dwTotalSize includes more results than dwNumCounters", putDWORD(4, 4), "dwTotalSize", 0, layout.ErrBounds},
		{"dwTotalSize includes fewer results than dwNumCounters", putDWORD(4, 6), "result[5]", end, layout.ErrShort},
		{"an undefined type", putDWORD(48+4, 3), "result[0].dwType", 52, layout.ErrRange},
		{"a result that ends after dwTotalSize", putDWORD(fifth+8, 4000), "result[4].dwSize", fifth + 8, layout.ErrBounds},
		{"the wildcard id", putDWORD(multiple+16+8+4, 0xFFFFFFFF), "result[2].ids", multiple + 28, layout.ErrRange},
		{"dwSize is larger than the ids", insert(multiple+40, 8, 0, multiple+8, multiple+16), "result[2].ids.dwSize", multiple + 16, layout.ErrBounds},
		{"more ids than there are bytes", putDWORD(multiple+16+4, 5), "result[2].ids.dwCounters", multiple + 20, layout.ErrBounds},
		{"dwDataSize is larger than dwSize", putDWORD(single+16, 9), "result[1].data[0].dwDataSize", single + 16, layout.ErrBounds},
		{"a value shorter than its structure", putDWORD(single+16+4, 7), "result[1].data[0].dwSize", single + 20, layout.ErrBounds},
		{"dwTotalSize includes more instances than dwInstances", putDWORD(fifth+32+4, 1), "result[4].instances.dwTotalSize", fifth + 32, layout.ErrBounds},
		{"dwTotalSize includes fewer instances than dwInstances", putDWORD(fifth+32+4, 3), "result[4].instance[2]", end, layout.ErrShort},
		{"a name without NUL", inOrder(putDWORD(first+8, 0x430043), putDWORD(first+12, 0x430043)), "result[4].instance[0].Name", first + 14, layout.ErrUnterminated},
		{"no room for a name", insert(first+8, -8, 0, fifth+8, fifth+32, first), "result[4].instance[0].Size", first, layout.ErrBounds},
		{"no room for a NUL", insert(first+9, -7, 0, fifth+8, fifth+32, first), "result[4].instance[0].Name", first + 8, layout.ErrUnterminated},
	} {
		b, err := sampleResults().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b = test.damage(b)
		for _, lossy := range []bool{false, true} {
			var q builder.QueryData
			if lossy {
				_, err = q.UnmarshalLossy(b)
			} else {
				err = q.UnmarshalBinary(b)
			}
			e, ok := errors.AsType[*layout.Error](err)
			if !ok || e.Path.String() != test.path || e.Off != test.off || !errors.Is(err, test.kind) {
				t.Errorf("%s: %v, want %v of %s at 0x%x", test.reason, err, test.kind, test.path, test.off)
			}
			if q.Results != nil {
				t.Errorf("%s: the failed call changed the model", test.reason)
			}
		}
	}
}

// sampleResults returns one result of each type, in the order of the type values.
func sampleResults() builder.QueryData {
	return *new(builder.QueryData{}).Add(
		builder.ErrorReturn(4201),
		builder.SingleCounter(4, 42),
		builder.MultipleCounters().Counter(1, 4).Counter(2, 8).Counter(3, 4).Single(42, 100, 7),
		builder.MultipleInstances(8).Instance("C:", 0, 10).Instance("_Total", 5, 11),
		builder.CounterSet().Counter(1, 4).Counter(2, 8).Instance("C:", 0, 42, 100).Instance("D:", 1, 7, 8),
	)
}

// TestQueryRefused checks the errors for values that the documentation excludes. An error must have the path of
// the value. Encoding must write nothing.
func TestQueryRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(q *builder.QueryData, r []builder.Result)
		path   string
		kind   error
	}{
		{"a negative clock", func(q *builder.QueryData, _ []builder.Result) { q.PerfTimeStamp = -1 }, "PerfTimeStamp", layout.ErrRange},
		{"a negative frequency", func(q *builder.QueryData, _ []builder.Result) { q.PerfFreq = -1 }, "PerfFreq", layout.ErrRange},
		{"a negative count of 100 ns", func(q *builder.QueryData, _ []builder.Result) { q.PerfTime100NSec = -1 }, "PerfTime100NSec", layout.ErrRange},
		{"a time whose count of 100 ns is 0", func(q *builder.QueryData, _ []builder.Result) {
			q.At(time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC))
		}, "PerfTime100NSec", layout.ErrRange},
		{"hour 24", func(q *builder.QueryData, _ []builder.Result) {
			q.SystemTime = layout.SystemTime{WYear: 2020, WMonth: 1, WDay: 1, WHour: 24}
		}, "SystemTime", layout.ErrRange},

		{"an undefined type between two defined ones", func(_ *builder.QueryData, r []builder.Result) { r[0].Type = 3 }, "result[0].Type", layout.ErrRange},
		{"a type above the largest one", func(_ *builder.QueryData, r []builder.Result) { r[0].Type = 8 }, "result[0].Type", layout.ErrRange},
		{"an error with a counter", func(_ *builder.QueryData, r []builder.Result) { r[0].Counters = make([]builder.QueryCounter, 1) }, "result[0].Counters", builder.ErrCount},
		{"an error with a value", func(_ *builder.QueryData, r []builder.Result) { r[0].Values = []uint64{1} }, "result[0].Values", builder.ErrCount},
		{"an error with a text", func(_ *builder.QueryData, r []builder.Result) { r[0].Texts = []string{""} }, "result[0].Texts", builder.ErrCount},
		{"an error with an instance", func(_ *builder.QueryData, r []builder.Result) { r[0].Instances = make([]builder.QueryInstance, 1) }, "result[0].Instances", builder.ErrCount},
		{"a PERF_SINGLE_COUNTER result without a counter", func(_ *builder.QueryData, r []builder.Result) { r[1].Counters, r[1].Values = nil, nil }, "result[1].Counters", builder.ErrCount},
		{"a PERF_SINGLE_COUNTER result with two counters", func(_ *builder.QueryData, r []builder.Result) { r[1].Counter(0, 4).Single(1, 2) }, "result[1].Counters", builder.ErrCount},
		{"a CounterId in a result that has no ids", func(_ *builder.QueryData, r []builder.Result) { r[1].Counters[0].CounterId = 1 }, "result[1].counter[0].CounterId", layout.ErrRange},
		{"an instance in a PERF_SINGLE_COUNTER result", func(_ *builder.QueryData, r []builder.Result) { r[1].Instance("a", 0, 1) }, "result[1].Instances", builder.ErrCount},
		{"two counters in a PERF_MULTIPLE_INSTANCES result", func(_ *builder.QueryData, r []builder.Result) { r[3].Counter(0, 8) }, "result[3].Counters", builder.ErrCount},
		{"values in addition to instances", func(_ *builder.QueryData, r []builder.Result) { r[4].Single(1, 2) }, "result[4].Values", builder.ErrCount},
		{"texts in addition to instances", func(_ *builder.QueryData, r []builder.Result) { r[3].Texts = []string{"a"} }, "result[3].Values", builder.ErrCount},
		{"more counters than a set has", func(_ *builder.QueryData, r []builder.Result) {
			r[2].Counters, r[2].Values = make([]builder.QueryCounter, 1<<16+1), make([]uint64, 1<<16+1)
		}, "result[2].Counters", builder.ErrTooLarge},
		{"the wildcard id", func(_ *builder.QueryData, r []builder.Result) {
			r[2].Counters[1].CounterId = layout.PERF_WILDCARD_COUNTER
		}, "result[2].counter[1].CounterId", layout.ErrRange},
		{"a size of 6, which no number has", func(_ *builder.QueryData, r []builder.Result) { r[2].Counters[1].Size = 6 }, "result[2].counter[1].Size", layout.ErrRange},
		{"Bytes and Size are both set", func(_ *builder.QueryData, r []builder.Result) { r[2].Counters[0].Bytes = true }, "result[2].counter[0].Size", layout.ErrRange},
		{"ShortIDs with an even number of ids", func(_ *builder.QueryData, r []builder.Result) { r[4].ShortIDs = true }, "result[4].ShortIDs", layout.ErrRange},
		{"ShortIDs without ids", func(_ *builder.QueryData, r []builder.Result) { r[3].ShortIDs = true }, "result[3].ShortIDs", layout.ErrRange},

		{"a value too few", func(_ *builder.QueryData, r []builder.Result) { r[2].Values = r[2].Values[:2] }, "result[2].Values", builder.ErrCount},
		{"one value more than counters", func(_ *builder.QueryData, r []builder.Result) { r[1].Single(1, 2) }, "result[1].Values", builder.ErrCount},
		{"a value of 33 bits in 4 bytes", func(_ *builder.QueryData, r []builder.Result) { r[2].Values[2] = 1 << 32 }, "result[2].data[2]", layout.ErrRange},
		{"too few values of an instance", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1].Values = nil }, "result[4].instance[1].Values", builder.ErrCount},
		{"a value of 33 bits in 4 bytes of an instance", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1].Values[0] = 1 << 32 }, "result[4].instance[1].data[0]", layout.ErrRange},
		{"a text too many", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1].Texts = []string{""} }, "result[4].instance[1].Texts", builder.ErrCount},
		{"a number for a counter of bytes", func(_ *builder.QueryData, r []builder.Result) {
			r[1].Counters[0], r[1].Texts = builder.QueryCounter{Bytes: true}, []string{"abc"}
		}, "result[1].data[0]", layout.ErrRange},

		{"a NUL in a name", func(_ *builder.QueryData, r []builder.Result) { r[3].Instances[1].Name = "a\x00" }, "result[3].instance[1].Name", layout.ErrNUL},
		{"a name that is not UTF-8", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[0].Name = "a\xc3" }, "result[4].instance[0].Name", layout.ErrText},
		{"a length without room for the NUL", func(_ *builder.QueryData, r []builder.Result) {
			r[4].Instances[0].Name, r[4].Instances[0].Size = "abcd", 16
		}, "result[4].instance[0].Size", layout.ErrRange},
		{"a length that is not a multiple of 8", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[0].Size = 20 }, "result[4].instance[0].Size", layout.ErrRange},
	} {
		q := sampleResults()
		test.change(&q, q.Results)
		checkRefused(t, test.reason, q, test.path, test.kind)
	}
}

// TestQueryAllowed checks that encoding accepts the smallest and largest valid values, and values that the
// documentation discourages.
func TestQueryAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(q *builder.QueryData, r []builder.Result)
	}{
		{"unchanged", func(_ *builder.QueryData, _ []builder.Result) {}},
		{"30 February with a count of 100 ns", func(q *builder.QueryData, _ []builder.Result) {
			q.SystemTime, q.PerfTime100NSec = layout.SystemTime{WYear: 2020, WMonth: 2, WDay: 30}, 1
		}},
		{"a PERF_ERROR_RETURN result with Status 0", func(_ *builder.QueryData, r []builder.Result) { r[0].Status = 0 }},
		{"a Status other than 0 with values", func(_ *builder.QueryData, r []builder.Result) { r[4].Status = 5 }},
		{"no counters", func(_ *builder.QueryData, r []builder.Result) { r[2].Counters, r[2].Values = nil, nil }},
		{"an instance in a result without counters", func(_ *builder.QueryData, r []builder.Result) { r[4] = *builder.CounterSet().Instance("a", 0) }},
		{"no instances", func(_ *builder.QueryData, r []builder.Result) { r[3].Instances = nil }},
		{"as many counters as a set can have", func(_ *builder.QueryData, r []builder.Result) {
			r[2].Counters, r[2].Values = make([]builder.QueryCounter, 1<<16), make([]uint64, 1<<16)
		}},
		{"two counters with the same id", func(_ *builder.QueryData, r []builder.Result) { r[2].Counters[1].CounterId = 1 }},
		{"two instances with the same name and id", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1] = r[4].Instances[0] }},
		{"a name that is the wildcard", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1].Name = "*" }},
		{"an id that is the wildcard", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1].InstanceId = 0xFFFFFFFF }},
		{"no name", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1].Name = "" }},
		{"a name of 1,024 characters, which Windows does not give", func(_ *builder.QueryData, r []builder.Result) {
			r[4].Instances[1].Name = strings.Repeat("é", 1024)
		}},
		{"a name of a million characters", func(_ *builder.QueryData, r []builder.Result) { r[4].Instances[1].Name = strings.Repeat("x", 1e6) }},
		{"the smallest Size for the name", func(_ *builder.QueryData, r []builder.Result) {
			r[4].Instances[0].Name, r[4].Instances[0].Size = "abc", 16
		}},
		{"the largest number of 4 bytes", func(_ *builder.QueryData, r []builder.Result) { r[1].Values[0] = 1<<32 - 1 }},
		{"padding of the ids before a value without bytes", func(_ *builder.QueryData, r []builder.Result) {
			r[2].ShortIDs, r[2].Counters[0], r[2].Values[0], r[2].Texts = true, builder.QueryCounter{Bytes: true}, 0, []string{""}
		}},
		{"padding of the ids before values that could also be read without padding", func(_ *builder.QueryData, r []builder.Result) {
			r[2] = *builder.MultipleCounters().Counter(1, 8).Counter(2, 8).Counter(3, 8).Single(20, 24<<32, 0)
			r[2].ShortIDs = true
		}},
		{"padding of the ids before a value of one byte", func(_ *builder.QueryData, r []builder.Result) {
			r[2].ShortIDs, r[2].Counters[0], r[2].Values[0], r[2].Texts = true, builder.QueryCounter{Bytes: true}, 0, []string{"a"}
		}},
		{"padding of the ids before 0 instances", func(_ *builder.QueryData, r []builder.Result) {
			r[4] = *builder.CounterSet().Counter(1, 4)
			r[4].ShortIDs = true
		}},
	} {
		q := sampleResults()
		test.change(&q, q.Results)
		b, err := q.MarshalBinary()
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
			continue
		}
		var back builder.QueryData
		if err := back.UnmarshalBinary(b); err != nil {
			t.Errorf("%s: decoding: %v", test.reason, err)
			continue
		}
		if again, err := back.MarshalBinary(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: decoded and encoded it is another, %v", test.reason, err)
		}
	}
}

// TestQueryTooLarge checks the error for a length above 32 bits. The error must have the path of the first record
// that exceeds this limit.
func TestQueryTooLarge(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 1<<24) // shared by all values
	bytes := builder.QueryCounter{Bytes: true}
	row := builder.QueryInstance{Values: []uint64{0}, Texts: []string{large}}
	many := func(n int) *builder.Result {
		r := builder.CounterSet().Define(bytes)
		for range n {
			r.Add(row)
		}
		return r
	}
	wide := builder.MultipleCounters()
	for range 300 {
		wide.Define(bytes)
		wide.Values, wide.Texts = append(wide.Values, 0), append(wide.Texts, large)
	}
	last := "result[2]"
	if most < math.MaxUint32 { // on a 32-bit system the first result is too long for a slice
		last = "result[0]"
	}
	for _, test := range []struct {
		reason string
		data   *builder.QueryData
		path   string
	}{
		{"values", new(builder.QueryData{}).Add(wide), "result[0].data[255]"},
		{"instances", new(builder.QueryData{}).Add(many(300)), "result[0].instance[255]"},
		{"results", new(builder.QueryData{}).Add(many(200), many(10), many(100)), last},
	} {
		checkRefused(t, test.reason, *test.data, test.path, builder.ErrTooLarge)
		if _, err := test.data.EncodedLen(); len(allErrors(err)) != 1 {
			t.Errorf("%s: %d errors, want 1: the records after the limit are a consequence", test.reason, len(allErrors(err)))
		}
	}
	if n, err := new(builder.QueryData{}).Add(many(100)).EncodedLen(); err != nil || n != 48+16+16+8+100*(16+8+1<<24) {
		t.Errorf("100 of them take %d, %v", n, err)
	}
}
