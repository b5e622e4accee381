package builder_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// onlyBlock returns the counter block of the one object without instances in b.
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

// The sample reads the number of components behind the value, so there are bytes
// to read even where the base stands elsewhere.
func TestRoomBehindMultiCounter(t *testing.T) {
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
		t.Errorf("a block of %d bytes, want 16 + 8 and the DWORD behind, on 8: 32", n)
	}
}

// A text's own length is held against its counter's size and against the block.
func TestTextLengths(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT)
	o.NumInstances, o.Values, o.Texts = layout.PERF_NO_INSTANCES, []uint64{0}, []string{"text"}
	for _, test := range []struct {
		size   int64
		length byte
		text   string
		losses []string
		err    error
		reason string
	}{
		{12, 8, "text", nil, nil, "as it was built"},
		{12, 9, "", nil, layout.ErrBounds, "a byte more than the block has"},
		{12, 12, "", nil, layout.ErrBounds, "as long as the block with the length's own bytes"},
		{12, 4, "te", []string{"object[0].block.value[0]"}, nil, "shorter, and what is behind is not zero"},
		{9, 8, "te", []string{"object[0].block.value[0]", "object[0].block.value[0]", "object[0].block.padding"}, nil, "an odd size is cut to whole units"},
	} {
		b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		value := at(t, b, "object[0].block.value[0]").Off()
		set(t, b, "object[0].counter[0].CounterSize", test.size)
		b[value] = test.length
		var got builder.DataBlock
		losses, err := got.UnmarshalLossy(b)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: %v", test.reason, err)
		}
		if err != nil {
			continue
		}
		var lost []string
		for _, l := range losses {
			lost = append(lost, l.Path.String())
			if strings.Contains(l.Error(), "even number") {
				t.Errorf("%s: %v", test.reason, l)
			}
		}
		if diff := cmp.Diff(test.losses, lost); diff != "" || got.Objects[0].Texts[0] != test.text {
			t.Errorf("%s: %q, lost (-want +got)\n%s", test.reason, got.Objects[0].Texts[0], diff)
		}
	}
}

// Half a unit at the end of a text is lost.
func TestOddText(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT)
	o.NumInstances, o.Values, o.Texts = layout.PERF_NO_INSTANCES, []uint64{0}, []string{"text"}
	b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	value := at(t, b, "object[0].block.value[0]").Off()
	b[value], b[value+4+6] = 7, 0x80
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) != 1 || !strings.Contains(losses[0].Error(), "even number") || got.Objects[0].Texts[0] != "tex" {
		t.Errorf("%+v, %v, %v", got, losses, err)
	}
}

// What is said of a value counts its counters as the block does, also behind a base
// that was added.
func TestLossesBehindAnAddedBase(t *testing.T) {
	t.Parallel()
	definition := wire.CounterDefinition{ByteLength: 40, DetailLevel: 100, CounterType: layout.PERF_COUNTER_MULTI_TIMER, CounterSize: 8, CounterOffset: 8}
	b := wire.ObjectType{
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

// All of what becomes U+FFFD is said to be lost, not the first of it alone.
func TestSurrogatesLost(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Instance("abcdef")
	b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	name := at(t, b, "object[0].instance[0].Name")
	copy(b[name.Off()+2:], "\x00\xd8") // b
	copy(b[name.Off()+6:], "\x00\xdc") // d
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) != 1 {
		t.Fatalf("lost %v, %v", losses, err)
	}
	if l := losses[0]; l.Off != name.Off()+2 || l.Len != 6 {
		t.Errorf("lost %d bytes at %d, want 6 at %d", l.Len, l.Off, name.Off()+2)
	}
	if n := got.Objects[0].Instances[0].Name; n != "a\uFFFDc\uFFFDef" {
		t.Errorf("the name is %q", n)
	}
}

// An unnamed instance may point to its end, and not a byte further.
func TestUnnamedNameOffset(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		offset int64
		err    error
	}{{0, nil}, {32, nil}, {33, layout.ErrBounds}, {40, layout.ErrBounds}} {
		d := sample()
		d.Objects[0].Instances[1] = builder.Instance{ByteLength: 32, Values: []uint64{1, 2}}
		b, err := d.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		set(t, b, "object[0].instance[1].NameOffset", test.offset)
		if err := new(builder.DataBlock).UnmarshalBinary(b); !errors.Is(err, test.err) {
			t.Errorf("NameOffset %d: %v, want %v", test.offset, err, test.err)
		}
	}
}
