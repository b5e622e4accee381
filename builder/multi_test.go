package builder_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A provider may have the second value of a multi counter as data alone, which the
// documentation allows. The model has it as a definition, so that is added.
func TestMultiCounterWithoutBase(t *testing.T) {
	t.Parallel()
	plain := builder.NewObject(2).WithBase(4, layout.PERF_COUNTER_MULTI_TIMER).Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT).Single(7, 3, 9)
	d := builder.DataBlock{Objects: []builder.Object{*plain}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	// The definition of the base becomes one of the counter behind it, whose own
	// bytes go: what is left of the base is its value.
	base, last := at(t, b, "object[0].counter[1]"), at(t, b, "object[0].counter[2]")
	copy(b[base.Off():], b[last.Off():])
	n := len(b) - 40
	set(t, b, "object[0].NumCounters", 2)
	set(t, b, "object[0].DefinitionLength", 64+2*40)
	set(t, b, "object[0].TotalByteLength", int64(n-88))
	set(t, b, "TotalByteLength", int64(n))
	b = b[:n]

	var got builder.DataBlock
	if err := got.UnmarshalBinary(b); !errors.Is(err, builder.ErrUnkept) {
		t.Errorf("decoding whole: %v", err)
	}
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) != 1 || losses[0].Path.String() != "object[0].counter[0]" {
		t.Fatalf("lost %v, %v", losses, err)
	}
	want := *plain
	want.Counters = []builder.Counter{
		plain.Counters[0],
		{CounterType: layout.PERF_COUNTER_MULTI_BASE, CounterSize: 4},
		plain.Counters[2],
	}
	if diff := cmp.Diff(builder.DataBlock{Objects: []builder.Object{want}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A text that claims more than its counter's CounterSize is cut there: the bytes
// behind it are another value's.
func TestTextLongerThanItsCounter(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT)
	o.NumInstances, o.Values, o.Texts = layout.PERF_NO_INSTANCES, []uint64{0}, []string{"text"}
	d := builder.DataBlock{Objects: []builder.Object{*o}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	set(t, b, "object[0].counter[0].CounterSize", 8)
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) == 0 || losses[0].Path.String() != "object[0].block.value[0]" {
		t.Fatalf("lost %v, %v", losses, err)
	}
	d.Objects[0].Texts = []string{"te"}
	if diff := cmp.Diff(d, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A CounterSize without room for a text's length is a loss even where there is no
// block to find it out by.
func TestTextWithoutRoom(t *testing.T) {
	t.Parallel()
	// The counter behind the text is where it would be behind a text of no characters.
	d := builder.DataBlock{Objects: []builder.Object{*builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT).Counter(6, layout.PERF_COUNTER_RAWCOUNT)}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for size := range int64(4) {
		set(t, b, "object[0].counter[0].CounterSize", size)
		var got builder.DataBlock
		if err := got.UnmarshalBinary(b); !errors.Is(err, builder.ErrUnkept) {
			t.Errorf("a size of %d: %v", size, err)
		}
		if losses, err := got.UnmarshalLossy(b); err != nil || len(losses) != 1 || !cmp.Equal(d, got) {
			t.Errorf("a size of %d: lost %v, %v", size, losses, err)
		}
	}
}

// Where a base is added, DefaultCounter still names the counter it did, and what is
// said of counters behind it counts as the block does.
func TestAddedBaseMovesPositions(t *testing.T) {
	t.Parallel()
	const multi, count = layout.PERF_100NSEC_MULTI_TIMER, layout.PERF_COUNTER_LARGE_RAWCOUNT
	definition := func(title uint32, typ layout.CounterType, offset uint32) wire.CounterDefinition {
		return wire.CounterDefinition{ByteLength: 40, CounterNameTitleIndex: title, CounterHelpTitleIndex: title + 1, DetailLevel: 100, CounterType: typ, CounterSize: 8, CounterOffset: offset}
	}
	object := wire.ObjectType{TotalByteLength: 64 + 3*40, DefinitionLength: 64 + 3*40, HeaderLength: 64, DetailLevel: 100, NumCounters: 3}
	for given, want := range map[int32]int32{0: 0, 1: 2, 2: 3, 12: 12, -1: -1} {
		object.DefaultCounter = given
		b := object.Append(nil)
		b = definition(10, multi, 8).Append(b)
		b = definition(12, count, 24).Append(b)
		last := definition(14, count, 32)
		last.CounterNameTitle = 1
		b = last.Append(b)
		var got builder.Objects
		losses, err := got.UnmarshalLossy(b)
		if err != nil || len(losses) != 2 {
			t.Fatalf("DefaultCounter %d: lost %v, %v", given, losses, err)
		}
		if path := losses[1].Path.String(); path != "object[0].counter[0]" && path != "object[0].counter[2].CounterNameTitle" {
			t.Errorf("lost %v", losses)
		}
		clean, err := got.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for v := range layout.ReadObjects(clean) {
			if v.DefaultCounter() != want || v.NumCounters() != 4 {
				t.Errorf("DefaultCounter %d became %d of %d counters, want %d of 4", given, v.DefaultCounter(), v.NumCounters(), want)
			}
		}
	}
}

// What is added to an object after it was added to a block is not in the block, and
// the other way round.
func TestAddTakesTheObjectAsItIs(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2)
	o.Instances = make([]builder.Instance, 0, 8)
	var d builder.DataBlock
	d.Add(o)
	o.Instance("of o")
	d.Objects[0].Instance("of d")
	if o.Instances[0].Name != "of o" || len(d.Objects[0].Instances) != 1 || d.Objects[0].Instances[0].Name != "of d" {
		t.Errorf("the object has %q, the block %q", o.Instances[0].Name, d.Objects[0].Instances[0].Name)
	}
}

// A label takes no room, whatever its CounterSize says.
func TestLabelWithASize(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_NODATA).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Single(0, 7)
	d := builder.DataBlock{Objects: []builder.Object{*o}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{1, 4, 8, 1 << 31} {
		set(t, b, "object[0].counter[0].CounterSize", size)
		var got builder.DataBlock
		losses, err := got.UnmarshalLossy(b)
		if err != nil || len(losses) != 1 || losses[0].Path.String() != "object[0].counter[0].CounterSize" || !cmp.Equal(d, got) {
			t.Errorf("a size of %d: lost %v, %v", size, losses, err)
		}
	}
}

// The longest object is of 2^32 - 8 bytes; the next would be of 2^32.
func TestLongestObject(t *testing.T) {
	t.Parallel()
	if math.MaxInt < math.MaxUint32 {
		return // no slice is as long there: TestRefused has the bound of 32 bits
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

// The list of what is lost is bounded, and says by how much it is cut.
func TestManyLosses(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2)
	for i := range 1500 {
		o.Instance(fmt.Sprintf("%03d", i%1000) + strings.Repeat("+", i/1000)) // 8 bytes of name, or 10 and 6 of padding
	}
	b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	d, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	for o := range d.Objects() {
		for in := range o.Instances() {
			block, err := in.Block()
			if err != nil {
				t.Fatal(err)
			}
			block.Bytes()[4] = 1 // only padding follows the block's length
		}
	}
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) != 1001 {
		t.Fatalf("%d losses, %v", len(losses), err)
	}
	if last := losses[1000].Error(); !strings.HasSuffix(last, "and 500 more") {
		t.Errorf("the last says %q", last)
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 11, 21, 12, 34, 56, 789_123_456, time.FixedZone("", 3600))
	d := builder.DataBlock{SystemTime: layout.SystemTime{WYear: 2000}}
	b, err := d.At(moment).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	v, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	want := layout.SystemTime{WYear: 2026, WMonth: 11, WDayOfWeek: 6, WDay: 21, WHour: 11, WMinute: 34, WSecond: 56, WMilliseconds: 789}
	if v.SystemTime() != want || v.PerfTime100nSec() != 134397344967891234 {
		t.Errorf("SystemTime %+v, PerfTime100nSec %d", v.SystemTime(), v.PerfTime100nSec())
	}
	if _, err := new(builder.DataBlock).At(time.Date(1600, 12, 31, 0, 0, 0, 0, time.UTC)).MarshalBinary(); !errors.Is(err, layout.ErrRange) {
		t.Errorf("1600: %v", err)
	}
	if _, err := new(builder.DataBlock).At(time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)).MarshalBinary(); !errors.Is(err, layout.ErrRange) {
		t.Errorf("the first moment of 1601, which is no PerfTime100nSec: %v", err)
	}
	if _, err := new(builder.DataBlock).At(time.Date(40000, 1, 1, 0, 0, 0, 0, time.UTC)).MarshalBinary(); !errors.Is(err, layout.ErrRange) {
		t.Errorf("40000: %v", err)
	}
}

// A base may bear a title, which DefaultCounter never means.
func TestDefaultCounterIsNoBasesTitle(t *testing.T) {
	t.Parallel()
	b := wire.ObjectType{TotalByteLength: 64 + 3*40, DefinitionLength: 64 + 3*40, HeaderLength: 64, DetailLevel: 100, NumCounters: 3, DefaultCounter: 1}.Append(nil)
	for _, c := range []wire.CounterDefinition{
		{CounterNameTitleIndex: 10, CounterType: layout.PERF_COUNTER_MULTI_TIMER, CounterSize: 8, CounterOffset: 8},
		{CounterNameTitleIndex: 12, CounterType: layout.PERF_RAW_FRACTION, CounterSize: 4, CounterOffset: 24},
		{CounterNameTitleIndex: 1, CounterType: layout.PERF_RAW_BASE, CounterSize: 4, CounterOffset: 28},
	} {
		c.ByteLength, c.DetailLevel = 40, 100
		b = c.Append(b)
	}
	var got builder.Objects
	if losses, err := got.UnmarshalLossy(b); err != nil || len(losses) != 1 {
		t.Fatalf("lost %v, %v", losses, err)
	}
	if c := got[0].DefaultCounter; c == nil || *c != 2 {
		t.Errorf("DefaultCounter 1, the fraction, became %v; with the added base before it, it is 2", c)
	}
}
