package layout_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// overlappingObject returns an object with one instance. The values of its counters overlap, because CounterOffset is
// 4, 5, 6 and so on.
func overlappingObject(counters int, size, block uint32) []byte {
	definitions := layout.SizeofObjectType + layout.SizeofCounterDefinition*uint32(counters)
	b := wire.Object{
		TotalByteLength: definitions + layout.SizeofInstanceDefinition + block, DefinitionLength: definitions, HeaderLength: layout.SizeofObjectType,
		NumCounters: uint32(counters), NumInstances: 1,
	}.Append(nil)
	for i := range uint32(counters) {
		b = wire.Counter{ByteLength: layout.SizeofCounterDefinition, CounterType: layout.PERF_COUNTER_TEXT, CounterSize: size, CounterOffset: 4 + i}.Append(b)
	}
	b = wire.Instance{ByteLength: layout.SizeofInstanceDefinition}.Append(b)
	return append(wire.CounterBlock{ByteLength: block}.Append(b), make([]byte, block-layout.SizeofCounterBlock)...)
}

// singleObject returns an object without instances and with the given counters. Its counter block has 24 bytes.
func singleObject(counters ...wire.Counter) []byte {
	const block = 24
	definitions := layout.SizeofObjectType + layout.SizeofCounterDefinition*uint32(len(counters))
	b := wire.Object{
		TotalByteLength: definitions + block, DefinitionLength: definitions, HeaderLength: layout.SizeofObjectType,
		NumCounters: uint32(len(counters)), NumInstances: layout.PERF_NO_INSTANCES,
	}.Append(nil)
	for _, c := range counters {
		c.ByteLength = layout.SizeofCounterDefinition
		b = c.Append(b)
	}
	return append(wire.CounterBlock{ByteLength: block}.Append(b), make([]byte, block-layout.SizeofCounterBlock)...)
}

// TestOverlapsAreBounded checks that Walk does not yield the same large range of bytes for many
// counters. All parts together are at most eight times as long as the block.
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
		b := overlappingObject(1000, test.size, test.block)
		shown := 0
		for p := range layout.Walk(layout.ObjectsKind, b) {
			shown += p.Len()
		}
		if shown > test.most*len(b) {
			t.Errorf("%d bytes shown of %d: %s", shown, len(b), test.reason)
		}
	}
}

// TestFirstOfManyOutside checks that the fault names the first of several values outside the
// block.
func TestFirstOfManyOutside(t *testing.T) {
	t.Parallel()
	for p := range layout.Walk(layout.ObjectsKind, overlappingObject(3, 30_000, 24_000)) {
		if e, ok := errors.AsType[*layout.Error](p.Err); ok && e.Path.String() != "object[0].counter[0].CounterOffset" {
			t.Errorf("%v", e)
		}
	}
}

// TestPaddingAfterCounterWithoutValue checks that a counter without a value has no effect on the
// start of the padding.
func TestPaddingAfterCounterWithoutValue(t *testing.T) {
	t.Parallel()
	b := singleObject(
		wire.Counter{CounterSize: 4, CounterOffset: 4},
		wire.Counter{CounterType: layout.PERF_COUNTER_NODATA, CounterOffset: 16},
	)
	path := parsePath(t, "object[0].block.padding")
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

// TestPaddingAfterValueInByteLength checks that a value that overlaps the block's ByteLength has
// no effect on the start of the padding.
func TestPaddingAfterValueInByteLength(t *testing.T) {
	t.Parallel()
	b := singleObject(wire.Counter{CounterSize: 8, CounterOffset: 2})
	if p, err := layout.Find(layout.ObjectsKind, b, parsePath(t, "object[0].block.padding")); err != nil || p.Len() != 20 {
		t.Errorf("%d bytes of padding, %v; want the 20 bytes after ByteLength", p.Len(), err)
	}
}

// TestPaddingAfterManyCounters checks that the padding starts after the value that ends last,
// even if it is not the value of the last counter.
func TestPaddingAfterManyCounters(t *testing.T) {
	t.Parallel()
	b := overlappingObject(20_000, 4, 24_000)
	part, err := layout.Find(layout.ObjectsKind, b, parsePath(t, "object[0].instance[0].block.padding"))
	if err != nil || part.Len() != 24_000-(4+20_000-1+4) {
		t.Fatalf("%d bytes of padding, %v", part.Len(), err)
	}
	for i := range 3 {
		path := parsePath(t, fmt.Sprintf("object[0].instance[0].block.value[%d]", i*9999))
		if part, err := layout.Find(layout.ObjectsKind, b, path); err != nil || part.Len() != 4 {
			t.Errorf("%v: %d bytes, %v", path, part.Len(), err)
		}
	}
}

// TestNarrowValueThatFits checks that Walk yields a value if a wider value at the same offset does not fit the block.
func TestNarrowValueThatFits(t *testing.T) {
	t.Parallel()
	b := singleObject(
		wire.Counter{CounterSize: 30_000, CounterOffset: 8},
		wire.Counter{CounterSize: 2, CounterOffset: 8},
		wire.Counter{CounterSize: 4, CounterOffset: 8},
		wire.Counter{CounterSize: 12, CounterOffset: 8},
	)
	var got []string
	for p := range layout.Walk(layout.ObjectsKind, b) {
		if p.Sort == layout.ValuePart {
			got = append(got, fmt.Sprintf("%v: %d bytes", p.Path, p.Len()))
		}
	}
	if want := []string{"object[0].block.value[3]: 12 bytes"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q: the widest value that fits", got, want)
	}
}
