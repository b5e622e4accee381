package layout_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// overlapping returns an object with one instance whose counters overlap: each starts one byte after the
// previous one.
func overlapping(counters int, size, block uint32) []byte {
	definitions := 64 + 40*uint32(counters)
	b := wire.ObjectType{
		TotalByteLength: definitions + 24 + block, DefinitionLength: definitions, HeaderLength: 64, NumCounters: uint32(counters), NumInstances: 1,
	}.Append(nil)
	for i := range uint32(counters) {
		b = wire.CounterDefinition{ByteLength: 40, CounterType: layout.PERF_COUNTER_TEXT, CounterSize: size, CounterOffset: 4 + i}.Append(b)
	}
	b = wire.InstanceDefinition{ByteLength: 24}.Append(b)
	return append(wire.CounterBlock{ByteLength: block}.Append(b), make([]byte, block-4)...)
}

// Walk yields texts that share bytes once, so the parts are not a thousand times the block's bytes.
func TestOverlapsAreBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		size, block uint32
		most        int
		reason      string
	}{
		{20_000, 24_000, 1, "shared texts are yielded once"},
		{8, 24_000, 8, "each number is yielded, and a byte is in at most 8"},
		{12, 24_000, 1, "values that are not numbers are yielded once, however short"},
		{30_000, 24_000, 1, "values that do not fit are not shown"},
	} {
		b := overlapping(1000, test.size, test.block)
		shown := 0
		for p := range layout.Walk(layout.ObjectsKind, b) {
			shown += p.Len()
		}
		if shown > test.most*len(b) {
			t.Errorf("%d bytes shown of %d: %s", shown, len(b), test.reason)
		}
	}
}

// If several values are outside the block, the fault names the first.
func TestFirstOfManyOutside(t *testing.T) {
	t.Parallel()
	for p := range layout.Walk(layout.ObjectsKind, overlapping(3, 30_000, 24_000)) {
		if e, ok := errors.AsType[*layout.Error](p.Err); ok && e.Path.String() != "object[0].counter[0].CounterOffset" {
			t.Errorf("%v", e)
		}
	}
}

// A counter without a value does not move the start of the padding.
func TestPaddingAfterCounterWithoutValue(t *testing.T) {
	t.Parallel()
	b := wire.ObjectType{TotalByteLength: 64 + 80 + 24, DefinitionLength: 64 + 80, HeaderLength: 64, NumCounters: 2, NumInstances: -1}.Append(nil)
	b = wire.CounterDefinition{ByteLength: 40, CounterSize: 4, CounterOffset: 4}.Append(b)
	b = wire.CounterDefinition{ByteLength: 40, CounterType: layout.PERF_COUNTER_NODATA, CounterOffset: 16}.Append(b)
	b = append(wire.CounterBlock{ByteLength: 24}.Append(b), make([]byte, 20)...)
	path, err := layout.ParsePath("object[0].block.padding")
	if err != nil {
		t.Fatal(err)
	}
	found, err := layout.Find(layout.ObjectsKind, b, path)
	if err != nil || found.Len() != 16 {
		t.Errorf("%d bytes of padding, %v; want the 16 bytes after the number", found.Len(), err)
	}
	for p := range layout.Walk(layout.ObjectsKind, b) {
		if p.Path == path && p.Off() != found.Off() {
			t.Errorf("Walk has the padding at %d, Find at %d", p.Off(), found.Off())
		}
	}
}

// A value that starts inside the block's ByteLength does not move the start of the padding.
func TestPaddingAfterValueInByteLength(t *testing.T) {
	t.Parallel()
	b := wire.ObjectType{TotalByteLength: 64 + 40 + 24, DefinitionLength: 64 + 40, HeaderLength: 64, NumCounters: 1, NumInstances: -1}.Append(nil)
	b = wire.CounterDefinition{ByteLength: 40, CounterSize: 8, CounterOffset: 2}.Append(b)
	b = append(wire.CounterBlock{ByteLength: 24}.Append(b), make([]byte, 20)...)
	path, err := layout.ParsePath("object[0].block.padding")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := layout.Find(layout.ObjectsKind, b, path); err != nil || p.Len() != 20 {
		t.Errorf("%d bytes of padding, %v; want the 20 bytes after ByteLength", p.Len(), err)
	}
}

// The padding of a block starts after the value that ends last, which need not be the value of the last
// counter.
func TestPaddingAfterManyCounters(t *testing.T) {
	t.Parallel()
	b := overlapping(20_000, 4, 24_000)
	padding, err := layout.ParsePath("object[0].instance[0].block.padding")
	if err != nil {
		t.Fatal(err)
	}
	part, err := layout.Find(layout.ObjectsKind, b, padding)
	if err != nil || part.Len() != 24_000-(4+20_000-1+4) {
		t.Fatalf("%d bytes of padding, %v", part.Len(), err)
	}
	for i := range 3 {
		path, err := layout.ParsePath(fmt.Sprintf("object[0].instance[0].block.value[%d]", i*9999))
		if err != nil {
			t.Fatal(err)
		}
		if part, err := layout.Find(layout.ObjectsKind, b, path); err != nil || part.Len() != 4 {
			t.Errorf("%v: %d bytes, %v", path, part.Len(), err)
		}
	}
}
