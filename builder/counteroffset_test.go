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

// TestDecodeDefaults checks that decoding an object sets CounterSize and CounterOffset to 0 where encoding computes the
// same numbers, also for the second text.
func TestDecodeDefaults(t *testing.T) {
	t.Parallel()
	o := builder.Object{
		ObjectNameTitleIndex: 2, NumInstances: layout.PERF_NO_INSTANCES, Values: []uint64{0, 7, 0}, Texts: []string{"first", "second"},
		Counters: []builder.Counter{{CounterType: layout.PERF_COUNTER_TEXT}, {CounterType: layout.PERF_COUNTER_RAWCOUNT}, {CounterType: layout.PERF_COUNTER_TEXT}},
	}
	b, err := builder.Objects{o}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got builder.Objects
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(builder.Objects{o}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
