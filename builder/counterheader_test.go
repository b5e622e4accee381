package builder_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestQueryOfNoCounters checks that a counter set without counters is decoded correctly after a set with a counter.
func TestQueryOfNoCounters(t *testing.T) {
	t.Parallel()
	want := *new(builder.QueryData{PerfTimeStamp: 1}).Add(
		builder.CounterSet().Counter(1, 0).Instance("a", 1, 2).Instance("b", 3, 4),
		builder.CounterSet().Instance("a", 1).Instance("b", 3))
	b, err := want.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got builder.QueryData
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Results, got.Results); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestQueryOfTooManyIDs checks the limit of 65,536 counters for a set.
func TestQueryOfTooManyIDs(t *testing.T) {
	t.Parallel()
	b, err := new(builder.QueryData{}).Add(builder.CounterSet().Define(make([]builder.QueryCounter, 1<<16)...)).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	b = inOrder(insert(len(b)-8, 8, 0, 48+8, 48+16), putDWORD(48+16+4, 1<<16+1))(b)
	_, err = new(builder.QueryData{}).UnmarshalLossy(b)
	e, ok := errors.AsType[*layout.Error](err)
	if !ok || e.Path.String() != "result[0].ids.dwCounters" || e.Off != 48+16+4 || !errors.Is(err, builder.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// TestValuesOfAnyLength checks that the values of a counter are decoded as numbers if all have 4 bytes or all have 8
// bytes, and otherwise as bytes.
func TestValuesOfAnyLength(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason  string
		lengths []int // of the values of one counter
		size    uint32
		bytes   bool
	}{
		{"values that all have 4 bytes are numbers", []int{4, 4, 4}, 4, false},
		{"values that all have 8 bytes are numbers", []int{8, 8}, 0, false},
		{"a single value of 4 bytes is a number", []int{4}, 4, false},
		{"values of 4 and 8 bytes are not numbers", []int{4, 8, 4}, 0, true},
		{"values of 8 and 4 bytes are not numbers", []int{8, 4}, 0, true},
		{"values without bytes are not numbers", []int{0, 0}, 0, true},
		{"a value of 2 bytes is not a number", []int{2}, 0, true},
		{"a value without bytes among values of 4 is not a number", []int{4, 4, 0}, 0, true},
		{"values of more than 8 bytes are not numbers", []int{9, 16, 1000}, 0, true},
	} {
		r, want := builder.CounterSet().Define(builder.QueryCounter{CounterId: 7, Bytes: true}).Counter(8, 4), builder.CounterSet()
		for i, n := range test.lengths {
			text := strings.Repeat("\x01", n)
			r.Add(builder.QueryInstance{InstanceId: uint32(i), Values: []uint64{0, 3}, Texts: []string{text}})
			switch {
			case test.bytes:
				want.Add(builder.QueryInstance{InstanceId: uint32(i), Values: []uint64{0, 3}, Texts: []string{text}})
			case n == 4:
				want.Instance("", uint32(i), 0x01010101, 3)
			default:
				want.Instance("", uint32(i), 0x0101010101010101, 3)
			}
		}
		want.Define(builder.QueryCounter{CounterId: 7, Size: test.size, Bytes: test.bytes}).Counter(8, 4)
		b, err := new(builder.QueryData{}).Add(r).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		checkEncoding(t, *new(builder.QueryData{}).Add(want), b, new(builder.QueryData))
		if t.Failed() {
			t.Fatal(test.reason)
		}
	}
}

// The variables below are results, one of each type. The constants are the encoded results, written by hand from
// the documentation of perflib.h and from MS-PCQ.

var errorReturn = builder.Result{Type: layout.PERF_ERROR_RETURN, Status: 4201}

const errorReturnBytes = `
69 10 00 00  00 00 00 00  10 00 00 00  00 00 00 00   status 4201, PERF_ERROR_RETURN, dwSize 16, reserved
`

var singleCounter = builder.Result{Type: layout.PERF_SINGLE_COUNTER, Counters: []builder.QueryCounter{{Size: 4}}, Values: []uint64{42}}

const singleCounterBytes = `
00 00 00 00  01 00 00 00  20 00 00 00  00 00 00 00   PERF_SINGLE_COUNTER, dwSize 16 + 16 = 32
04 00 00 00  10 00 00 00  2a 00 00 00  00 00 00 00   dwDataSize 4, dwSize 8 + 4 and padding, the value
`

var multipleCounters = builder.Result{
	Type:     layout.PERF_MULTIPLE_COUNTERS,
	Counters: []builder.QueryCounter{{CounterId: 1, Size: 4}, {CounterId: 2}, {CounterId: 3, Size: 4}},
	Values:   []uint64{42, 0x1122334455667788, 7},
}

const multipleCountersBytes = `
00 00 00 00  02 00 00 00  58 00 00 00  00 00 00 00   PERF_MULTIPLE_COUNTERS, dwSize 16 + 24 + 3 * 16 = 88
18 00 00 00  03 00 00 00                             dwSize 8 + 3 * 4 and padding = 24, 3 ids
01 00 00 00  02 00 00 00  03 00 00 00  00 00 00 00   the ids, padding
04 00 00 00  10 00 00 00  2a 00 00 00  00 00 00 00
08 00 00 00  10 00 00 00  88 77 66 55 44 33 22 11
04 00 00 00  10 00 00 00  07 00 00 00  00 00 00 00
`

// shortIDsBytes differs from multipleCountersBytes: the dwSize of its PERF_MULTI_COUNTERS does not include the
// padding.
const shortIDsBytes = `
00 00 00 00  02 00 00 00  58 00 00 00  00 00 00 00
14 00 00 00  03 00 00 00                             dwSize 8 + 3 * 4 = 20
01 00 00 00  02 00 00 00  03 00 00 00  00 00 00 00
04 00 00 00  10 00 00 00  2a 00 00 00  00 00 00 00
08 00 00 00  10 00 00 00  88 77 66 55 44 33 22 11
04 00 00 00  10 00 00 00  07 00 00 00  00 00 00 00
`

var multipleInstances = builder.Result{
	Type:      layout.PERF_MULTIPLE_INSTANCES,
	Counters:  []builder.QueryCounter{{}},
	Instances: []builder.QueryInstance{{Name: "C:", Values: []uint64{10}}, {Name: "_Total", InstanceId: 5, Values: []uint64{11}}},
}

const multipleInstancesBytes = `
00 00 00 00  04 00 00 00  60 00 00 00  00 00 00 00   PERF_MULTIPLE_INSTANCES, dwSize 16 + 80 = 96
50 00 00 00  02 00 00 00                             dwTotalSize 8 + 16 + 16 + 24 + 16 = 80, 2 instances
10 00 00 00  00 00 00 00  43 00 3a 00 00 00  00 00   Size 8 + 6 and padding = 16, id 0, C : NUL
08 00 00 00  10 00 00 00  0a 00 00 00 00 00 00 00
18 00 00 00  05 00 00 00                             Size 8 + 14 and padding = 24, id 5
5f 00 54 00 6f 00 74 00  61 00 6c 00 00 00  00 00    _ T o t a l NUL
08 00 00 00  10 00 00 00  0b 00 00 00 00 00 00 00
`

var counterSet = builder.Result{
	Type:      layout.PERF_COUNTERSET,
	Counters:  []builder.QueryCounter{{CounterId: 1, Size: 4}, {CounterId: 2}, {CounterId: 3, Size: 4}},
	Instances: []builder.QueryInstance{{Name: "C:", Values: []uint64{42, 100, 7}}},
}

const counterSetBytes = `
00 00 00 00  06 00 00 00  70 00 00 00  00 00 00 00   PERF_COUNTERSET, dwSize 16 + 24 + 72 = 112
18 00 00 00  03 00 00 00                             dwSize 24, 3 ids
01 00 00 00  02 00 00 00  03 00 00 00  00 00 00 00
48 00 00 00  01 00 00 00                             dwTotalSize 8 + 16 + 3 * 16 = 72, 1 instance
10 00 00 00  00 00 00 00  43 00 3a 00 00 00  00 00
04 00 00 00  10 00 00 00  2a 00 00 00  00 00 00 00
08 00 00 00  10 00 00 00  64 00 00 00 00 00 00 00
04 00 00 00  10 00 00 00  07 00 00 00  00 00 00 00
`

var noInstances = builder.Result{Type: layout.PERF_COUNTERSET, Counters: []builder.QueryCounter{{CounterId: 1}, {CounterId: 2}}}

const noInstancesBytes = `
00 00 00 00  06 00 00 00  28 00 00 00  00 00 00 00   PERF_COUNTERSET, dwSize 16 + 16 + 8 = 40
10 00 00 00  02 00 00 00  01 00 00 00  02 00 00 00   dwSize 16, 2 ids
08 00 00 00  00 00 00 00                             dwTotalSize 8, no instances
`

// emptyHeader is the header of data without results. It has 48 bytes.
const emptyHeader = `
30 00 00 00  00 00 00 00                             dwTotalSize 48, no results
00 00 00 00 00 00 00 00  00 40 6d 25 eb 53 bf 01     PerfTimeStamp 0, 125911584000000000
80 96 98 00 00 00 00 00                              PerfFreq 10,000,000
d0 07 01 00 06 00 01 00  00 00 00 00 00 00 00 00     2000-01-01, a Saturday, 00:00:00.000
`

const fiveHeader = `
88 01 00 00  05 00 00 00                             dwTotalSize 48 + 16 + 32 + 88 + 96 + 112 = 392, 5 results
cb 04 fb 71 1f 01 00 00                              PerfTimeStamp 1234567890123
50 7c 55 b7 b4 79 dd 01                              134397380967890000
80 96 98 00 00 00 00 00                              PerfFreq 10,000,000
ea 07 0b 00 06 00 15 00  0c 00 22 00 38 00 15 03     2026-11-21, a Saturday, 12:34:56.789
`

// queryDataBytes returns query data with one result. The parameter result has the bytes of this result in hex.
func queryDataBytes(t *testing.T, result string) []byte {
	t.Helper()
	b := append(hexBytes(t, emptyHeader), hexBytes(t, result)...)
	b[0], b[1], b[4] = byte(len(b)), byte(len(b)>>8), 1
	return b
}

// TestResultBytes checks that results encode to the expected bytes, and that the bytes decode to
// the same results.
func TestResultBytes(t *testing.T) {
	t.Parallel()
	short := multipleCounters
	short.ShortIDs = true
	five := builder.QueryData{
		PerfTimeStamp: 1234567890123, PerfTime100NSec: 134397380967890000,
		Results: []builder.Result{errorReturn, singleCounter, multipleCounters, multipleInstances, counterSet},
	}
	one := func(r builder.Result) builder.QueryData { return builder.QueryData{Results: []builder.Result{r}} }
	for _, test := range []struct {
		reason string
		model  builder.QueryData
		bytes  []byte
		total  int
	}{
		{"a header without results, as for an unknown counter set", builder.QueryData{}, hexBytes(t, emptyHeader), 48},
		{"error return", one(errorReturn), queryDataBytes(t, errorReturnBytes), 48 + 16},
		{"single counter", one(singleCounter), queryDataBytes(t, singleCounterBytes), 48 + 32},
		{"an odd number of ids", one(multipleCounters), queryDataBytes(t, multipleCountersBytes), 48 + 88},
		{"an odd number of ids, the padding not in their dwSize", one(short), queryDataBytes(t, shortIDsBytes), 48 + 88},
		{"names of two lengths", one(multipleInstances), queryDataBytes(t, multipleInstancesBytes), 48 + 96},
		{"instances and ids", one(counterSet), queryDataBytes(t, counterSetBytes), 48 + 112},
		{"no instances", one(noInstances), queryDataBytes(t, noInstancesBytes), 48 + 40},
		{"all in one", five, hexBytes(t, fiveHeader+errorReturnBytes+singleCounterBytes+multipleCountersBytes+multipleInstancesBytes+counterSetBytes), 392},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if len(test.bytes) != test.total {
				t.Fatalf("%d bytes typed in, %d documented", len(test.bytes), test.total)
			}
			checkEncoding(t, test.model, test.bytes, new(builder.QueryData))
		})
	}
}

// TestQueryAssembly checks that a model built with method calls is equal to a literal.
func TestQueryAssembly(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 12, 34, 56, 789e6, time.UTC)
	got := (&builder.QueryData{PerfTimeStamp: 1234567890123, SystemTime: layout.SystemTime{WYear: 2000}}).At(at).Add(
		builder.ErrorReturn(4201),
		builder.SingleCounter(4, 42),
		builder.MultipleCounters().Counter(1, 4).Counter(2, 0).Counter(3, 4).Single(42, 0x1122334455667788, 7),
		builder.MultipleInstances(0).Instance("C:", 0, 10).Instance("_Total", 5, 11),
		builder.CounterSet().Counter(1, 4).Counter(2, 0).Counter(3, 4).Instance("C:", 0, 42, 100, 7),
	)
	want := builder.QueryData{
		PerfTimeStamp: 1234567890123, PerfTime100NSec: 134397380967890000,
		Results: []builder.Result{errorReturn, singleCounter, multipleCounters, multipleInstances, counterSet},
	}
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// After QueryData.Add, appending to the added Result must not change the QueryData.
	set := builder.CounterSet().Counter(1, 4).Instance("a", 0, 1).Instance("b", 0, 1)
	set.Instances = set.Instances[:1]
	q := new(builder.QueryData{}).Add(set)
	q.Results[0].Instances = append(q.Results[0].Instances, builder.QueryInstance{Name: "mine"})
	set.Instance("c", 0, 1)
	if len(q.Results[0].Instances) != 2 || q.Results[0].Instances[1].Name != "mine" || set.Instances[1].Name != "c" {
		t.Errorf("%+v and %+v share instances", q.Results[0].Instances, set.Instances)
	}
	set.Counters = make([]builder.QueryCounter, 0, 8)
	q.Add(set)
	q.Results[1].Counter(1, 4)
	set.Counter(2, 4)
	if q.Results[1].Counters[0].CounterId != 1 {
		t.Errorf("%+v and %+v share counters", q.Results[1].Counters, set.Counters)
	}
}
