package diff_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// hostileSize is the size of each block in TestHostile. A comparison with quadratic time takes minutes at this size.
var hostileSize = long.Count(1<<18, 2<<20)

// TestHostile compares large blocks whose contents make a simple comparison slow.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   layout.Kind
		a, b   []byte
		reason string
	}{
		{layout.ObjectsKind, manyRows(0), manyRows(1), "half of the bytes are counters, and each counter block has another length than the one before it"},
		{layout.ObjectsKind, reversed(false), reversed(true), "all instances have another place"},
		{layout.ObjectsKind, oneParent('a'), oneParent('b'), "all instances have the same parent, whose name is half of the bytes"},
		{layout.StringsKind, manyEntries(0), manyEntries(2), "all strings have another offset"},
		{layout.GUIDsKind, bytes.Repeat([]byte{1}, hostileSize), bytes.Repeat([]byte{1, 2}, hostileSize/2), "all GUIDs are the same"},
		{layout.IdentifiersKind, make([]byte, hostileSize), bytes.Repeat([]byte{0xFF}, hostileSize), "no bytes can be read"},
	} {
		t.Log(tt.reason)
		check(t, tt.kind, tt.a, tt.b)
	}
}

// appendFields appends numbers of 4 bytes.
func appendFields(b []byte, fields ...int) []byte {
	for _, f := range fields {
		b = binary.LittleEndian.AppendUint32(b, uint32(f))
	}
	return b
}

// objectOf returns an object with the given counters, NumInstances and instances.
func objectOf(title int, counters []byte, numInstances int, instances []byte) []byte {
	definition := layout.SizeofObjectType + len(counters)
	b := appendFields(nil, definition+len(instances), definition, layout.SizeofObjectType, title, 0, title+1, 0, 100,
		len(counters)/layout.SizeofCounterDefinition, 0, numInstances, 0, 0, 0, 0, 0)
	return append(append(b, counters...), instances...)
}

func appendCounter(b []byte, title, offset int) []byte {
	return appendFields(b, layout.SizeofCounterDefinition, title, 0, title+1, 0, 0, 100, int(layout.PERF_COUNTER_RAWCOUNT), 4, offset)
}

// appendInstance appends an unnamed instance and its counter block, which has the given length.
func appendInstance(b []byte, id, parent, blockLength, value int) []byte {
	b = appendFields(b, layout.SizeofInstanceDefinition, parent, 0, id, layout.SizeofInstanceDefinition, 0)
	return append(appendFields(b, blockLength, value), make([]byte, blockLength-8)...)
}

func manyRows(value int) []byte {
	var counters, instances []byte
	for len(counters) < hostileSize/2 {
		counters = appendCounter(counters, 2+len(counters), 4)
	}
	n := 0
	for ; len(instances) < hostileSize/2; n++ {
		instances = appendInstance(instances, n, 0, 8+8*(n%2), value)
	}
	return objectOf(2, counters, n, instances)
}

func reversed(reverse bool) []byte {
	const size = layout.SizeofInstanceDefinition + 8
	n := hostileSize / size
	var instances []byte
	for i := range n {
		id := i
		if reverse {
			id = n - i
		}
		instances = appendInstance(instances, id, 0, 8, i)
	}
	return objectOf(2, appendCounter(nil, 2, 4), n, instances)
}

func oneParent(name byte) []byte {
	parent := appendFields(nil, layout.SizeofInstanceDefinition+hostileSize/2, 0, 0, -1, layout.SizeofInstanceDefinition, hostileSize/2)
	parent = append(parent, bytes.Repeat([]byte{name, 0}, hostileSize/4)...)
	parent = appendFields(parent, 8, 1)
	var instances []byte
	n := 0
	for ; len(instances) < hostileSize/2; n++ {
		instances = appendInstance(instances, n, 2, 8, n)
	}
	counter := appendCounter(nil, 2, 4)
	return append(objectOf(2, counter, 1, parent), objectOf(4, counter, n, instances)...)
}

func manyEntries(gap int) []byte {
	const entry, text = layout.SizeofStringCounterHeader, 4
	n := hostileSize / (entry + text)
	size := layout.SizeofStringBufferHeader + n*(entry+text) + gap
	b := appendFields(nil, size, n)
	for i := range n {
		b = appendFields(b, i, size-(n-i)*text)
	}
	b = append(b, make([]byte, gap)...)
	return append(b, bytes.Repeat([]byte{'a', 0, 0, 0}, n)...)
}
