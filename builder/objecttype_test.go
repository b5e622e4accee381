package builder_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestLongestObject checks that TotalByteLength can be 2^32 - 8. The next multiple of 8 does not
// fit 32 bits.
func TestLongestObject(t *testing.T) {
	t.Parallel()
	if math.MaxInt < math.MaxUint32 {
		return // no slice is that long on a 32-bit system; TestRefused tests the limit there
	}
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Single(7)
	o.BlockLength = math.MaxUint32 - 7 - (64 + 40)
	if n, err := (builder.Objects{*o}).EncodedLen(); int64(n) != math.MaxUint32-7 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	o.BlockLength += 8
	if _, err := (builder.Objects{*o}).EncodedLen(); !errors.Is(err, builder.ErrTooLarge) {
		t.Errorf("8 bytes more: %v", err)
	}
}

// TestNil checks that Compile of a nil Object returns an error, and that Add of a nil Object or
// Result panics.
func TestNil(t *testing.T) {
	t.Parallel()
	_, object := (*builder.Object)(nil).Compile()
	if want := "the Object is nil, must be the object to compile"; !errors.Is(object, builder.ErrCount) || object.Error() != want {
		t.Errorf("%v, want %s", object, want)
	}
	for want, add := range map[string]func(){
		"builder: DataBlock.Add: the Object is nil": func() { new(builder.DataBlock{}).Add(builder.NewObject(2), nil) },
		"builder: QueryData.Add: the Result is nil": func() { new(builder.QueryData{}).Add(builder.CounterSet(), nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %s", got, want)
				}
			}()
			add()
		}()
	}
}

// transfer is an object of Microsoft's sample provider. The lengths, offsets and counts in
// transferBytes are from the documentation of the sample.
var transfer = builder.Object{
	ObjectNameTitleIndex: 4000,
	NumInstances:         layout.PERF_NO_INSTANCES,
	Counters: []builder.Counter{
		{CounterNameTitleIndex: 4002, CounterType: layout.PERF_COUNTER_RAWCOUNT},
		{CounterNameTitleIndex: 4004, CounterType: layout.PERF_RAW_FRACTION, DetailLevel: layout.PERF_DETAIL_ADVANCED},
		{CounterType: layout.PERF_RAW_BASE},
	},
	Values: []uint64{1, 2, 3},
}

const transferBytes = `
c8 00 00 00  b8 00 00 00  40 00 00 00   TotalByteLength 200, DefinitionLength 64 + 3 * 40 = 184, HeaderLength 64
a0 0f 00 00  00 00 00 00                name 4000, reserved
a1 0f 00 00  00 00 00 00                help 4001, reserved
64 00 00 00  03 00 00 00  00 00 00 00   NOVICE, 3 counters, DefaultCounter 0
ff ff ff ff  00 00 00 00                PERF_NO_INSTANCES, CodePage 0
00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00   PerfTime, PerfFreq: no counter asks for them

28 00 00 00  a2 0f 00 00  00 00 00 00  a3 0f 00 00  00 00 00 00   40 bytes, name 4002, help 4003
00 00 00 00  64 00 00 00  00 00 01 00  04 00 00 00  04 00 00 00   scale 0, NOVICE, type, 4 bytes at 4
28 00 00 00  a4 0f 00 00  00 00 00 00  a5 0f 00 00  00 00 00 00
00 00 00 00  c8 00 00 00  00 04 02 20  04 00 00 00  08 00 00 00   ADVANCED, 4 bytes at 8
28 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00   a base has no titles
00 00 00 00  00 00 00 00  03 04 03 40  04 00 00 00  0c 00 00 00   nor a level; 4 bytes at 12

10 00 00 00  01 00 00 00  02 00 00 00  03 00 00 00   ByteLength 4 + 3 * 4 = 16, the values
`

// peer is the second object of Microsoft's sample provider. It has two instances with names of 16
// WCHARs.
var peer = builder.Object{
	ObjectNameTitleIndex: 4006,
	Counters:             []builder.Counter{{CounterNameTitleIndex: 4008, CounterType: layout.PERF_COUNTER_RAWCOUNT}},
	Instances: []builder.Instance{
		{Name: "Peer1", ByteLength: 24 + 32, Values: []uint64{7}},
		{Name: "Ö", ByteLength: 24 + 32, UniqueID: new(int32(0)), Values: []uint64{0xFFFFFFFF}},
	},
}

const peerBytes = `
e8 00 00 00  68 00 00 00  40 00 00 00   TotalByteLength 104 + 2 * 64 = 232, DefinitionLength 104, HeaderLength 64
a6 0f 00 00  00 00 00 00
a7 0f 00 00  00 00 00 00
64 00 00 00  01 00 00 00  00 00 00 00
02 00 00 00  00 00 00 00                2 instances, CodePage 0
00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00

28 00 00 00  a8 0f 00 00  00 00 00 00  a9 0f 00 00  00 00 00 00
00 00 00 00  64 00 00 00  00 00 01 00  04 00 00 00  04 00 00 00

38 00 00 00  00 00 00 00  00 00 00 00  ff ff ff ff   ByteLength 56, no parent, PERF_NO_UNIQUE_ID
18 00 00 00  0c 00 00 00                             name at 24, 12 bytes: 5 characters and the NUL
50 00 65 00 65 00 72 00 31 00 00 00                  P e e r 1 NUL
00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
08 00 00 00  07 00 00 00                             the block: 8 bytes, the value

38 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00   UniqueID 0 is an identifier like any other
18 00 00 00  04 00 00 00
d6 00 00 00                                          Ö NUL
00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
08 00 00 00  ff ff ff ff
`

// TestSampleBytes checks that the objects of the sample encode to the documented bytes, and that
// the bytes decode to the same objects.
func TestSampleBytes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		object builder.Object
		bytes  string
		total  int
	}{
		{"Transfer", transfer, transferBytes, 200},
		{"Peer", peer, peerBytes, 232},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := hexBytes(t, test.bytes)
			if len(want) != test.total {
				t.Fatalf("%d bytes typed in, %d documented", len(want), test.total)
			}
			got, err := test.object.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("(-want +got)\n%s", cmp.Diff(hex.Dump(want), hex.Dump(got)))
			}
			var back builder.Objects
			if err := back.UnmarshalBinary(want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(builder.Objects{test.object}, back); diff != "" {
				t.Errorf("decoded (-want +got)\n%s", diff)
			}
		})
	}
}

// TestDecodeObjectClock checks that decoding sets a PerfTime to 0 only if it is the time of the data block, because
// encoding replaces 0 with this time.
func TestDecodeObjectClock(t *testing.T) {
	t.Parallel()
	for given, want := range map[int64]int64{9: 0, builder.DefaultTime: builder.DefaultTime} {
		o := builder.NewObject(2).WithBase(4, layout.PERF_PRECISION_OBJECT_TIMER)
		o.PerfTime = given
		b, err := builder.DataBlock{PerfTime100nSec: 9, Objects: []builder.Object{*o}}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got builder.DataBlock
		if err := got.UnmarshalBinary(b); err != nil || got.Objects[0].PerfTime != want {
			t.Errorf("PerfTime %d became %d, %v, want %d", given, got.Objects[0].PerfTime, err, want)
		}
		setField(t, b, "object[0].PerfTime", 0)
		if err := got.UnmarshalBinary(b); !errors.Is(err, builder.ErrUnkept) {
			t.Errorf("PerfTime 0, which a model cannot hold: %v", err)
		}
	}
}

// TestObjectDetailLevel checks the default DetailLevel of an object: the lowest level of its counters that are not bases.
func TestObjectDetailLevel(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).
		Define(builder.Counter{CounterType: layout.PERF_COUNTER_RAWCOUNT, DetailLevel: layout.PERF_DETAIL_EXPERT}).
		DefineWithBase(builder.Counter{CounterType: layout.PERF_RAW_FRACTION, DetailLevel: layout.PERF_DETAIL_ADVANCED})
	b, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for v := range layout.ReadObjects(b) {
		if v.DetailLevel() != layout.PERF_DETAIL_ADVANCED {
			t.Errorf("DetailLevel %v, want PERF_DETAIL_ADVANCED", v.DetailLevel())
		}
	}
}
