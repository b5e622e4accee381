package samples_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

// sampleAt returns a data block that was collected at the given second.
func sampleAt(tb testing.TB, second int64, objects ...*builder.Object) samples.Sample {
	tb.Helper()
	block := builder.DataBlock{SystemName: "HOST", PerfTime: 1000 + second*10_000_000, PerfTime100nSec: (13_000_000_000 + second) * 10_000_000}
	return samples.Sample{Bytes: must(block.Add(objects...).MarshalBinary())}
}

// compared returns the findings about two samples: the rule, the path and the message.
func compared(older, newer samples.Sample) (list []string) {
	var v validate.Validator
	result := samples.Compare(&v, older, newer)
	if result.Unchecked != nil {
		list = append(list, result.Unchecked.Error())
	}
	for _, f := range result.Findings {
		list = append(list, fmt.Sprintf("%s %v: %s", f.Rule.Name, f.Path, f.Message()))
	}
	return list
}

// countersOf returns an object with a counter of each type, with the titles 12, 14 and so on.
func countersOf(types ...layout.CounterType) *builder.Object {
	o := builder.NewObject(10)
	o.DuplicateNames = true
	for i, t := range types {
		o.Counter(uint32(12+2*i), t)
	}
	return o
}

// TestCompareObjects compares objects of V1. Most of the test cases have a valid difference, which must not be
// reported.
func TestCompareObjects(t *testing.T) {
	t.Parallel()
	const raw, large, small, queue = layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE
	bulk := func() *builder.Object { return countersOf(large) }
	threes := func() *builder.Object { return countersOf(large, large, large) }
	ids := func(o *builder.Object, ids ...int32) *builder.Object {
		for i := range o.Instances {
			o.Instances[i].UniqueID = &ids[i]
		}
		return o
	}
	processes := func(names ...string) *builder.Object {
		o := builder.NewObject(230).Counter(232, raw)
		o.DuplicateNames = true
		for _, name := range names {
			o.Instance(name, 0)
		}
		return o
	}
	thread := func(position uint32, value uint64) *builder.Object {
		return builder.NewObject(300).Counter(302, large).Child(230, position, "0", value)
	}
	clock := func(tick, freq int64, value uint64) *builder.Object {
		o := countersOf(queue).Single(value)
		o.PerfTime, o.PerfFreq = tick, freq
		return o
	}
	metadata := bulk()
	metadata.NumInstances = layout.PERF_METADATA_NO_INSTANCES
	for _, tt := range []struct {
		reason       string
		older, newer []*builder.Object
		want         []string
	}{
		{"the answer to a metadata query has no values", []*builder.Object{metadata}, []*builder.Object{bulk().Single(5)}, nil},
		{"the older sample has values, and the newer one answers a metadata query", []*builder.Object{bulk().Single(5)}, []*builder.Object{metadata}, nil},
		{"objects come and go", []*builder.Object{bulk().Single(5), processes("a")}, []*builder.Object{thread(0, 1), bulk().Single(6)}, nil},
		{"instances come and go, and change their order", []*builder.Object{bulk().Instance("a", 5).Instance("b", 9)}, []*builder.Object{bulk().Instance("c", 1).Instance("b", 9)}, nil},
		{"a raw count may fall", []*builder.Object{countersOf(raw).Single(5)}, []*builder.Object{countersOf(raw).Single(4)}, nil},
		{"an instance falls, and has moved to another position", []*builder.Object{bulk().Instance("a", 5).Instance("b", 9)}, []*builder.Object{bulk().Instance("b", 8).Instance("a", 6)},
			[]string{"pair-monotonic object[0].instance[0].block.value[0]: the value is 8, must be at least 9, the value at 0x128 of the older sample"}},
		{"equal names: another svchost may have ended", []*builder.Object{bulk().Instance("a", 5).Instance("a", 9)}, []*builder.Object{bulk().Instance("a", 4).Instance("a", 8)}, nil},
		{"a second instance with the name is new: either can be the old instance", []*builder.Object{bulk().Instance("a", 5)}, []*builder.Object{bulk().Instance("a", 4).Instance("a", 8)}, nil},
		{"one of two instances with the name is gone", []*builder.Object{bulk().Instance("a", 5).Instance("a", 8)}, []*builder.Object{bulk().Instance("a", 4)}, nil},
		{"equal names with UniqueIDs are distinct", []*builder.Object{ids(bulk().Instance("a", 5).Instance("a", 9), 1, 2)}, []*builder.Object{ids(bulk().Instance("a", 10).Instance("a", 4), 2, 1)},
			[]string{"pair-monotonic object[0].instance[1].block.value[0]: the value is 4, must be at least 5, the value at 0xf8 of the older sample"}},
		{"another UniqueID is another instance: its values are not compared", []*builder.Object{ids(bulk().Instance("a", 5), 1)}, []*builder.Object{ids(bulk().Instance("a", 4), -1)},
			[]string{"pair-instance-id object[0].instance[0].UniqueID: UniqueID is -1, must be 1, as at 0xdc of the older sample, because the name is the same"}},
		{"two instances with the name: one may have ended", []*builder.Object{ids(bulk().Instance("a", 5).Instance("a", 5), 1, 2)}, []*builder.Object{ids(bulk().Instance("a", 4), 3)}, nil},
		{"a thread is found by the name of its process", []*builder.Object{processes("x", "y"), thread(1, 9)}, []*builder.Object{processes("y", "z"), thread(0, 8)},
			[]string{"pair-monotonic object[1].instance[0].block.value[0]: the value is 8, must be at least 9, the value at 0x1b0 of the older sample"}},
		{"the thread of another process has the position of the old one", []*builder.Object{processes("x", "y"), thread(0, 9)}, []*builder.Object{processes("y", "x"), thread(0, 8)}, nil},
		{"two processes have the name of the parent", []*builder.Object{processes("x", "x"), thread(0, 9)}, []*builder.Object{processes("x", "x"), thread(0, 8)}, nil},
		{"the parent is not in the block", []*builder.Object{thread(0, 9)}, []*builder.Object{thread(0, 8)}, nil},
		{"all values of an instance fall: it has started again", []*builder.Object{threes().Instance("a", 5, 0, 9)}, []*builder.Object{threes().Instance("a", 1, 0, 2)},
			[]string{"pair-monotonic object[0].instance[0].block.value[0]: the value is 1, and 1 other value of the instance fell too, must be at least 5, the value at 0x148 of the older sample"}},
		{"two values of an instance fall and one grows", []*builder.Object{threes().Instance("a", 5, 0, 9)}, []*builder.Object{threes().Instance("a", 1, 1, 2)}, []string{
			"pair-monotonic object[0].instance[0].block.value[0]: the value is 1, must be at least 5, the value at 0x148 of the older sample",
			"pair-monotonic object[0].instance[0].block.value[2]: the value is 2, must be at least 9, the value at 0x158 of the older sample"}},
		{"4 bytes fall by half of their range: they have wrapped", []*builder.Object{countersOf(small).Single(1<<31 + 7)}, []*builder.Object{countersOf(small).Single(7)}, nil},
		{"4 bytes fall by less", []*builder.Object{countersOf(small).Single(1<<31 + 7)}, []*builder.Object{countersOf(small).Single(8)},
			[]string{"pair-monotonic object[0].block.value[0]: the value is 8, must be at least 2147483655, the value at 0xd4 of the older sample"}},
		{"8 bytes wrap", []*builder.Object{bulk().Single(1<<64 - 1)}, []*builder.Object{bulk().Single(3)}, nil},
		{"8 bytes fall by less than half of their range, but more than half of that of 4 bytes", []*builder.Object{bulk().Single(1<<32 - 1)}, []*builder.Object{bulk().Single(3)},
			[]string{"pair-monotonic object[0].block.value[0]: the value is 3, must be at least 4294967295, the value at 0xd8 of the older sample"}},
		{"a counter is inserted: one finding, and the others are still compared", []*builder.Object{countersOf(raw, large).Single(1, 9)}, []*builder.Object{builder.NewObject(10).Counter(12, raw).Counter(16, raw).Counter(14, large).Single(1, 2, 8)}, []string{
			"pair-layout object[0].counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 16, must be 14, as at 0xd4 of the older sample",
			"pair-monotonic object[0].block.value[2]: the value is 8, must be at least 9, the value at 0x100 of the older sample"}},
		{"a counter is appended", []*builder.Object{countersOf(raw).Single(1)}, []*builder.Object{countersOf(raw, raw).Single(1, 2)},
			[]string{"pair-layout object[0].NumCounters: NumCounters is 2, must be 1, as at 0x88 of the older sample"}},
		{"the counter type changes, so the values are not compared", []*builder.Object{bulk().Single(9)}, []*builder.Object{countersOf(layout.PERF_COUNTER_LARGE_DELTA).Single(8)},
			[]string{"pair-layout object[0].counter[0].CounterType: CounterType is PERF_COUNTER_LARGE_DELTA, must be PERF_COUNTER_BULK_COUNT, as at 0xc4 of the older sample"}},
		{"an object without instances gets instances", []*builder.Object{bulk().Single(9)}, []*builder.Object{bulk().Instance("a", 8)},
			[]string{"pair-parent-kind object[0].NumInstances: NumInstances is 1, must be -1, because the value at 0x90 of the older sample is -1"}},
		{"an object with instances has none", []*builder.Object{bulk().Instance("a", 8)}, []*builder.Object{bulk()}, nil},
		{"the clock of the object is used, and does not advance", []*builder.Object{clock(500, 100, 9)}, []*builder.Object{clock(500, 200, 9)}, []string{
			"pair-time object[0].PerfTime: PerfTime is 500, must be more than 500, the time at 0x98 of the older sample",
			"pair-frequency object[0].PerfFreq: PerfFreq is 200, must be 100, as at 0xa0 of the older sample"}},
		{"the clock of the object goes back, so its counters are not compared", []*builder.Object{clock(500, 100, 9)}, []*builder.Object{clock(400, 100, 8)},
			[]string{"pair-time object[0].PerfTime: PerfTime is 400, must be more than 500, the time at 0x98 of the older sample"}},
		{"no counter uses the clock of the object", []*builder.Object{bulk().Single(9)}, []*builder.Object{bulk().Single(9)}, nil},
		{"one of two objects with the title is gone", []*builder.Object{bulk().Single(9), bulk().Single(1)}, []*builder.Object{bulk().Single(2)}, nil},
		{"both objects with the title are there", []*builder.Object{bulk().Single(9), bulk().Single(1)}, []*builder.Object{bulk().Single(9), bulk().Single(0)},
			[]string{"pair-monotonic object[1].block.value[0]: the value is 0, must be at least 1, the value at 0x150 of the older sample"}},
	} {
		if diff := cmp.Diff(tt.want, compared(sampleAt(t, 0, tt.older...), sampleAt(t, 1, tt.newer...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestCompareHeaders compares the clocks and the system names of headers.
func TestCompareHeaders(t *testing.T) {
	t.Parallel()
	block := func(d builder.DataBlock, value uint64) samples.Sample {
		return samples.Sample{Bytes: must(d.Add(countersOf(layout.PERF_COUNTER_BULK_COUNT).Single(value)).MarshalBinary())}
	}
	older := builder.DataBlock{SystemName: "HOST", PerfTime: 1000, PerfFreq: 100, PerfTime100nSec: 5_000_000_000}
	with := func(change func(*builder.DataBlock)) builder.DataBlock {
		d := older
		d.PerfTime, d.PerfTime100nSec = d.PerfTime+1, d.PerfTime100nSec+1
		change(&d)
		return d
	}
	for _, tt := range []struct {
		reason string
		newer  builder.DataBlock
		want   []string
	}{
		{"only the counter falls", with(func(*builder.DataBlock) {}), []string{"pair-monotonic object[0].block.value[0]"}},
		{"the computer has restarted: counters fall", with(func(d *builder.DataBlock) { d.PerfTime = 5 }), []string{"pair-time PerfTime"}},
		{"the same moment", with(func(d *builder.DataBlock) { d.PerfTime = 1000 }), []string{"pair-time PerfTime", "pair-monotonic object[0].block.value[0]"}},
		{"the time of the day was set back, but the computer runs on", with(func(d *builder.DataBlock) { d.PerfTime100nSec = 4_000_000_000 }), []string{"pair-time PerfTime100nSec", "pair-monotonic object[0].block.value[0]"}},
		{"another frequency", with(func(d *builder.DataBlock) { d.PerfFreq = 200 }), []string{"pair-frequency PerfFreq"}},
		{"another computer, whose clock and counters differ too", with(func(d *builder.DataBlock) { d.SystemName, d.PerfTime = "MAIL", 5 }), []string{"pair-computer SystemName"}},
		{"names of computers ignore case", with(func(d *builder.DataBlock) { d.SystemName = "Host" }), []string{"pair-monotonic object[0].block.value[0]"}},
		{"one block has no name", with(func(d *builder.DataBlock) { d.SystemName = "" }), []string{"pair-monotonic object[0].block.value[0]"}},
	} {
		var got []string
		for _, text := range compared(block(older, 9), block(tt.newer, 8)) {
			place, _, _ := strings.Cut(text, ":")
			got = append(got, place)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
