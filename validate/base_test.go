package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// counterSequence returns counters of those types. Each value follows the one before it.
func counterSequence(types ...layout.CounterType) []wire.CounterDefinition {
	var counters []wire.CounterDefinition
	for i, typ := range types {
		width, _ := typ.Width()
		counters = append(counters, counterOf(typ, width, 8+8*uint32(i)))
	}
	return counters
}

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
		{"a fraction and its base", counterSequence(fraction, base), nil, nil},
		{"a fraction at the end", counterSequence(raw, fraction), nil, []string{"ctr-base-missing counter[1].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"a fraction without a base after it", counterSequence(fraction, raw), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"the base of the second of two", counterSequence(fraction, fraction, base), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"a timer of precision is no base, though it has the bits of one", counterSequence(fraction, layout.PERF_PRECISION_100NS_TIMER, layout.PERF_PRECISION_TIMESTAMP), nil,
			[]string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_RAW_FRACTION, must be followed by the definition of a PERF_RAW_BASE"}},
		{"a timer of precision", counterSequence(layout.PERF_PRECISION_SYSTEM_TIMER), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is PERF_PRECISION_SYSTEM_TIMER, must be followed by the definition of a PERF_LARGE_RAW_BASE"}},
		{"of a type without a name no base is known", counterSequence(unnamed), nil, []string{"ctr-base-missing counter[0].CounterType: CounterType is 0x20120400, must be followed by the definition of a base"}},
		{"and any will do", counterSequence(unnamed, layout.PERF_SAMPLE_BASE), nil, nil},
		{"of several components, without a name", counterSequence(unnamed | layout.PERF_MULTI_COUNTER), nil, []string{"ctr-base-missing-multi counter[0].CounterType: CounterType is 0x22120400, must be followed by the definition of a base"}},
		{"a histogram needs none", counterSequence(fraction | 0x80000000), nil, nil},
		{"a sample needs none", counterSequence(layout.PERF_SAMPLE_COUNTER, raw), nil, nil},
		{"and takes one", counterSequence(layout.PERF_SAMPLE_COUNTER, layout.PERF_SAMPLE_BASE), nil, nil},
		{"but no other", counterSequence(layout.PERF_SAMPLE_COUNTER, base), nil, []string{"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that takes it as its base, which PERF_SAMPLE_COUNTER does not"}},
		{"another base of the same width", counterSequence(fraction, layout.PERF_AVERAGE_BASE), nil, []string{"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_AVERAGE_BASE, must be PERF_RAW_BASE after a PERF_RAW_FRACTION"}},
		{"a base of one component", counterSequence(timer, layout.PERF_LARGE_RAW_BASE), nil, []string{"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_LARGE_RAW_BASE, must be PERF_COUNTER_MULTI_BASE after a PERF_100NSEC_MULTI_TIMER"}},
		{"two bases", counterSequence(fraction, base, base), nil, []string{"ctr-base-orphan counter[2].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that takes it as its base, which PERF_RAW_BASE does not"}},
		{"the first, and one after it", counterSequence(base, base), nil, []string{
			"ctr-base-first counter[0].CounterType: CounterType is PERF_RAW_BASE, must follow the counter that it is the base of",
			"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that takes it as its base, which PERF_RAW_BASE does not",
		}},
		{"several components", counterSequence(timer, components), []uint32{24}, nil},
		{"without a base, and with the room", counterSequence(timer), []uint32{24}, []string{"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE"}},
		{"with the least room", counterSequence(timer), []uint32{24, 20}, []string{"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE"}},
		{"in one block without", counterSequence(timer), []uint32{24, 16}, []string{
			"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE",
			"ctr-multi-adjacent counter[0].CounterOffset: CounterOffset is 8, must be at most 4, so that 12 bytes fit into the 16 of object[0].instance[1].block",
		}},
		{"the value itself is outside", counterSequence(timer), []uint32{8}, []string{
			"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE",
			"ctr-offset-range counter[0].CounterOffset: CounterOffset is 8, must have 8 bytes after it: the 8 of object[0].instance[0].block are too few",
		}},
		{"the value is where none can be", []wire.CounterDefinition{counterOf(timer, 8, 0)}, []uint32{8}, []string{
			"ctr-base-missing-multi counter[0].CounterType: CounterType is PERF_100NSEC_MULTI_TIMER, must be followed by the definition of a PERF_COUNTER_MULTI_BASE",
			"ctr-offset-min counter[0].CounterOffset: CounterOffset is 0, must be at least 4, after the block's ByteLength",
		}},
		{"a base of several components is checked as a base", counterSequence(raw, components), []uint32{24}, []string{"ctr-base-orphan counter[1].CounterType: CounterType is PERF_COUNTER_MULTI_BASE, must follow a counter that takes it as its base, which PERF_COUNTER_RAWCOUNT does not"}},
		{"no matter where the base is", counterSequence(fraction, base), nil, nil},
		{"the base a step too far", []wire.CounterDefinition{counterOf(timer, 8, 8), counterOf(components, 8, 24)}, nil, []string{"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 24, must be 16, 8 bytes after that of counter[0]"}},
		{"any base of a type without a name", []wire.CounterDefinition{counterOf(timer|layout.PERF_DELTA_BASE, 8, 8), counterOf(base, 4, 24)}, nil, []string{"ctr-multi-base-place counter[1].CounterOffset: CounterOffset is 24, must be 16, 8 bytes after that of counter[0]"}},
		{"the wrong base has no place", []wire.CounterDefinition{counterOf(timer, 8, 8), counterOf(base, 4, 24)}, nil, []string{"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_RAW_BASE, must be PERF_COUNTER_MULTI_BASE after a PERF_100NSEC_MULTI_TIMER"}},
		{"neither has a counter that has none", []wire.CounterDefinition{counterOf(timer, 8, 0), counterOf(components, 8, 16)}, nil, []string{"ctr-offset-min counter[0].CounterOffset: CounterOffset is 0, must be at least 4, after the block's ByteLength"}},
		{"nor a base that has none", []wire.CounterDefinition{counterOf(timer, 8, 8), counterOf(components, 8, 0)}, nil, []string{"ctr-offset-min counter[1].CounterOffset: CounterOffset is 0, must be at least 4, after the block's ByteLength"}},
	})
}

func TestBaseTitles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason             string
		counter            layout.CounterType
		name, help         uint32 // of the counter
		baseName, baseHelp uint32
		want               []string
	}{
		{"none", layout.PERF_RAW_FRACTION, 4002, 4003, 0, 0, nil},
		{"those of the counter", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 4003, nil},
		{"the name alone", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 0, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 0, must be 4003, as counter[0] has"}},
		{"the help text alone", layout.PERF_RAW_FRACTION, 4002, 4003, 0, 4003, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 4003, must be 0, as CounterNameTitleIndex is 0"}},
		{"another help text", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 4005, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 4005, must be 4003, as counter[0] has"}},
		{"a name index where a help index belongs, which only one rule reports", layout.PERF_RAW_FRACTION, 4002, 4003, 4002, 4004, []string{"ctr-base-titles counter[1].CounterHelpTitleIndex: CounterHelpTitleIndex is 4004, must be 4003, as counter[0] has"}},
		{"another name", layout.PERF_RAW_FRACTION, 4002, 4003, 4004, 4003, []string{"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002 as counter[0] has"}},
		{"both differ: one finding", layout.PERF_RAW_FRACTION, 4002, 4003, 4004, 4005, []string{"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002 as counter[0] has"}},
		{"of a wrong base too", layout.PERF_SAMPLE_FRACTION, 4002, 4003, 4004, 4003, []string{
			"ctr-base-titles counter[1].CounterNameTitleIndex: CounterNameTitleIndex is 4004, must be 0, or 4002 as counter[0] has",
			"ctr-base-mismatch counter[1].CounterType: CounterType is PERF_RAW_BASE, must be PERF_SAMPLE_BASE after a PERF_SAMPLE_FRACTION",
		}},
		{"not of one that is out of place", raw, 4002, 4003, 4004, 4005, []string{"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that takes it as its base, which PERF_COUNTER_RAWCOUNT does not"}},
		{"not of the first", layout.PERF_RAW_BASE, 4002, 4003, 4002, 4003, []string{
			"ctr-base-first counter[0].CounterType: CounterType is PERF_RAW_BASE, must follow the counter that it is the base of",
			"ctr-base-orphan counter[1].CounterType: CounterType is PERF_RAW_BASE, must follow a counter that takes it as its base, which PERF_RAW_BASE does not",
		}},
	} {
		counters := counterSequence(row.counter, layout.PERF_RAW_BASE)
		counters[0].CounterNameTitleIndex, counters[0].CounterHelpTitleIndex = row.name, row.help
		counters[1].CounterNameTitleIndex, counters[1].CounterHelpTitleIndex = row.baseName, row.baseHelp
		got := counterFindings(withBlocks(counters), validate.Context{})
		if diff := cmp.Diff(row.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}
