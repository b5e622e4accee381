package builder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// The counters of the objects System and Processor in Windows 10, as title:help:type:size@offset(scale,detail).

const systemCounters = `
10:11:10410400:4@4(0,100) 12:13:10410400:4@8(0,100) 14:15:10410400:4@12(0,200) 16:17:10410500:8@16(-4,300)
18:19:10410500:8@24(-4,300) 20:21:10410500:8@32(-3,400) 146:147:10410400:4@40(-2,200) 150:151:10410400:4@44(-1,200)
406:407:10410400:4@48(0,100) 674:675:30240500:8@56(-5,100) 44:45:00010000:4@64(1,400) 248:249:00010000:4@68(1,400)
250:251:00010000:4@72(1,400) 686:687:10410400:4@76(0,400) 688:689:10410400:4@80(0,400) 690:691:10410400:4@84(0,400)
1350:1351:20020400:4@88(0,200) 1350:1351:40030403:4@92(0,200)`

const processorCounters = `
6:7:21510500:8@8(0,100) 142:143:20510500:8@16(0,200) 144:145:20510500:8@24(0,200) 148:149:10410400:4@32(-2,100)
696:339:20510500:8@40(0,200) 698:397:20510500:8@48(0,200) 1334:1335:10410400:4@56(0,200) 1336:1337:00010000:4@60(0,200)
1746:1747:20510500:8@64(0,400) 1748:1749:20510500:8@72(0,400) 1750:1751:20510500:8@80(0,400) 1752:1753:20510500:8@88(0,400)
1754:1755:10410500:8@96(0,400) 1756:1757:10410500:8@104(0,400) 1758:1759:10410500:8@112(0,400)`

// TestWindowsShapes checks that two workloads have the sizes, offsets and lengths of the blocks from Windows.
func TestWindowsShapes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		workload string
		counters string
		total    uint32
		block    uint32
		want     wire.Object
	}{
		{"tiny", systemCounters, 984, 96, wire.Object{
			TotalByteLength: 984 - 104, DefinitionLength: 64 + 18*40, HeaderLength: 64, ObjectNameTitleIndex: 2, ObjectHelpTitleIndex: 3,
			DetailLevel: 100, NumCounters: 18, DefaultCounter: 8, NumInstances: -1,
			// The object has a PERF_ELAPSED_TIME, so its PerfTime is the PerfTime100nSec of the data block.
			PerfTime: 132328100967890000, PerfFreq: 10_000_000,
		}},
		{"cpu", processorCounters, 2144, 120, wire.Object{
			TotalByteLength: 2144 - 104, DefinitionLength: 64 + 15*40, HeaderLength: 64, ObjectNameTitleIndex: 238, ObjectHelpTitleIndex: 239,
			DetailLevel: 100, NumCounters: 15, DefaultCounter: 0, NumInstances: 9,
		}},
	} {
		t.Run(test.workload, func(t *testing.T) {
			w, err := fuzz.FindWorkload(test.workload)
			if err != nil {
				t.Fatal(err)
			}
			b, err := w.Block().MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			d, err := layout.ReadDataBlock(b)
			if err != nil {
				t.Fatal(err)
			}
			if d.TotalByteLength() != test.total || d.HeaderLength() != 88+16 || d.SystemNameLength() != 16 || d.SystemNameOffset() != 88 || d.NumObjectTypes() != 1 {
				t.Errorf("header % x; want a total of %d and a name of 16 bytes", d.Bytes()[:layout.SizeofDataBlock], test.total)
			}
			for o := range d.Objects() {
				var got wire.Object
				got.Get(o.Bytes())
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("object (-want +got)\n%s", diff)
				}
				if diff := cmp.Diff(strings.Fields(test.counters), describeCounters(o)); diff != "" {
					t.Errorf("counters (-want +got)\n%s", diff)
				}
				checkBlocks(t, o, test.block)
			}
		})
	}
}

func describeCounters(o layout.Object) (rows []string) {
	for c := range o.Counters() {
		rows = append(rows, fmt.Sprintf("%d:%d:%08x:%d@%d(%d,%d)", c.CounterNameTitleIndex(), c.CounterHelpTitleIndex(), uint32(c.CounterType()),
			c.CounterSize(), c.CounterOffset(), c.DefaultScale(), uint32(c.DetailLevel())))
	}
	return rows
}

func checkBlocks(t *testing.T, o layout.Object, want uint32) {
	t.Helper()
	n := 0
	if block, err := o.Block(); o.NumInstances() == layout.PERF_NO_INSTANCES && (err != nil || block.ByteLength() != want) {
		t.Errorf("the block is of %d bytes, %v; want %d", block.Len(), err, want)
	}
	for in, err := range o.Instances() {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if block, err := in.Block(); err != nil || block.ByteLength() != want {
			t.Errorf("the block of instance %d is of %d bytes, %v; want %d", n-1, block.Len(), err, want)
		}
	}
	if n != max(0, int(o.NumInstances())) {
		t.Errorf("%d instances", n)
	}
}
