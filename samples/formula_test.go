package samples_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
)

// A moment has the numbers of a counter in one sample.
type moment struct {
	value, base uint64
	clock       int64
}

// freq is the frequency of PerfTime in the header and in the object.
const freq = 1000

// sampleOf returns a data block with one counter and its base. All clocks have the same time.
func sampleOf(t *testing.T, typ layout.CounterType, m moment) samples.Sample {
	t.Helper()
	object := builder.NewObject(2)
	values := []uint64{m.value}
	object.DefineWithBase(builder.Counter{CounterNameTitleIndex: 4, CounterType: typ})
	if _, ok := typ.Base(); ok {
		values = append(values, m.base)
	}
	object.Single(values...)
	object.PerfTime, object.PerfFreq = m.clock, freq
	block := builder.DataBlock{PerfTime: m.clock, PerfFreq: freq, PerfTime100nSec: m.clock}
	b, err := block.Add(object).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return samples.Sample{Bytes: b}
}

func onlyValue(t *testing.T, o samples.Options, older, newer samples.Sample) samples.Value {
	t.Helper()
	var all []samples.Value
	for v, err := range o.Values(older, newer) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if len(all) != 1 {
		t.Fatalf("there are %d values, want 1: %v", len(all), all)
	}
	return all[0]
}

// TestFormulas computes one value of each type that has a formula. The numbers are small enough to check by hand. The
// source is the documentation of the types in Windows.
func TestFormulas(t *testing.T) {
	t.Parallel()
	older, newer := moment{value: 1000, base: 2, clock: 100_000}, moment{value: 1500, base: 4, clock: 102_000} // 2 seconds of 1,000 ticks
	wants := map[layout.CounterType]string{
		layout.PERF_COUNTER_RAWCOUNT_HEX:           "0x5dc",
		layout.PERF_COUNTER_LARGE_RAWCOUNT_HEX:     "0x5dc",
		layout.PERF_COUNTER_RAWCOUNT:               "1500",
		layout.PERF_COUNTER_LARGE_RAWCOUNT:         "1500",
		layout.PERF_COUNTER_DELTA:                  "500",
		layout.PERF_COUNTER_LARGE_DELTA:            "500",
		layout.PERF_SAMPLE_COUNTER:                 "250.000", // 500 in 2 seconds
		layout.PERF_COUNTER_COUNTER:                "250.000 /sec",
		layout.PERF_COUNTER_BULK_COUNT:             "250.000 /sec",
		layout.PERF_COUNTER_QUEUELEN_TYPE:          "0.250", // 500 in 2,000 ticks
		layout.PERF_COUNTER_LARGE_QUEUELEN_TYPE:    "0.250",
		layout.PERF_COUNTER_100NS_QUEUELEN_TYPE:    "0.250",
		layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: "0.250",
		layout.PERF_RAW_FRACTION:                   "37500.000 %", // 1,500 of 4
		layout.PERF_LARGE_RAW_FRACTION:             "37500.000 %",
		layout.PERF_COUNTER_TIMER:                  "25.000 %",
		layout.PERF_100NSEC_TIMER:                  "25.000 %",
		layout.PERF_OBJ_TIME_TIMER:                 "25.000 %",
		layout.PERF_COUNTER_TIMER_INV:              "75.000 %",
		layout.PERF_100NSEC_TIMER_INV:              "75.000 %",
		layout.PERF_PRECISION_SYSTEM_TIMER:         "25000.000 %", // 500 in 2 ticks of the base
		layout.PERF_PRECISION_100NS_TIMER:          "25000.000 %",
		layout.PERF_PRECISION_OBJECT_TIMER:         "25000.000 %",
		layout.PERF_SAMPLE_FRACTION:                "25000.000 %",
		layout.PERF_COUNTER_MULTI_TIMER:            "6.250 %", // 25 % of the time, divided by 4 components
		layout.PERF_100NSEC_MULTI_TIMER:            "6.250 %",
		layout.PERF_COUNTER_MULTI_TIMER_INV:        "375.000 %", // 100 % for each of 4 components, minus 25 %
		layout.PERF_100NSEC_MULTI_TIMER_INV:        "375.000 %",
		layout.PERF_AVERAGE_TIMER:                  "0.250 secs", // 500 ticks for 2 operations
		layout.PERF_AVERAGE_BULK:                   "250.000",
		layout.PERF_ELAPSED_TIME:                   "100.500 secs", // started at tick 1,500
	}
	for typ := range layout.CounterTypes() {
		want, known := wants[typ]
		if f := samples.FormulaOf(typ); (f != nil) != known {
			t.Errorf("%v has the formula %v, want one: %v", typ, f, known)
		}
		if !known {
			continue
		}
		v := onlyValue(t, samples.Options{}, sampleOf(t, typ, older), sampleOf(t, typ, newer))
		if got := v.String(); got != want {
			t.Errorf("%v: %s = %s, want %s (%+v)", typ, v.Counter.Formula().Text, got, want, v.Inputs)
		}
	}
}

// TestMissing checks the reason for each missing value, and similar values that are not missing.
func TestMissing(t *testing.T) {
	t.Parallel()
	const bulk, counter = layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_COUNTER
	start, end := moment{10, 1, 1000}, moment{20, 2, 2000}
	for _, tt := range []struct {
		reason       string
		typ          layout.CounterType
		wrap         bool
		older, newer moment
		want         string
	}{
		{"a value of 8 bytes that falls was cleared", bulk, false, end, moment{19, 2, 3000}, "fell-or-wrapped"},
		{"a value of 8 bytes does not wrap in the life of a computer", bulk, true, end, moment{19, 2, 3000}, "fell-or-wrapped"},
		{"a value of 4 bytes that falls can have wrapped", counter, false, moment{1<<32 - 10, 0, 1000}, moment{90, 0, 2000}, "fell-or-wrapped"},
		{"with Wrap, a value of 4 bytes that falls has wrapped", counter, true, moment{1<<32 - 10, 0, 1000}, moment{90, 0, 2000}, "100.000 /sec"},
		{"a difference is never negative", layout.PERF_COUNTER_DELTA, false, moment{5, 0, 1}, moment{4, 0, 2}, "fell-or-wrapped"},
		{"8 bytes have no sign", layout.PERF_COUNTER_LARGE_DELTA, false, moment{1<<63 - 1, 0, 1}, moment{1<<64 - 1, 0, 2}, "9223372036854775808"},
		{"a raw value may fall, and is exact", layout.PERF_COUNTER_LARGE_RAWCOUNT, false, moment{1<<64 - 1, 0, 1}, moment{1<<53 + 1, 0, 2}, "9007199254740993"},
		{"no operation ended, so there is no average", layout.PERF_AVERAGE_BULK, false, start, moment{20, 1, 2000}, "base-unchanged"},
		{"the base falls", layout.PERF_AVERAGE_BULK, false, moment{10, 3, 1000}, end, "fell-or-wrapped"},
		{"the base of 4 bytes wraps", layout.PERF_AVERAGE_BULK, true, moment{10, 1<<32 - 1, 1000}, moment{20, 1, 2000}, "5.000"},
		{"the base of a fraction is 0", layout.PERF_RAW_FRACTION, false, start, moment{0, 0, 2000}, "zero-denominator"},
		{"no components", layout.PERF_COUNTER_MULTI_TIMER, false, start, moment{20, 0, 2000}, "zero-denominator"},
		{"the clock did not advance", counter, false, start, moment{20, 0, 1000}, "no-time"},
		{"the clock goes back", layout.PERF_100NSEC_TIMER, false, end, moment{30, 0, 1000}, "no-time"},
		{"the clock is not in the formula", layout.PERF_COUNTER_DELTA, false, end, moment{30, 0, 1000}, "10"},
		{"a process that starts in the future has a negative time", layout.PERF_ELAPSED_TIME, false, start, moment{3000, 0, 2000}, "-1.000 secs"},
		{"more work than time", layout.PERF_COUNTER_TIMER_INV, false, start, moment{3010, 0, 2000}, "-200.000 %"},
		{"exact near 0, where two quotients cancel", layout.PERF_COUNTER_TIMER_INV, false, moment{0, 0, 1}, moment{1<<60 - 2, 0, 1 << 60}, "0.000 %"},
	} {
		v := onlyValue(t, samples.Options{Wrap: tt.wrap}, sampleOf(t, tt.typ, tt.older), sampleOf(t, tt.typ, tt.newer))
		if got := v.String(); got != tt.want {
			t.Errorf("%s: %s, want %s (%+v)", tt.reason, got, tt.want, v.Inputs)
		}
	}
	v := onlyValue(t, samples.Options{}, sampleOf(t, layout.PERF_COUNTER_TIMER_INV, moment{0, 0, 1}), sampleOf(t, layout.PERF_COUNTER_TIMER_INV, moment{1<<60 - 2, 0, 1 << 60}))
	if want := 100.0 / (1<<60 - 1); v.Number != want {
		t.Errorf("1 tick of 2^60-1 is idle: %g %%, want %g", v.Number, want)
	}
	if v := onlyValue(t, samples.Options{}, samples.Sample{}, sampleOf(t, bulk, end)); v.Missing != samples.NoOlderSample || v.Instance.State != samples.New {
		t.Errorf("one sample: %v", v)
	}
	if v := onlyValue(t, samples.Options{}, samples.Sample{}, sampleOf(t, layout.PERF_ELAPSED_TIME, moment{value: 1000, clock: 3000})); v.Number != 2 {
		t.Errorf("an elapsed time needs one sample: %v", v)
	}
	if v := onlyValue(t, samples.Options{}, sampleOf(t, bulk, start), sampleOf(t, layout.PERF_COUNTER_TIMER, end)); v.Missing != samples.NoOlderSample {
		t.Errorf("a counter with another type is another counter: %v", v)
	}
}
