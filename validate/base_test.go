package validate_test

import (
	"math"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// counterSequence returns one counter of each type, in the given order. The values are 8 bytes
// apart.
func counterSequence(types ...layout.CounterType) []wire.Counter {
	var counters []wire.Counter
	for i, typ := range types {
		width, _ := typ.Width()
		counters = append(counters, counterOf(typ, width, 8+8*uint32(i)))
	}
	return counters
}

// TestCounterBases checks which counter types require a base, which base they require, and where
// the base must be.
func TestCounterBases(t *testing.T) {
	t.Parallel()
	const (
		fraction   = layout.PERF_RAW_FRACTION
		base       = layout.PERF_RAW_BASE
		unnamed    = fraction | layout.PERF_TIMER_100NS // a fraction without a name in winperf.h
		timer      = layout.PERF_100NSEC_MULTI_TIMER
		components = layout.PERF_COUNTER_MULTI_BASE
	)
	checkCounterRows(t, []counterRow{
		{"a PERF_RAW_FRACTION with its base is valid", counterSequence(fraction, base), nil, nil},
		{"the last counter is a PERF_RAW_FRACTION, so no base follows", counterSequence(raw, fraction), nil, []string{"ctr-base-missing counter[1].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"a counter that is not a base follows the PERF_RAW_FRACTION", counterSequence(fraction, raw), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"the base belongs to the second PERF_RAW_FRACTION, and the first has none", counterSequence(fraction, fraction, base), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"a PERF_PRECISION_100NS_TIMER has the bits of a base but is not a base", counterSequence(fraction, layout.PERF_PRECISION_100NS_TIMER, layout.PERF_PRECISION_TIMESTAMP), nil,
			[]string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"a precision timer requires a PERF_LARGE_RAW_BASE", counterSequence(layout.PERF_PRECISION_SYSTEM_TIMER), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_PRECISION_SYSTEM_TIMER, must be followed by the definition of a PERF_LARGE_RAW_BASE"}},
		{"a fraction type without a name requires any base", counterSequence(unnamed), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is 0x20120400, must be followed by the definition of a base"}},
		{"a fraction type without a name accepts any base", counterSequence(unnamed, layout.PERF_SAMPLE_BASE), nil, nil},
		{"a multi-counter type without a name requires any base", counterSequence(unnamed | layout.PERF_MULTI_COUNTER), nil, []string{"ctr-base-missing-multi counter[0].CounterType: CounterType is 0x22120400, must be followed by the definition of a base"}},
		{"a histogram type requires no base", counterSequence(fraction | 0x80000000), nil, nil},
		{"PERF_SAMPLE_COUNTER requires no base", counterSequence(layout.PERF_SAMPLE_COUNTER, raw), nil, nil},
		{"PERF_SAMPLE_COUNTER accepts a PERF_SAMPLE_BASE", counterSequence(layout.PERF_SAMPLE_COUNTER, layout.PERF_SAMPLE_BASE), nil, nil},
		{"PERF_SAMPLE_COUNTER accepts no other base", counterSequence(layout.PERF_SAMPLE_COUNTER, base), nil, []string{"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that uses this base, but follows a PERF_SAMPLE_COUNTER"}},
		{"PERF_AVERAGE_BASE has the right width but belongs to another type", counterSequence(fraction, layout.PERF_AVERAGE_BASE), nil, []string{"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_AVERAGE_BASE, must be PERF_RAW_BASE after a PERF_RAW_FRACTION"}},
		{"a multi timer requires PERF_COUNTER_MULTI_BASE", counterSequence(timer, layout.PERF_LARGE_RAW_BASE), nil, []string{"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_LARGE_RAW_BASE, must be PERF_COUNTER_MULTI_BASE after a PERF_100NSEC_MULTI_TIMER"}},
		{"a second base follows the first", counterSequence(fraction, base, base), nil, []string{"ctr-base-orphan counter[2].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that uses this base, but follows a PERF_RAW_BASE"}},
		{"the first counter is a base, and a second base follows", counterSequence(base, base), nil, []string{
			"ctr-base-first counter[0].CounterType: CounterType is PERF_RAW_BASE, must follow the counter that uses this base",
			"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that uses this base, but follows a PERF_RAW_BASE",
		}},
		{"a multi timer with its PERF_COUNTER_MULTI_BASE is valid", counterSequence(timer, components), []uint32{24}, nil},
		{"a multi timer has no base, and the block has space for the base", counterSequence(timer), []uint32{24}, []string{"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE"}},
		{"a multi timer has no base, and the block ends where the base would end", counterSequence(timer), []uint32{24, 20}, []string{"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE"}},
		{"the second block is too short for the base", counterSequence(timer), []uint32{24, 16}, []string{
			"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE",
			"ctr-multi-adjacent counter[0].CounterOffset: CounterOffset is 8, must leave space for 12 bytes, but object[0].instance[1].block has only 16 bytes",
		}},
		{"the value is outside the block, so the base is not checked", counterSequence(timer), []uint32{8}, []string{
			"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE",
			"ctr-offset-range counter[0].CounterOffset: CounterOffset is 8, must leave space for 8 bytes, but object[0].instance[0].block has only 8 bytes",
		}},
		{"the value is inside ByteLength, so the base is not checked", []wire.Counter{counterOf(timer, 8, 0)}, []uint32{8}, []string{
			"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE",
			"ctr-offset-min counter[0].CounterOffset: CounterOffset is 0, must be at least 8, the first multiple of CounterSize after ByteLength of the counter block",
		}},
		{"the value is at the smallest CounterOffset, and the block has no space for the base", []wire.Counter{counterOf(timer, 8, 4)}, []uint32{12}, []string{
			"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE",
			"ctr-offset-align counter[0].CounterOffset: CounterOffset is 4, must be a multiple of 8, the CounterSize",
			"ctr-multi-adjacent counter[0].CounterOffset: CounterOffset is 4, must leave space for 12 bytes, but object[0].instance[0].block has only 12 bytes",
		}},
		{"PERF_COUNTER_MULTI_BASE must also follow a counter that requires it", counterSequence(raw, components), []uint32{24}, []string{"ctr-base-orphan counter[1].CounterType: CounterType is PERF_COUNTER_MULTI_BASE, must follow a counter that uses this base, but follows a PERF_COUNTER_RAWCOUNT"}},
		{"the offset of a PERF_RAW_BASE may be any", counterSequence(fraction, base), nil, nil},
		{"the base of a multi timer is 8 bytes too far from the value", []wire.Counter{counterOf(timer, 8, 8), counterOf(components, 8, 24)}, nil, []string{"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 24, must be 16, the CounterOffset of counter[0] plus 8"}},
		{"the number for the base would not be a multiple of its CounterSize", []wire.Counter{counterOf(timer, 8, 12), counterOf(components, 8, 24)}, nil, []string{
			"ctr-offset-align counter[0].CounterOffset: CounterOffset is 12, must be a multiple of 8, the CounterSize",
			"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 24, must be the CounterOffset of counter[0] plus 8",
		}},
		{"the value has the smallest CounterOffset, and its base is not 8 bytes after it", []wire.Counter{counterOf(timer, 8, 4), counterOf(components, 4, 16)}, nil, []string{
			"ctr-offset-align counter[0].CounterOffset: CounterOffset is 4, must be a multiple of 8, the CounterSize",
			"ctr-size-type-mismatch counter[1].CounterSize: CounterSize is 4, must be 8, the width of PERF_COUNTER_MULTI_BASE",
			"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 16, must be 12, the CounterOffset of counter[0] plus 8",
		}},
		{"the number for the base would exceed 32 bits", []wire.Counter{counterOf(timer, 8, math.MaxUint32-7), counterOf(components, 8, 8)}, nil, []string{
			"ctr-offset-range counter[0].CounterOffset: CounterOffset is 4294967288, must be at most 4294967136, so that the 8 bytes at this offset are inside the longest possible counter block, which has 4294967144 bytes",
			"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 8, must be the CounterOffset of counter[0] plus 8",
		}},
		{"the value of the base starts inside another value, which a base of a multi counter cannot share", []wire.Counter{counterOf(timer, 8, 8), counterOf(components, 8, 28), counterOf(large, 8, 24)}, nil, []string{
			"ctr-offset-align counter[1].CounterOffset: CounterOffset is 28, must be a multiple of 8, the CounterSize",
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 28, must not be inside the value of counter[2]",
			"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 28, must be 16, the CounterOffset of counter[0] plus 8",
		}},
		{"the offset is checked for every base of a multi counter without a name", []wire.Counter{counterOf(timer|layout.PERF_DELTA_BASE, 8, 8), counterOf(base, 4, 24)}, nil, []string{"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 24, must be 16, the CounterOffset of counter[0] plus 8"}},
		{"the offset of a wrong base is not checked", []wire.Counter{counterOf(timer, 8, 8), counterOf(base, 4, 24)}, nil, []string{"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_RAW_BASE, must be PERF_COUNTER_MULTI_BASE after a PERF_100NSEC_MULTI_TIMER"}},
		{"the base is not compared with a value whose CounterOffset is invalid", []wire.Counter{counterOf(timer, 8, 0), counterOf(components, 8, 16)}, nil, []string{"ctr-offset-min counter[0].CounterOffset: CounterOffset is 0, must be at least 8, the first multiple of CounterSize after ByteLength of the counter block"}},
		{"a base whose CounterOffset is invalid has only that finding", []wire.Counter{counterOf(timer, 8, 8), counterOf(components, 8, 0)}, nil, []string{"ctr-offset-min counter[1].CounterOffset: CounterOffset is 0, must be at least 8, the first multiple of CounterSize after ByteLength of the counter block"}},
	})
}

// TestBaseTitles checks that the titles of a base are 0 or the titles of its counter.
func TestBaseTitles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason             string
		counter            layout.CounterType
		name, help         uint32 // of the counter
		baseName, baseHelp uint32
		want               []string
	}{
		{"the base has no titles", layout.PERF_RAW_FRACTION, 4002, 4003, 0, 0, nil},
		{"the base has the titles of its counter", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 4003, nil},
		{"the base has only the name title of its counter", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 0, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 0, must be 4003, the CounterHelpTitleIndex of counter[0]"}},
		{"the base has only the help title of its counter", layout.PERF_RAW_FRACTION, 4002, 4003, 0, 4003, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 4003, must be 0, because CounterNameTitleIndex is 0"}},
		{"the base has another help title", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 4005, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 4005, must be 4003, the CounterHelpTitleIndex of counter[0]"}},
		{"the help title is even, and only ctr-base-titles reports it", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 4004, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 4004, must be 4003, the CounterHelpTitleIndex of counter[0]"}},
		{"the base has another name title", layout.PERF_RAW_FRACTION, 4002, 4003, 4004, 4003, []string{"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002, the CounterNameTitleIndex of counter[0]"}},
		{"both titles differ, which is one finding", layout.PERF_RAW_FRACTION, 4002, 4003, 4004, 4005, []string{"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002, the CounterNameTitleIndex of counter[0]"}},
		{"the titles of a base of the wrong type are checked too", layout.PERF_SAMPLE_FRACTION, 4002, 4003, 4004, 4003, []string{
			"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002, the CounterNameTitleIndex of counter[0]",
			"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_RAW_BASE, must be PERF_SAMPLE_BASE after a PERF_SAMPLE_FRACTION",
		}},
		{"the titles of a base that follows no fraction are not checked", raw, 4002, 4003, 4004, 4005, []string{"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that uses this base, but follows a PERF_COUNTER_RAWCOUNT"}},
		{"the titles of a base that is the first counter are not checked", layout.PERF_RAW_BASE, 4002, 4003, 4002, 4003, []string{
			"ctr-base-first counter[0].CounterType: CounterType is PERF_RAW_BASE, must follow the counter that uses this base",
			"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that uses this base, but follows a PERF_RAW_BASE",
		}},
	} {
		counters := counterSequence(row.counter, layout.PERF_RAW_BASE)
		counters[0].CounterNameTitleIndex, counters[0].CounterHelpTitleIndex = row.name, row.help
		counters[1].CounterNameTitleIndex, counters[1].CounterHelpTitleIndex = row.baseName, row.baseHelp
		expectOfCounters(t, row.reason, withBlocks(counters), validate.Context{}, row.want...)
	}
}
