package builder_test

import (
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// hostile returns objects whose records claim more than their bytes hold.
func hostile(counters, instances int, offset, size uint32, typ layout.CounterType) []byte {
	const block = 32
	definitions := 64 + 40*counters
	b := wire.ObjectType{
		TotalByteLength: uint32(definitions + instances*(24+block)), DefinitionLength: uint32(definitions), HeaderLength: 64,
		DetailLevel: 100, NumCounters: uint32(counters), NumInstances: int32(instances),
	}.Append(nil)
	for range counters {
		b = wire.CounterDefinition{ByteLength: 40, DetailLevel: 100, CounterType: typ, CounterSize: size, CounterOffset: offset}.Append(b)
	}
	for range instances {
		b = wire.InstanceDefinition{ByteLength: 24, UniqueID: -1}.Append(b)
		b = append(wire.CounterBlock{ByteLength: block}.Append(b), make([]byte, block-4)...)
	}
	return b
}

// manyMore makes the object claim two billion instances.
func manyMore(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[layout.PERF_OBJECT_TYPE.Field("NumInstances").At:], math.MaxInt32)
	return b
}

// Memory stays within a small multiple of the input, whatever it claims: a block
// may give 10,000 counters one place, and so hold far more values than bytes.
func TestMemoryIsLinear(t *testing.T) {
	for _, test := range []struct {
		reason string
		bytes  []byte
		kind   error // nil where it decodes
	}{
		{"10,000 instances of 10,000 numbers at one place", hostile(10_000, 10_000, 4, 4, layout.PERF_COUNTER_RAWCOUNT), builder.ErrTooLarge},
		{"texts without end at one place", hostile(10_000, 10_000, 4, 4, layout.PERF_COUNTER_TEXT), builder.ErrConflict},
		{"labels, which take no room", hostile(10_000, 10_000, 4, 0, layout.PERF_COUNTER_NODATA), builder.ErrTooLarge},
		{"counters and no instances", hostile(25_000, 0, 4, 4, layout.PERF_COUNTER_RAWCOUNT), nil},
		{"instances and no counters", hostile(0, 18_000, 4, 4, layout.PERF_COUNTER_RAWCOUNT), nil},
		{"NumInstances of two billion", manyMore(hostile(0, 18_000, 4, 4, 0)), layout.ErrShort},
		{"a place 4 billion bytes away", hostile(25_000, 100, math.MaxUint32-16, 4, layout.PERF_COUNTER_RAWCOUNT), builder.ErrTooLarge},
		{"a value of 4 billion bytes", hostile(25_000, 100, 4, math.MaxUint32, layout.PERF_COUNTER_TEXT), builder.ErrTooLarge},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var o builder.Objects
		_, err := o.UnmarshalLossy(test.bytes)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, test.kind) {
			t.Errorf("%s: %v, want %v", test.reason, err, test.kind)
		}
		const factor = 14 // what a model of the smallest records takes, with what decoding needs beside it
		if used := after.TotalAlloc - before.TotalAlloc; used > factor*uint64(len(test.bytes)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(test.bytes))
		}
	}
}
