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

// hostile returns an object whose counters all have the same offset, size and type.
func hostile(counters, instances int, offset, size uint32, typ layout.CounterType) []byte {
	const block = 32
	definitions := 64 + 40*counters
	b := wire.Object{
		TotalByteLength: uint32(definitions + instances*(24+block)), DefinitionLength: uint32(definitions), HeaderLength: 64,
		DetailLevel: 100, NumCounters: uint32(counters), NumInstances: int32(instances),
	}.Append(nil)
	for range counters {
		b = wire.Counter{ByteLength: 40, DetailLevel: 100, CounterType: typ, CounterSize: size, CounterOffset: offset}.Append(b)
	}
	for range instances {
		b = wire.Instance{ByteLength: 24, UniqueID: -1}.Append(b)
		b = append(wire.CounterBlock{ByteLength: block}.Append(b), make([]byte, block-4)...)
	}
	return b
}

// withManyInstances sets NumInstances of the object b to two billion.
func withManyInstances(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[layout.PERF_OBJECT_TYPE.Field("NumInstances").At:], math.MaxInt32)
	return b
}

// TestMemoryIsLinear checks that decoding allocates at most a small multiple of the length of the
// input.
func TestMemoryIsLinear(t *testing.T) {
	for _, test := range []struct {
		reason string
		bytes  []byte
		kind   error // nil if decoding succeeds
	}{
		{"10,000 instances of 10,000 numbers with the same offset", hostile(10_000, 10_000, 4, 4, layout.PERF_COUNTER_RAWCOUNT), builder.ErrTooLarge},
		{"texts of any length with the same offset", hostile(10_000, 10_000, 4, 4, layout.PERF_COUNTER_TEXT), builder.ErrConflict},
		{"texts with the same offset and no instances", hostile(25_000, 0, 4, 4, layout.PERF_COUNTER_TEXT), builder.ErrConflict},
		{"counters without a value", hostile(10_000, 10_000, 4, 0, layout.PERF_COUNTER_NODATA), builder.ErrTooLarge},
		{"values of variable length without bytes", hostile(4_000, 8_000, 8, 0, layout.PERF_SIZE_VARIABLE_LEN), builder.ErrTooLarge},
		{"counters and no instances", hostile(25_000, 0, 4, 4, layout.PERF_COUNTER_RAWCOUNT), nil},
		{"instances and no counters", hostile(0, 18_000, 4, 4, layout.PERF_COUNTER_RAWCOUNT), nil},
		{"NumInstances of two billion", withManyInstances(hostile(0, 18_000, 4, 4, 0)), layout.ErrShort},
		{"an offset of 4 billion", hostile(25_000, 100, math.MaxUint32-16, 4, layout.PERF_COUNTER_RAWCOUNT), builder.ErrTooLarge},
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
		const factor = 14 // enough for a model of the smallest records, plus other data that decoding allocates
		if used := after.TotalAlloc - before.TotalAlloc; used > factor*uint64(len(test.bytes)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(test.bytes))
		}
	}
}

// TestQueryMemoryIsLinear is TestMemoryIsLinear for query data.
func TestQueryMemoryIsLinear(t *testing.T) {
	claim := func(r *builder.Result, at int) []byte {
		b, err := new(builder.QueryData{}).Add(r).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if at > 0 {
			binary.LittleEndian.PutUint32(b[at:], 0xFFFFFFFF)
		}
		return b
	}
	unnamed := builder.CounterSet().Add(make([]builder.QueryInstance, 60_000)...)
	ids := builder.CounterSet().Define(make([]builder.QueryCounter, 1<<16)...)
	empty := builder.MultipleCounters().Define(make([]builder.QueryCounter, 1<<16)...)
	for i := range empty.Counters {
		empty.Counters[i].Bytes = true
	}
	empty.Values, empty.Texts = make([]uint64, 1<<16), make([]string, 1<<16)
	errorReturns := new(builder.QueryData{})
	for range 60_000 {
		errorReturns.Add(builder.ErrorReturn(0))
	}
	headers, err := errorReturns.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		reason string
		bytes  []byte
	}{
		{"results that have only a header", headers},
		{"instances without a value", claim(unnamed, 0)},
		{"four billion instances", claim(unnamed, 48+16+8+4)},
		{"ids without instances", claim(ids, 0)},
		{"four billion ids", claim(ids, 48+16+4)},
		{"values of no bytes", claim(empty, 0)},
		{"four billion results", claim(unnamed, 4)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var q builder.QueryData
		_, _ = q.UnmarshalLossy(test.bytes)
		runtime.ReadMemStats(&after)
		const factor = 14 // the same as in TestMemoryIsLinear
		if used := after.TotalAlloc - before.TotalAlloc; used > factor*uint64(len(test.bytes)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(test.bytes))
		}
	}
}

// TestSetMemoryIsLinear is TestMemoryIsLinear for registrations, templates and the other V2 blocks.
func TestSetMemoryIsLinear(t *testing.T) {
	full := builder.CounterSetRegInfo{Counters: make([]builder.CounterRegInfo, 1<<16)}
	wide := builder.CounterSetInfo{Counters: make([]builder.CounterInfo, 1<<16)}
	for i := range full.Counters {
		id := uint32(i)
		full.Counters[i].CounterId, wide.Counters[i].CounterId = id, id
		full.Counters[i].BaseCounterId = new((id + 1) % (1 << 16))
	}
	claim := func(m builder.Model, at int, n uint32) []byte {
		b, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			binary.LittleEndian.PutUint32(b[at:], n)
		}
		return b
	}
	for _, test := range []struct {
		reason string
		kind   layout.Kind
		bytes  []byte
	}{
		{"a full set", layout.RegSetKind, claim(&full, 0, 0)},
		{"a full template", layout.TemplateKind, claim(&wide, 0, 0)},
		{"a set that declares four billion counters", layout.RegSetKind, claim(&full, 24, 0xFFFFFFFF)},
		{"a template that declares four billion counters", layout.TemplateKind, claim(&wide, 32, 0xFFFFFFFF)},
		{"values without a name", layout.InstanceBlockKind, claim(&builder.CounterSetInstance{Values: make([]uint64, 1<<16)}, 0, 0)},
		{"GUIDs", layout.GUIDsKind, claim(new(make(builder.GUIDs, 60_000)), 0, 0)},
		{"entries with empty texts", layout.StringsKind, claim(&builder.StringBuffer{Entries: make([]builder.StringCounter, 60_000)}, 0, 0)},
	} {
		m, err := builder.NewModel(test.kind)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = m.UnmarshalLossy(test.bytes)
		runtime.ReadMemStats(&after)
		const factor = 14 // the same as in TestMemoryIsLinear
		if used := after.TotalAlloc - before.TotalAlloc; used > factor*uint64(len(test.bytes)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(test.bytes))
		}
	}
}
