package builder_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// TestNoBase checks that decoding returns an error if a required base is missing.
func TestNoBase(t *testing.T) {
	t.Parallel()
	for _, last := range []bool{false, true} {
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_BULK_COUNT).Counter(6, layout.PERF_COUNTER_BULK_COUNT).Single(1, 2)
		b, err := builder.Objects{*o}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		if last {
			i = 1
		}
		binary.LittleEndian.PutUint32(b[64+40*i+28:], uint32(layout.PERF_AVERAGE_BULK))
		err = new(builder.Objects).UnmarshalBinary(b)
		e, ok := errors.AsType[*layout.Error](err)
		if !ok || !errors.Is(err, builder.ErrBase) || e.Path.String() != fmt.Sprintf("object[0].counter[%d].CounterType", i) {
			t.Errorf("counter %d: %v", i, err)
		}
	}
}

// onlyBlock returns the counter block of the object in b. The object has no instances.
func onlyBlock(t *testing.T, b []byte) layout.CounterBlock {
	t.Helper()
	for o, err := range layout.ReadObjects(b) {
		if err != nil {
			t.Fatal(err)
		}
		block, err := o.Block()
		if err != nil {
			t.Fatal(err)
		}
		return block
	}
	t.Fatal("no object")
	return layout.CounterBlock{}
}

// TestMultiCounterReservesBase checks that the counter block has space for a DWORD after the value of a multi counter,
// even if the base is at another offset.
func TestMultiCounterReservesBase(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Define(
		builder.Counter{CounterType: layout.PERF_COUNTER_MULTI_TIMER, CounterOffset: 16},
		builder.Counter{CounterType: layout.PERF_COUNTER_MULTI_BASE, CounterOffset: 8},
	).Single(7, 3)
	b, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if n := onlyBlock(t, b).ByteLength(); n != 32 {
		t.Errorf("the block has %d bytes, want 32: 16 + 8 and the DWORD, rounded up to a multiple of 8", n)
	}
}

// TestMultiCounterOfVariableLength checks that the base of a multi counter is after the end of a value of 20 bytes. For
// a value of at most 8 bytes, the offset of the base is the offset of the value plus 8.
func TestMultiCounterOfVariableLength(t *testing.T) {
	t.Parallel()
	variable := layout.PERF_COUNTER_MULTI_TIMER | layout.PERF_SIZE_VARIABLE_LEN
	o := builder.NewObject(2).Counter(4, variable).Counter(4, layout.PERF_COUNTER_MULTI_BASE).Single(0, 3)
	o.Texts = []string{"a value of 20 bytes."}
	b, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if n := onlyBlock(t, b).ByteLength(); n != 32 {
		t.Errorf("the block has %d bytes, want 32: 4 + 20 + 4, rounded up to a multiple of 8", n)
	}
}

// TestLossesAfterAnAddedBase decodes a multi counter without its base, and then a text. The decoder adds the base to
// the model. The ErrUnkept error of the text must have the position in the input: value[1], not value[2].
func TestLossesAfterAnAddedBase(t *testing.T) {
	t.Parallel()
	definition := wire.Counter{ByteLength: 40, DetailLevel: 100, CounterType: layout.PERF_COUNTER_MULTI_TIMER, CounterSize: 8, CounterOffset: 8}
	b := wire.Object{
		TotalByteLength: 64 + 80 + 40, DefinitionLength: 64 + 80, HeaderLength: 64, DetailLevel: 100, NumCounters: 2, NumInstances: layout.PERF_NO_INSTANCES,
	}.Append(nil)
	b = definition.Append(b)
	definition.CounterType, definition.CounterSize, definition.CounterOffset = layout.PERF_COUNTER_TEXT, 12, 24
	b = definition.Append(b)
	block := append(wire.CounterBlock{ByteLength: 40}.Append(nil), make([]byte, 36)...)
	copy(block[24:], "\x02\x00\x00\x00a\x00slack")
	var got builder.Objects
	losses, err := got.UnmarshalLossy(append(b, block...))
	if err != nil || len(losses) != 2 {
		t.Fatalf("lost %v, %v", losses, err)
	}
	if losses[0].Path.String() != "object[0].counter[0]" || losses[1].Path.String() != "object[0].block.value[1]" {
		t.Errorf("lost %v", losses)
	}
}

// TestMultiCounterWithoutBase decodes a multi counter whose base has no definition, which the documentation allows.
// UnmarshalBinary must return ErrUnkept, and UnmarshalLossy must add the base to the model.
func TestMultiCounterWithoutBase(t *testing.T) {
	t.Parallel()
	plain := builder.NewObject(2).WithBase(4, layout.PERF_COUNTER_MULTI_TIMER).Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT).Single(7, 3, 9)
	d := builder.DataBlock{Objects: []builder.Object{*plain}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	// Copy the definition of the last counter over the definition of the base. The counter block
	// still has the value of the base.
	base, last := findPart(t, b, "object[0].counter[1]"), findPart(t, b, "object[0].counter[2]")
	copy(b[base.Off():], b[last.Off():])
	n := len(b) - 40
	setField(t, b, "object[0].NumCounters", 2)
	setField(t, b, "object[0].DefinitionLength", 64+2*40)
	setField(t, b, "object[0].TotalByteLength", int64(n-88))
	setField(t, b, "TotalByteLength", int64(n))
	b = b[:n]

	var got builder.DataBlock
	if err := got.UnmarshalBinary(b); !errors.Is(err, builder.ErrUnkept) {
		t.Errorf("UnmarshalBinary: %v, want an error that wraps ErrUnkept", err)
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

// TestAddedBaseMovesPositions decodes a multi counter without its base. The decoder adds the base at position 1, so
// that a DefaultCounter of 1 must become 2. The paths of errors must have the positions in the input.
func TestAddedBaseMovesPositions(t *testing.T) {
	t.Parallel()
	const multi, count = layout.PERF_100NSEC_MULTI_TIMER, layout.PERF_COUNTER_LARGE_RAWCOUNT
	definition := func(title uint32, typ layout.CounterType, offset uint32) wire.Counter {
		return wire.Counter{ByteLength: 40, CounterNameTitleIndex: title, CounterHelpTitleIndex: title + 1, DetailLevel: 100, CounterType: typ, CounterSize: 8, CounterOffset: offset}
	}
	object := wire.Object{TotalByteLength: 64 + 3*40, DefinitionLength: 64 + 3*40, HeaderLength: 64, DetailLevel: 100, NumCounters: 3}
	for given, want := range map[int32]int32{0: 0, 1: 2, 2: 3, 12: 12, -1: -1} {
		object.DefaultCounter = given
		b := object.Append(nil)
		b = definition(10, multi, 8).Append(b)
		b = definition(12, count, 24).Append(b)
		last := definition(14, count, 32)
		last.CounterNameTitle = 1
		b = last.Append(b)
		// In the second object, the positions do not move.
		b = wire.Object{TotalByteLength: 64 + 2*40, DefinitionLength: 64 + 2*40, HeaderLength: 64, DetailLevel: 100, NumCounters: 2, DefaultCounter: 1}.Append(b)
		b = definition(22, count, 16).Append(definition(20, count, 8).Append(b))
		var got builder.Objects
		losses, err := got.UnmarshalLossy(b)
		if err != nil || len(losses) != 2 {
			t.Fatalf("DefaultCounter %d: lost %v, %v", given, losses, err)
		}
		if path := losses[1].Path.String(); path != "object[0].counter[0]" && path != "object[0].counter[2].CounterNameTitle" {
			t.Errorf("lost %v", losses)
		}
		if c := got[1].DefaultCounter; c == nil || *c != 1 {
			t.Errorf("DefaultCounter 1 of the second object became %v", c)
		}
		clean, err := got[:1].MarshalBinary()
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

// TestLabelWithASize checks that a counter without a value takes no bytes of the block even if
// its CounterSize is not 0.
func TestLabelWithASize(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_NODATA).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Single(0, 7)
	d := builder.DataBlock{Objects: []builder.Object{*o}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{1, 4, 8, 1 << 31} {
		setField(t, b, "object[0].counter[0].CounterSize", size)
		var got builder.DataBlock
		losses, err := got.UnmarshalLossy(b)
		if err != nil || len(losses) != 1 || losses[0].Path.String() != "object[0].counter[0].CounterSize" || !cmp.Equal(d, got) {
			t.Errorf("a size of %d: lost %v, %v", size, losses, err)
		}
	}
}

// TestDefaultCounterIsNoBasesTitle decodes a DefaultCounter of 1. The title index 1 belongs to a base, so the decoder
// must use the number 1 as the position of a counter.
func TestDefaultCounterIsNoBasesTitle(t *testing.T) {
	t.Parallel()
	b := wire.Object{TotalByteLength: 64 + 3*40, DefinitionLength: 64 + 3*40, HeaderLength: 64, DetailLevel: 100, NumCounters: 3, DefaultCounter: 1}.Append(nil)
	for _, c := range []wire.Counter{
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
		t.Errorf("DefaultCounter 1 became %v, want 2: decoding added a base before the fraction", c)
	}
}

// TestEveryReaderSeesTheSame checks that all readers get the same numbers from a counter block. Some readers
// ignore CounterOffset and CounterSize.
func TestEveryReaderSeesTheSame(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typ    layout.CounterType
		given  uint32 // the CounterOffset in the model; 0 means that encoding computes it
		values []uint64
		at     []uint32       // CounterOffset of each definition
		eight  map[int]uint64 // from an offset in the block to the number of 8 bytes that some reader reads there
		four   map[int]uint32 // the same for numbers of 4 bytes
		reason string
	}{
		{layout.PERF_AVERAGE_TIMER, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7}, map[int]uint32{16: 7, 24: 9},
			"the Microsoft sample and netdata read 8 bytes for the timer, other readers read the 4 bytes that it declares"},
		{layout.PERF_AVERAGE_BULK, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7, 24: 9}, map[int]uint32{24: 9},
			"perflib_exporter reads the 8 bytes after the value as a second value"},
		{layout.PERF_COUNTER_MULTI_TIMER, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7, 24: 9}, map[int]uint32{24: 9},
			"the Microsoft sample reads the number of components from the DWORD after the value, WMI and .NET read it at the offset of its definition"},
		{layout.PERF_100NSEC_MULTI_TIMER_INV, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7}, map[int]uint32{24: 9}, "the Microsoft sample reads the number of components of each multi timer from the DWORD after the value"},
		{layout.PERF_COUNTER_MULTI_TIMER, 20, []uint64{7, 9}, []uint32{20, 28}, map[int]uint64{20: 7, 28: 9}, map[int]uint32{28: 9},
			"the model sets a CounterOffset that is not a multiple of 8"},
		{layout.PERF_RAW_FRACTION, 0, []uint64{7, 9}, []uint32{12, 16}, nil, map[int]uint32{12: 7, 16: 9}, "two values of 4 bytes follow each other without padding"},
	} {
		// ByteLength and two values take 12 bytes: the next free offset is not a multiple of 8.
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Counter(8, layout.PERF_COUNTER_RAWCOUNT).WithBase(6, test.typ)
		if test.given != 0 {
			o.Counters[2].CounterOffset = test.given
		}
		b, err := o.Single(append([]uint64{1, 2}, test.values...)...).MarshalBinary()
		if err != nil {
			t.Errorf("%v: %v", test.typ, err)
			continue
		}
		for v := range layout.ReadObjects(b) {
			block, err := v.Block()
			if err != nil {
				t.Fatal(err)
			}
			i := 0
			for c := range v.Counters() {
				if i > 1 && c.CounterOffset() != test.at[i-2] {
					t.Errorf("%v: definition %d is at %d, want %d: %s", test.typ, i, c.CounterOffset(), test.at[i-2], test.reason)
				}
				i++
			}
			for at, want := range test.eight {
				if s, err := block.Sub(uint64(at), 8); err != nil {
					t.Errorf("%v: no 8 bytes at %d: %s", test.typ, at, test.reason)
				} else if got, _ := s.Number(); got != want {
					t.Errorf("%v: 8 bytes at %d are %d, want %d: %s", test.typ, at, got, want, test.reason)
				}
			}
			for at, want := range test.four {
				s, err := block.Sub(uint64(at), 4)
				if got, _ := s.Number(); err != nil || got != uint64(want) {
					t.Errorf("%v: 4 bytes at %d are %d, %v, want %d: %s", test.typ, at, got, err, want, test.reason)
				}
			}
		}
	}
}

// TestEveryCounterType checks the offsets and block lengths of all predefined counter types and their bases.
func TestEveryCounterType(t *testing.T) {
	t.Parallel()
	n := 0
	for typ := range layout.CounterTypes() {
		if typ.IsBase() {
			continue
		}
		n++
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).WithBase(6, typ)
		values := []uint64{5}
		for _, c := range o.Counters[1:] {
			v := uint64(0x1122334455667788)
			switch size, _ := c.CounterType.Width(); size {
			case 0:
				v = 0
			case 4:
				v = 0x11223344
			}
			values = append(values, v)
		}
		o.Single(values...)
		if typ.IsText() {
			o.Texts = []string{"Ä"}
		}
		b, err := o.MarshalBinary()
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		for v := range layout.ReadObjects(b) {
			block, err := v.Block()
			if err != nil || block.Len()%8 != 0 {
				t.Fatalf("%v: a block of %d bytes, %v", typ, block.Len(), err)
			}
			i := 0
			for c := range v.Counters() {
				s, err := block.Value(c)
				if err != nil {
					t.Fatalf("%v: %v", typ, err)
				}
				got, number := s.Number()
				if number && (got != values[i] || c.CounterOffset()%c.CounterSize() != 0) && !typ.IsText() {
					t.Errorf("%v: value %d is 0x%x at %d, want 0x%x", typ, i, got, c.CounterOffset(), values[i])
				}
				if i == 1 && typ.IsText() && string(s.Bytes()) != "\x02\x00\x00\x00\xc4\x00" {
					t.Errorf("the text is % x", s.Bytes())
				}
				i++
			}
		}
	}
	if n != 34 {
		t.Errorf("%d types are not bases, want 34: 39 without 5 bases", n)
	}
}
