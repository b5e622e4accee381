package builder_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestCountersTooFar checks the limits in the errors for values that do not fit in a counter block. TotalByteLength is a
// multiple of 8, so it is at most 4294967288. A PERF_OBJECT_TYPE has 64 bytes, each definition 40.
func TestCountersTooFar(t *testing.T) {
	t.Parallel()
	const number, text = layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_TEXT
	for _, tt := range []struct {
		reason   string
		counters []builder.Counter
		want     []string
	}{
		{"a size that no block has space for", []builder.Counter{{CounterType: text, CounterSize: math.MaxUint32}},
			[]string{"object[0].counter[0].CounterSize: is 4294967295, must be at most 4294967180"}},
		{"the smallest such size", []builder.Counter{{CounterType: text, CounterSize: 4294967181}},
			[]string{"object[0].counter[0].CounterSize: is 4294967181, must be at most 4294967180"}},
		{"a size that has space only at another offset", []builder.Counter{{CounterType: text, CounterSize: 4294967180, CounterOffset: 5}},
			[]string{"object[0].counter[0].CounterOffset: is 5 for a value of 4294967180 bytes, must be at most 4: a counter block of this object can have at most 4294967184 bytes"}},
		{"an offset after the end of each block", []builder.Counter{{CounterType: number, CounterOffset: math.MaxUint32 - 7}, {CounterType: number}},
			[]string{"object[0].counter[0].CounterOffset: is 4294967288 for a value of 8 bytes, must be at most 4294967136: a counter block of this object can have at most 4294967144 bytes"}},
		{"only the first of the values that have no space is reported", []builder.Counter{{CounterType: number, CounterOffset: 4294967096}, {CounterType: number}, {CounterType: number}},
			[]string{"object[0].counter[1]: has no space: its 8 bytes start at offset 4294967104, and a counter block of this object can have at most 4294967104 bytes"}},
	} {
		_, err := builder.Objects{{ObjectNameTitleIndex: 2, Counters: tt.counters}}.EncodedLen()
		if !errors.Is(err, builder.ErrTooLarge) {
			t.Errorf("%s: error %v, want ErrTooLarge", tt.reason, err)
			continue
		}
		var got []string
		for _, err := range allErrors(err) {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestDecodeDefaults checks that decoding an object returns the model that was encoded: decoding sets CounterSize and
// CounterOffset to 0 where encoding computes the same numbers, and loses nothing.
func TestDecodeDefaults(t *testing.T) {
	t.Parallel()
	const number, wide, text = layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_TEXT
	for _, tt := range []struct {
		reason   string
		counters []builder.Counter
		values   []uint64
		texts    []string
	}{
		{"the second text has another length", []builder.Counter{{CounterType: text}, {CounterType: number}, {CounterType: text}}, []uint64{0, 7, 0}, []string{"first", "second"}},
		{"bytes that are not UTF-8", []builder.Counter{{CounterType: 0x300}}, []uint64{0}, []string{"\xff"}},
		{"a text has only its length field", []builder.Counter{{CounterType: text}}, []uint64{0}, []string{""}},
		{"a base follows its multi counter, so that decoding adds none", []builder.Counter{{CounterType: layout.PERF_COUNTER_MULTI_TIMER}, {CounterType: layout.PERF_COUNTER_MULTI_BASE}}, []uint64{7, 3}, nil},
		{"no padding follows a short number inside a long number", []builder.Counter{{CounterType: wide}, {CounterType: number, CounterOffset: 8}}, []uint64{5<<32 | 7, 7}, nil},
		{"a text of 8 bytes is after the bytes that two numbers share", []builder.Counter{{CounterType: wide}, {CounterType: number, CounterOffset: 8}, {CounterType: text}}, []uint64{5<<32 | 7, 7, 0}, []string{"ab"}},
	} {
		o := builder.Object{ObjectNameTitleIndex: 2, NumInstances: layout.PERF_NO_INSTANCES, Counters: tt.counters, Values: tt.values, Texts: tt.texts}
		b, err := builder.Objects{o}.MarshalBinary()
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		var got builder.Objects
		if err := got.UnmarshalBinary(b); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if diff := cmp.Diff(builder.Objects{o}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestDefaultOffsets checks the CounterOffset of each definition if the model has none.
func TestDefaultOffsets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason   string
		counters []builder.Counter
		texts    []string
		want     []uint32
	}{
		{"readers that read 8 bytes for a timer do not read them at offset 12", []builder.Counter{{CounterType: layout.PERF_AVERAGE_TIMER, CounterOffset: 12}, {CounterType: layout.PERF_AVERAGE_BASE}}, nil, []uint32{12, 16}},
		{"a second base is not the base of the multi counter", []builder.Counter{{CounterType: layout.PERF_COUNTER_MULTI_TIMER}, {CounterType: layout.PERF_COUNTER_MULTI_BASE}, {CounterType: layout.PERF_RAW_FRACTION}, {CounterType: layout.PERF_RAW_BASE}}, nil, []uint32{8, 16, 24, 28}},
		{"a counter without a value needs no alignment", []builder.Counter{{CounterType: 0x300}, {CounterType: layout.PERF_COUNTER_NODATA}}, []string{"12345"}, []uint32{4, 9}},
	} {
		o := builder.NewObject(2).Define(tt.counters...).Single(make([]uint64, len(tt.counters))...)
		o.Texts = tt.texts
		b, err := o.MarshalBinary()
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		var got []uint32
		for v := range layout.ReadObjects(b) {
			for c := range v.Counters() {
				got = append(got, c.CounterOffset())
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
