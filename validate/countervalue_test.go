package validate_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const (
	raw     = layout.PERF_COUNTER_RAWCOUNT
	large   = layout.PERF_COUNTER_LARGE_RAWCOUNT
	average = layout.PERF_AVERAGE_TIMER
	label   = layout.PERF_COUNTER_NODATA
	words   = layout.PERF_COUNTER_TEXT
)

// counterOf returns a counter definition with the given type, size and offset. Its other fields are
// valid.
func counterOf(t layout.CounterType, size, offset uint32) wire.Counter {
	return wire.Counter{CounterType: t, CounterSize: size, CounterOffset: offset, DetailLevel: layout.PERF_DETAIL_NOVICE}
}

// withTitles sets a different title for each counter that is not a base.
func withTitles(counters []wire.Counter) []wire.Counter {
	counters = slices.Clone(counters)
	for i := range counters {
		if c := &counters[i]; !c.CounterType.IsBase() {
			c.CounterNameTitleIndex = 4002 + 2*uint32(i)
			c.CounterHelpTitleIndex = c.CounterNameTitleIndex + 1
		}
	}
	return counters
}

// withBlocks returns an object with the given counters and len(lengths) instances. lengths[i] is the
// length of the counter block of instance i.
func withBlocks(counters []wire.Counter, lengths ...uint32) []byte {
	var instances []testInstance
	for i, n := range lengths {
		in := namedInstance(terminated(text16(fmt.Sprint("n", i)), 0))
		in.block = n
		instances = append(instances, in)
	}
	return appendObject(nil, object4000, counters, instances)
}

// expectOfCounters compares the findings of the rules PERF1307 to PERF1332 with the expected texts.
// Each text has the rule, the path inside the object and the message.
func expectOfCounters(t *testing.T, reason string, b []byte, ctx validate.Context, want ...string) {
	t.Helper()
	var found []string
	for _, f := range validate.Bytes(layout.ObjectsKind, b, ctx).Findings {
		if f.Rule.ID >= "PERF1307" && f.Rule.ID <= "PERF1332" {
			found = append(found, fmt.Sprintf("%s %s: %s", f.Rule.Name, f.Path.String()[len("object[0]."):], f.Message()))
		}
	}
	if diff := cmp.Diff(want, found, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

// A counterRow has the counters of an object, the lengths of the counter blocks and the expected
// findings.
type counterRow struct {
	reason   string
	counters []wire.Counter
	blocks   []uint32
	want     []string
}

func checkCounterRows(t *testing.T, rows []counterRow) {
	t.Helper()
	for _, r := range rows {
		expectOfCounters(t, r.reason, withBlocks(withTitles(r.counters), r.blocks...), validate.Context{}, r.want...)
	}
}

// TestCounterSizes checks CounterSize against the width of CounterType.
func TestCounterSizes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		typ    layout.CounterType
		size   uint32
		want   string
		reason string
	}{
		{raw, 4, "", "4 is the width of the type"},
		{raw, 8, "ctr-size-type-mismatch counter[0].CounterSize: CounterSize is 8, must be 4, the width of PERF_COUNTER_RAWCOUNT", "8 is wider than the type"},
		{large, 8, "", "8 is the width of the type"},
		{large, 4, "ctr-size-type-mismatch counter[0].CounterSize: CounterSize is 4, must be 8, the width of PERF_COUNTER_LARGE_RAWCOUNT", "4 is narrower than the type"},
		{raw, 0, "ctr-size-domain counter[0].CounterSize: CounterSize is 0, must be 4, the width of PERF_COUNTER_RAWCOUNT", "a number has at least 4 bytes"},
		{raw, 5, "ctr-size-domain counter[0].CounterSize: CounterSize is 5, must be 4, the width of PERF_COUNTER_RAWCOUNT", "5 is neither 4 nor 8"},
		{large, 7, "ctr-size-domain counter[0].CounterSize: CounterSize is 7, must be 8, the width of PERF_COUNTER_LARGE_RAWCOUNT", "7 is neither 4 nor 8"},
		{large, 9, "ctr-size-domain counter[0].CounterSize: CounterSize is 9, must be 8, the width of PERF_COUNTER_LARGE_RAWCOUNT", "9 is neither 4 nor 8"},
		{0x00310C00, 3, "ctr-size-domain counter[0].CounterSize: CounterSize is 3, must be 4, the width of 0x00310c00", "the size bits make the type a number"},
		{label, 0, "", "PERF_COUNTER_NODATA has no value"},
		{label, 1, "ctr-size-nodata counter[0].CounterSize: CounterSize is 1, must be 0, because PERF_COUNTER_NODATA has no value", "a size of 1 for a type without a value"},
		{layout.PERF_SIZE_ZERO, 8, "ctr-size-nodata counter[0].CounterSize: CounterSize is 8, must be 0, because 0x00000200 has no value", "a type with PERF_SIZE_ZERO has no value"},
		{words, 5, "", "a text may have any size"},
	} {
		var want []string
		if row.want != "" {
			want = []string{row.want}
		}
		checkCounterRows(t, []counterRow{{fmt.Sprintf("%v of %d bytes: %s", row.typ, row.size, row.reason), []wire.Counter{counterOf(row.typ, row.size, 8)}, []uint32{24}, want}})
	}
	base := counterOf(layout.PERF_AVERAGE_BASE, 4, 16)
	checkCounterRows(t, []counterRow{
		{"a PERF_AVERAGE_TIMER may have 4 bytes", []wire.Counter{counterOf(average, 4, 8), base}, []uint32{24}, nil},
		{"another rule reports a PERF_AVERAGE_TIMER of 8 bytes", []wire.Counter{counterOf(average, 8, 8), base}, []uint32{24},
			[]string{"ctr-size-average-timer counter[0].CounterSize: CounterSize is 8, must be 4, the width of PERF_AVERAGE_TIMER"}},
		{"a PERF_AVERAGE_TIMER must not have 2 bytes", []wire.Counter{counterOf(average, 2, 8), base}, []uint32{24},
			[]string{"ctr-size-domain counter[0].CounterSize: CounterSize is 2, must be 4, the width of PERF_AVERAGE_TIMER"}},
	})
}

// TestCounterOffsets checks that CounterOffset is aligned and that the value is inside the
// counter block.
func TestCounterOffsets(t *testing.T) {
	t.Parallel()
	one := func(typ layout.CounterType, size, offset uint32) []wire.Counter {
		return []wire.Counter{counterOf(typ, size, offset)}
	}
	checkCounterRows(t, []counterRow{
		{"the value follows ByteLength", one(raw, 4, 4), []uint32{8}, nil},
		{"the value starts in the last byte of ByteLength", one(raw, 4, 3), []uint32{8}, []string{"ctr-offset-min counter[0].CounterOffset: CounterOffset is 3, must be at least 4, the offset after ByteLength of the counter block"}},
		{"the value starts at ByteLength", one(large, 8, 0), []uint32{8}, []string{"ctr-offset-min counter[0].CounterOffset: CounterOffset is 0, must be at least 8, the first multiple of CounterSize after ByteLength of the counter block"}},
		{"the value starts in ByteLength and ends after the block", one(large, 8, 3), []uint32{8}, []string{"ctr-offset-min counter[0].CounterOffset: CounterOffset is 3, must be at least 8, the first multiple of CounterSize after ByteLength of the counter block"}},
		{"the value of 4 bytes ends after the block", one(raw, 4, 8), []uint32{8}, []string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 8, must be at most 4, so that the 4 bytes at this offset are inside object[0].instance[0].block, which has 8 bytes"}},
		{"the value is longer than the block", one(large, 8, 8), []uint32{8}, []string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 8, must leave space for 8 bytes, but object[0].instance[0].block has only 8 bytes"}},
		{"the finding names the first of the shortest blocks", one(large, 8, 16), []uint32{24, 16, 32, 16}, []string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 16, must be at most 8, so that the 8 bytes at this offset are inside object[0].instance[1].block, which has 16 bytes"}},
		{"a label without bytes may be at the end of the block", one(label, 0, 8), []uint32{8}, nil},
		{"a label without bytes must not be after the end of the block", one(label, 0, 9), []uint32{8}, []string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 9, must be at most 8, so that the 0 bytes at this offset are inside object[0].instance[0].block, which has 8 bytes"}},
		{"there is no block, and the value ends with the longest block that TotalByteLength allows", one(large, 8, math.MaxUint32-15-104), nil, nil},
		{"there is no block, and the value ends after the longest block that TotalByteLength allows", one(large, 8, math.MaxUint32-7-104), nil, []string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 4294967184, must be at most 4294967176, so that the 8 bytes at this offset are inside the longest possible counter block, which has 4294967184 bytes"}},
		{"the offset of a value of 8 bytes is a multiple of 4, but not of 8", one(large, 8, 12), []uint32{24}, []string{"ctr-offset-align counter[0].CounterOffset: CounterOffset is 12, must be a multiple of 8, the CounterSize"}},
		{"the offset of a value of 4 bytes is a multiple of 2, but not of 4", one(raw, 4, 6), []uint32{16}, []string{"ctr-offset-align counter[0].CounterOffset: CounterOffset is 6, must be a multiple of 4, the CounterSize"}},
		{"the alignment depends on CounterSize, not on the type", one(large, 4, 12), []uint32{16}, []string{"ctr-size-type-mismatch counter[0].CounterSize: CounterSize is 4, must be 8, the width of PERF_COUNTER_LARGE_RAWCOUNT"}},
		{"the alignment is not checked if CounterSize is invalid", one(raw, 3, 7), []uint32{16}, []string{"ctr-size-domain counter[0].CounterSize: CounterSize is 3, must be 4, the width of PERF_COUNTER_RAWCOUNT"}},
	})
}

// TestCounterTexts checks that the texts in counter blocks end inside the blocks.
func TestCounterTexts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason   string
		counters []wire.Counter
		lengths  map[uint32]uint32 // length of the text at each offset in the second counter block, which has 16 bytes
		want     []string
	}{
		{"the text ends with the block", []wire.Counter{counterOf(words, 4, 4)}, map[uint32]uint32{4: 8}, nil},
		{"the text ends one byte after the block", []wire.Counter{counterOf(words, 4, 4)}, map[uint32]uint32{4: 9},
			[]string{"ctr-text-length instance[1].block.value[0]: the length of the text is 9, must be at most 8, the number of bytes up to the end of the block"}},
		{"the sum of offset and length exceeds 32 bits", []wire.Counter{counterOf(words, 4, 4)}, map[uint32]uint32{4: math.MaxUint32},
			[]string{"ctr-text-length instance[1].block.value[0]: the length of the text is 4294967295, must be at most 8, the number of bytes up to the end of the block"}},
		{"an empty text may be at the end of the block", []wire.Counter{counterOf(words, 4, 12)}, nil, nil},
		{"another rule reports a CounterSize that is too large", []wire.Counter{counterOf(words, 13, 4)}, map[uint32]uint32{4: 8},
			[]string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 4, must leave space for 13 bytes, but object[0].instance[0].block has only 16 bytes"}},
		{"CounterSize and the length of the text are both too large", []wire.Counter{counterOf(words, 12, 8)}, map[uint32]uint32{8: 5}, []string{
			"ctr-offset-range counter[0].CounterOffset: CounterOffset is 8, must be at most 4, so that the 12 bytes at this offset are inside object[0].instance[0].block, which has 16 bytes",
			"ctr-text-length instance[1].block.value[0]: the length of the text is 5, must be at most 4, the number of bytes up to the end of the block",
		}},
		{"the block ends in the length of the text, and CounterSize is 4", []wire.Counter{counterOf(words, 4, 13)}, nil,
			[]string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 13, must be at most 12, so that the 4 bytes at this offset are inside object[0].instance[0].block, which has 16 bytes"}},
		{"the block ends in the length of the text, and CounterSize is 3", []wire.Counter{counterOf(words, 3, 13)}, nil, []string{
			"ctr-text-length instance[0].block.value[0]: the value has 3 bytes up to the end of the block, must start with a length of 4 bytes",
			"ctr-text-length instance[1].block.value[0]: the value has 3 bytes up to the end of the block, must start with a length of 4 bytes",
		}},
		{"the block ends before the length of the text", []wire.Counter{counterOf(words, 0, 16)}, nil, []string{
			"ctr-text-length instance[0].block.value[0]: the value has 0 bytes up to the end of the block, must start with a length of 4 bytes",
			"ctr-text-length instance[1].block.value[0]: the value has 0 bytes up to the end of the block, must start with a length of 4 bytes",
		}},
		{"CounterOffset is after the block", []wire.Counter{counterOf(words, 0, 17)}, nil,
			[]string{"ctr-offset-range counter[0].CounterOffset: CounterOffset is 17, must be at most 16, so that the 0 bytes at this offset are inside object[0].instance[0].block, which has 16 bytes"}},
		{"an offset inside ByteLength is not read as a text, and the other texts are checked", []wire.Counter{counterOf(words, 4, 8), counterOf(words, 1, 3)}, map[uint32]uint32{4: 9, 8: 5}, []string{
			"ctr-offset-min counter[1].CounterOffset: CounterOffset is 3, must be at least 4, the offset after ByteLength of the counter block",
			"ctr-text-length instance[1].block.value[0]: the length of the text is 5, must be at most 4, the number of bytes up to the end of the block",
		}},
		{"a number is not a text", []wire.Counter{counterOf(raw, 4, 4)}, map[uint32]uint32{4: 9}, nil},
	} {
		b := withBlocks(withTitles(row.counters), 16, 16)
		for off, n := range row.lengths {
			binary.LittleEndian.PutUint32(b[len(b)-16+int(off):], n)
		}
		expectOfCounters(t, row.reason, b, validate.Context{}, row.want...)
	}
}

// TestCounterOverlap checks values that overlap. Values that start at the same offset are valid.
func TestCounterOverlap(t *testing.T) {
	t.Parallel()
	const variable = layout.PERF_SIZE_VARIABLE_LEN
	checkCounterRows(t, []counterRow{
		{"the values follow each other", []wire.Counter{counterOf(large, 8, 8), counterOf(raw, 4, 16), counterOf(large, 8, 24)}, nil, nil},
		{"the order of the values may be reversed", []wire.Counter{counterOf(large, 8, 24), counterOf(raw, 4, 16), counterOf(large, 8, 8)}, nil, nil},
		{"three values may have the same offset", []wire.Counter{counterOf(large, 8, 8), counterOf(large, 8, 8), counterOf(large, 8, 8)}, nil, nil},
		{"values of 4 and 8 bytes may have the same offset", []wire.Counter{counterOf(raw, 4, 8), counterOf(large, 8, 8)}, nil, nil},
		{"the second value is the second half of the first", []wire.Counter{counterOf(large, 8, 8), counterOf(raw, 4, 12)}, nil,
			[]string{"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[0], or at least 16 to start after this value"}},
		{"the first value is the second half of the second", []wire.Counter{counterOf(raw, 4, 12), counterOf(large, 8, 8)}, nil,
			[]string{"ctr-overlap-partial counter[0].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[1], or at least 16 to start after this value"}},
		{"the finding names the longer of two values at the same offset", []wire.Counter{counterOf(raw, 4, 8), counterOf(large, 8, 8), counterOf(raw, 4, 12)}, nil,
			[]string{"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[1], or at least 16 to start after this value"}},
		{"the finding names the first of two equal values", []wire.Counter{counterOf(large, 8, 8), counterOf(large, 8, 8), counterOf(raw, 4, 12)}, nil,
			[]string{"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[0], or at least 16 to start after this value"}},
		{"a value of 16 bytes overlaps two other values", []wire.Counter{counterOf(variable, 16, 8), counterOf(raw, 4, 12), counterOf(raw, 4, 20), counterOf(raw, 4, 24)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[0], or at least 24 to start after this value",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 20, must be 8 to share the value of counter[0], or at least 24 to start after this value",
		}},
		{"two values at the same offset are inside a third value", []wire.Counter{counterOf(variable, 16, 8), counterOf(raw, 4, 12), counterOf(raw, 4, 12)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[0], or at least 24 to start after this value",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[0], or at least 24 to start after this value",
		}},
		{"the second value overlaps the first, and the third overlaps the second", []wire.Counter{counterOf(variable, 8, 8), counterOf(variable, 8, 12), counterOf(raw, 4, 16)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[0], or at least 16 to start after this value",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 16, must be at least 20 to start after the value of counter[1]",
		}},
		{"the offset of the first value is not a multiple of the CounterSize of the second", []wire.Counter{counterOf(raw, 4, 4), counterOf(large, 8, 6)}, nil, []string{
			"ctr-offset-align counter[1].CounterOffset: CounterOffset is 6, must be a multiple of 8, the CounterSize",
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 6, must be at least 8 to start after the value of counter[0]",
		}},
		{"the first value ends after the largest CounterOffset", []wire.Counter{counterOf(variable, math.MaxUint32, 8), counterOf(large, 8, 16)}, nil, []string{
			"ctr-offset-range counter[0].CounterOffset: CounterOffset is 8, must leave space for 4294967295 bytes, but the longest possible counter block has only 4294967144 bytes",
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 16, must be 8 to share the value of counter[0]",
		}},
		{"the first value ends after the largest CounterOffset, and its offset is not a multiple of 8", []wire.Counter{counterOf(variable, math.MaxUint32, 9), counterOf(large, 8, 16)}, nil, []string{
			"ctr-offset-range counter[0].CounterOffset: CounterOffset is 9, must leave space for 4294967295 bytes, but the longest possible counter block has only 4294967144 bytes",
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 16, must not be inside the value of counter[0]",
		}},
		{"two values end at the same offset, and the finding names the value that starts first", []wire.Counter{counterOf(variable, 12, 8), counterOf(variable, 8, 12), counterOf(raw, 4, 16)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8 to share the value of counter[0], or at least 20 to start after this value",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 16, must be 8 to share the value of counter[0], or at least 20 to start after this value",
		}},
		{"values without bytes are inside another value", []wire.Counter{counterOf(variable, 8, 8), counterOf(variable, 0, 12), counterOf(label, 0, 12)}, nil, nil},
		{"a value without bytes precedes another", []wire.Counter{counterOf(variable, 0, 8), counterOf(raw, 4, 12)}, nil, nil},
		{"a value with an invalid CounterSize is not compared", []wire.Counter{counterOf(raw, 100, 8), counterOf(raw, 4, 12)}, nil,
			[]string{"ctr-size-domain counter[0].CounterSize: CounterSize is 100, must be 4, the width of PERF_COUNTER_RAWCOUNT"}},
		{"a label is not compared", []wire.Counter{counterOf(label, 100, 8), counterOf(raw, 4, 12)}, nil,
			[]string{"ctr-size-nodata counter[0].CounterSize: CounterSize is 100, must be 0, because PERF_COUNTER_NODATA has no value"}},
		{"a value with an invalid CounterOffset is not compared", []wire.Counter{counterOf(large, 8, 0), counterOf(raw, 4, 4)}, nil,
			[]string{"ctr-offset-min counter[0].CounterOffset: CounterOffset is 0, must be at least 8, the first multiple of CounterSize after ByteLength of the counter block"}},
	})
}

// TestOverlapReusesMemory checks that validation does not allocate more often if the CounterOffsets are
// not in order. The rule ctr-overlap-partial then sorts the counters.
func TestOverlapReusesMemory(t *testing.T) {
	allocations := func(place func(i uint32) uint32) float64 {
		var counters []wire.Counter
		for i := range uint32(500) {
			counters = append(counters, counterOf(raw, 4, 4+4*place(i)))
		}
		b := withBlocks(withTitles(counters))
		v := newValidator(t, validate.Strict)
		if r := v.Bytes(layout.ObjectsKind, b, validate.Context{}); len(r.Findings) > 0 {
			t.Fatal(r.Findings)
		}
		return testing.AllocsPerRun(10, func() { v.Bytes(layout.ObjectsKind, b, validate.Context{}) })
	}
	inOrder := allocations(func(i uint32) uint32 { return i })
	outOfOrder := allocations(func(i uint32) uint32 { return 499 - i })
	if inOrder > 1 || outOfOrder > inOrder {
		t.Errorf("%v allocations in order, %v out of order", inOrder, outOfOrder)
	}
}
