package validate_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// countersWithBases are valid counters of many types. A base follows each counter that requires one.
var countersWithBases = func() []wire.Counter {
	var list []wire.Counter
	at := uint32(8)
	for i, t := range []layout.CounterType{
		layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT,
		layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE, layout.PERF_ELAPSED_TIME,
		layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_MULTI_BASE, layout.PERF_AVERAGE_BULK, layout.PERF_AVERAGE_BASE,
		layout.PERF_100NSEC_TIMER,
	} {
		width, _ := t.Width()
		at = (at + width - 1) / width * width
		c := wire.Counter{
			CounterNameTitleIndex: uint32(4002 + 2*(i*7%11)), DetailLevel: layout.PERF_DETAIL_NOVICE, CounterType: t, CounterSize: width, CounterOffset: at,
		}
		c.CounterHelpTitleIndex = c.CounterNameTitleIndex + 1
		if t.IsBase() {
			c.CounterNameTitleIndex, c.CounterHelpTitleIndex = 0, 0
			if i%2 == 0 {
				c.CounterNameTitleIndex, c.CounterHelpTitleIndex = list[i-1].CounterNameTitleIndex, list[i-1].CounterHelpTitleIndex
			}
		}
		list = append(list, c)
		at += width
	}
	return list
}()

// blockWithBases returns a data block with the counters countersWithBases and two instances. Each
// counter block has blockLength bytes.
func blockWithBases(blockLength uint32) []byte {
	head := object4000
	head.PerfTime, head.PerfFreq = 1, 1
	return dataBlockBytes(appendObject(nil, head, countersWithBases, []testInstance{{id: 1, block: blockLength}, {id: 2, block: blockLength}}), 1, 0)
}

const (
	definitionsAt = 88 + 64 // offset of the counter definitions in the data block
	blockSize     = 80
)

// TestScanSkipsCounters checks that the scan skips all valid counters, even if a value does not fit
// into the counter blocks. The rules that report the value run after the blocks are read.
func TestScanSkipsCounters(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	if r := p.requireSame(layout.DataBlockKind, blockWithBases(blockSize), validate.Context{}); len(r.Findings) > 0 || p.defined != [2]int{0, len(countersWithBases)} {
		t.Fatalf("the rules checked %d counters with the scan and %d without it, and found %v", p.defined[0], p.defined[1], r.Err(validate.Info))
	}
	for room := uint32(8); room < blockSize; room += 8 {
		if r := p.requireSame(layout.DataBlockKind, blockWithBases(room), validate.Context{}); len(r.Findings) == 0 {
			t.Errorf("blocks of %d bytes are too short: no finding", room)
		}
	}
	if p.defined[0] != 0 {
		t.Errorf("the rules checked %d counters, must be 0", p.defined[0])
	}
}

// TestScanChecksConsecutiveCounters requires the same findings with and without the scan for random
// lists of counters.
func TestScanChecksConsecutiveCounters(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	r := rand.New(rand.NewPCG(8, 9))
	clean := 0
	for range long.Count(1500, 5000) {
		list := slices.Clone(countersWithBases)
		for range 1 + r.IntN(2) {
			switch i, k := r.IntN(len(list)), r.IntN(len(list)); r.IntN(5) {
			case 0:
				list = slices.Delete(list, i, i+1)
			case 1:
				list[i], list[k] = list[k], list[i]
			case 2:
				list = slices.Insert(list, i, list[k])
			case 3:
				list[i].CounterOffset = list[k].CounterOffset
			case 4:
				list[i].CounterNameTitleIndex, list[i].CounterHelpTitleIndex = list[k].CounterNameTitleIndex, list[k].CounterHelpTitleIndex
			}
		}
		head := object4000
		head.PerfTime, head.PerfFreq, head.DefaultCounter = 1, 1, []int32{0, -1, 4, 4006}[r.IntN(4)]
		if len(p.requireSame(layout.ObjectsKind, appendObject(nil, head, list, []testInstance{{id: 1, block: blockSize}}), validate.Context{}).Findings) == 0 {
			clean++
		}
	}
	if t.Logf("%d blocks are clean", clean); clean < 20 {
		t.Error("too few changes leave the block valid")
	}
}

// TestScanChecksTheBaseOfAMultiCounter checks that each offset of the base of a multi counter gives
// the same findings with the scan as without it.
func TestScanChecksTheBaseOfAMultiCounter(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	for at := uint32(0); at < 64; at += 4 {
		list := slices.Clone(countersWithBases[6:8])
		list[0].CounterOffset, list[1].CounterOffset = 8, at
		head := object4000
		r := p.requireSame(layout.ObjectsKind, appendObject(nil, head, list, []testInstance{{id: 1, block: 72}}), validate.Context{})
		if at >= 4 && slices.ContainsFunc(r.Findings, func(f validate.Finding) bool { return f.Rule.Name == "ctr-multi-base-place" }) != (at != 16) {
			t.Errorf("at %d: %v", at, r.Err(validate.Info))
		}
	}
}

// TestScanChecksEveryCounter requires the same findings with and without the scan. It writes numbers
// at and near the limits of the rules into fields of an object and of its counter definitions.
func TestScanChecksEveryCounter(t *testing.T) {
	t.Parallel()
	numbers := []uint32{0, 1, 2, 3, 4, 7, 8, 9, 12, 16, 24, 39, 40, 41, 48, 64, 100, 101, 200, 400, 500, 4000, 4002, 4003, 4004, 4010, 4011, 4022, 4023, 4024,
		1<<32 - 1, 1<<32 - 2, 1<<32 - 4, 1<<32 - 7, 1<<32 - 8, 1 << 31, 4002 + 2048, 4003 + 2048}
	for ty := range layout.CounterTypes() {
		numbers = append(numbers, uint32(ty), uint32(ty)|1<<12)
	}
	contexts := []validate.Context{{}, {FirstCounter: 4002, LastCounter: 4022}, {FirstCounter: 4004, LastCounter: 4020}, {FirstCounter: 4004, LastCounter: 2}}
	sound := blockWithBases(blockSize)
	p := newComparison(t, validate.Options{})
	clean, passed := 0, 0
	check := func(b []byte, ctx validate.Context) {
		before := p.defined[0]
		if len(p.requireSame(layout.DataBlockKind, b, ctx).Findings) == 0 {
			clean++
		}
		if p.defined[0] == before {
			passed++
		}
	}
	step, times := 4, long.Count(1500, 20_000)
	if testing.Short() {
		step, times = 12, 500 // with a step of 12 bytes, the loop changes each field in some counter
	}
	for at := 88; at < definitionsAt+40*len(countersWithBases); at += step {
		for i, n := range numbers {
			b := slices.Clone(sound)
			binary.LittleEndian.PutUint32(b[at:], n)
			check(b, contexts[i%len(contexts)])
		}
	}
	r := rand.New(rand.NewPCG(6, 7))
	for range times {
		b := slices.Clone(sound)
		for range 2 + r.IntN(2) {
			binary.LittleEndian.PutUint32(b[definitionsAt+4*r.IntN(10*len(countersWithBases)):], numbers[r.IntN(len(numbers))])
		}
		check(b, contexts[r.IntN(len(contexts))])
	}
	if t.Logf("%d blocks have no findings, in %d no rule checked a counter", clean, passed); clean < 100 || passed < 100 {
		t.Error("the numbers must include valid and invalid ones")
	}
}
