package layout_test

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// overlapping returns an object whose counters all overlap, each a byte behind the
// one before, with one instance.
func overlapping(counters int, size, block uint32) []byte {
	definitions := 64 + 40*uint32(counters)
	b := layout.AppendObjectType(nil, layout.ObjectType{
		TotalByteLength: definitions + 24 + block, DefinitionLength: definitions, HeaderLength: 64, NumCounters: uint32(counters), NumInstances: 1,
	})
	for i := range uint32(counters) {
		b = layout.AppendCounterDefinition(b, layout.CounterDefinition{ByteLength: 40, CounterType: layout.PERF_COUNTER_TEXT, CounterSize: size, CounterOffset: 4 + i})
	}
	b = layout.AppendInstanceDefinition(b, layout.InstanceDefinition{ByteLength: 24})
	return append(layout.AppendCounterBlock(b, layout.CounterBlock{ByteLength: block}), make([]byte, block-4)...)
}

// A thousand texts over the same bytes are not a thousand times the bytes to show.
func TestOverlapsAreBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		size, block uint32
		most        int
		reason      string
	}{
		{20_000, 24_000, 1, "texts come once"},
		{8, 24_000, 8, "numbers come each, of which no byte is in more than 8"},
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

// The padding of a block starts behind the last value that lies in it, wherever
// that stands among the counters.
func TestPaddingBehindManyCounters(t *testing.T) {
	t.Parallel()
	b := overlapping(20_000, 4, 24_000)
	index := layout.NewIndex(layout.ObjectsKind, b)
	padding, err := layout.ParsePath("object[0].instance[0].block.padding")
	if err != nil {
		t.Fatal(err)
	}
	part, err := index.Find(padding)
	if err != nil || part.Len() != 24_000-(4+20_000-1+4) {
		t.Fatalf("%d bytes of padding, %v", part.Len(), err)
	}
	for i := range 3 {
		path, err := layout.ParsePath(fmt.Sprintf("object[0].instance[0].block.value[%d]", i*9999))
		if err != nil {
			t.Fatal(err)
		}
		if part, err := index.Find(path); err != nil || part.Len() != 4 {
			t.Errorf("%v: %d bytes, %v", path, part.Len(), err)
		}
	}
}
