package validate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// paired are valid counters of many types with their bases.
var paired = func() []wire.CounterDefinition {
	var list []wire.CounterDefinition
	at := uint32(8)
	for i, t := range []layout.CounterType{
		layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT,
		layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE, layout.PERF_ELAPSED_TIME,
		layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_MULTI_BASE, layout.PERF_AVERAGE_BULK, layout.PERF_AVERAGE_BASE,
		layout.PERF_100NSEC_TIMER,
	} {
		width, _ := t.Width()
		at = (at + width - 1) / width * width
		c := wire.CounterDefinition{
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

// blockWithBases returns a data block with an object of the paired counters. Its two instances
// have counter blocks of room bytes.
func blockWithBases(room uint32) []byte {
	head := object4000
	head.PerfTime, head.PerfFreq = 1, 1
	return dataBlockBytes(appendObject(nil, head, paired, []testInstance{{id: 1, block: room}, {id: 2, block: room}}), 1, 0)
}

const (
	definitionsAt = 88 + 64 // offset of the counter definitions in the data block
	blockSize     = 80
)

// TestScanPassesCounters has plain counters. Where the blocks have no room for the values, later
// rules report that.
func TestScanPassesCounters(t *testing.T) {
	t.Parallel()
	p := newPair(t, validate.Options{})
	if r := p.same(layout.DataBlockKind, blockWithBases(blockSize), validate.Context{}); len(r.Findings) > 0 || p.defined != [2]int{0, len(paired)} {
		t.Fatalf("the rules checked %d counters with the scan and %d without it, and found %v", p.defined[0], p.defined[1], r.Err(validate.Info))
	}
	for room := uint32(8); room < blockSize; room += 8 {
		if r := p.same(layout.DataBlockKind, blockWithBases(room), validate.Context{}); len(r.Findings) == 0 {
			t.Errorf("blocks of %d bytes are too short: no finding", room)
		}
	}
	if p.defined[0] != 0 {
		t.Errorf("the rules checked %d counters, must be 0", p.defined[0])
	}
}

// TestScanChecksCountersInARow deletes, swaps, repeats and changes counters.
func TestScanChecksCountersInARow(t *testing.T) {
	t.Parallel()
	p := newPair(t, validate.Options{})
	r := rand.New(rand.NewPCG(8, 9))
	clean := 0
	for range 5000 {
		list := slices.Clone(paired)
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
		if len(p.same(layout.ObjectsKind, appendObject(nil, head, list, []testInstance{{id: 1, block: blockSize}}), validate.Context{}).Findings) == 0 {
			clean++
		}
	}
	if t.Logf("%d blocks are clean", clean); clean < 20 {
		t.Error("too few changes leave the block valid")
	}
}

// TestScanChecksTheBaseOfAMultiCounter moves the base of a multi counter to other offsets.
func TestScanChecksTheBaseOfAMultiCounter(t *testing.T) {
	t.Parallel()
	p := newPair(t, validate.Options{})
	for at := uint32(0); at < 64; at += 4 {
		list := slices.Clone(paired[6:8])
		list[0].CounterOffset, list[1].CounterOffset = 8, at
		head := object4000
		r := p.same(layout.ObjectsKind, appendObject(nil, head, list, []testInstance{{id: 1, block: 72}}), validate.Context{})
		if at >= 4 && slices.ContainsFunc(r.Findings, func(f validate.Finding) bool { return f.Rule.Name == "ctr-multi-base-place" }) != (at != 16) {
			t.Errorf("at %d: %v", at, r.Err(validate.Info))
		}
	}
}
