//go:build !race

// These tests are not built with -race, because the race detector changes the times and sizes that
// the tests measure.

package validate_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestHostileInputIsLinear checks that the time and the memory for inputs that are slow to validate
// grow linearly.
func TestHostileInputIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("the test measures times for seconds")
	}
	// The large input is 64 times larger than the small input. It may take 16 times longer per byte,
	// because it does not fit into the caches and because other processes run. With a nested loop
	// over the records, it would take 64 times longer per byte. The validator may allocate 8 bytes
	// for each byte of the large input, and memory for the listed findings.
	const times, slower, memory = 64, 16, 8
	const findings = 2 << 20 // largest memory for the listed findings, in bytes
	for _, h := range slices.Concat(hostileObjects, hostileLists, hostileSets, hostileQueries) {
		n := h.n / long.Count(24, 4)
		small, large := h.make(n/times), h.make(n)
		// The small input is checked many times, so that other processes slow down this measurement as much as the
		// measurement of the large input.
		const runs = 16
		var base time.Duration
		for range runs {
			cost, _ := measure(t, h, small)
			base += cost
		}
		base = base * time.Duration(len(large)/len(small)) / runs // time for as many bytes as the large input has
		limit := base*slower + 10*time.Millisecond
		cost, size := measure(t, h, large)
		for try := 1; try < 8 && cost > limit && cost < 8*limit; try++ {
			time.Sleep(time.Duration(try) * 100 * time.Millisecond) // another process may use the processor or much memory
			again, _ := measure(t, h, large)
			cost = min(cost, again)
		}
		if cost > limit {
			t.Errorf("%s: %d bytes take %v, must take at most %v, because inputs of %d bytes take %v for as many bytes", h.name, len(large), cost, limit, len(small), base)
		}
		if most := memory*uint64(len(large)) + findings; size > most {
			t.Errorf("%s: %d bytes take %d bytes of memory, must take at most %d", h.name, len(large), size, most)
		}
		t.Logf("%-46s %9d bytes, %10v, %.1f times %v, %.2f bytes of memory for each byte", h.name, len(large), cost, float64(cost)/float64(base), base, float64(size)/float64(len(large)))
	}
}

// measure returns the time and the memory that a new Validator requires for b. It fails the test
// if a finding is outside b.
func measure(t *testing.T, h hostile, b []byte) (time.Duration, uint64) {
	t.Helper()
	v, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var ctx validate.Context
	if of := hostileContexts[h.name]; of != nil {
		ctx = of(len(b))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	r := v.Bytes(h.kind, b, ctx)
	cost := time.Since(start)
	runtime.ReadMemStats(&after)
	for _, f := range r.Findings {
		if f.Off < 0 || f.Len < 0 || f.Off > int64(len(b)) || int64(f.Len) > int64(len(b))-f.Off {
			t.Fatalf("%s: %v has %d bytes, which are outside the %d bytes of the input", h.name, f, f.Len, len(b))
		}
	}
	return cost, after.TotalAlloc - before.TotalAlloc
}

// TestRepeatedCheckAllocatesNothing checks that a Validator allocates nothing for a block that it
// validated before.
func TestRepeatedCheckAllocatesNothing(t *testing.T) {
	v, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := appendObject(nil, objectOfTitle(10), oneCounter, instanceList(300, func(i int) testInstance { return withID(string(rune('一'+i)), int32(i)) }))
	b = appendObject(b, objectOfTitle(20), counterList(300, func(i int, c *wire.Counter) { c.CounterOffset = uint32(4 + 4*i) }), instanceList(300, func(i int) testInstance {
		in := withParent(string(rune('a'+i%26))+string(rune('a'+i/26)), 10, uint32(i))
		in.block = 1208
		return in
	}))
	b = dataBlockBytes(b, 2, 0)
	if r := v.Bytes(layout.DataBlockKind, b, validate.Context{}); len(r.Findings) > 0 {
		t.Fatalf("the block is not valid: %v", r.Err(validate.Info))
	}
	if n := testing.AllocsPerRun(5, func() { v.Bytes(layout.DataBlockKind, b, validate.Context{}) }); n != 0 {
		t.Errorf("%v allocations for a block that was checked before", n)
	}
}

// TestRepeatedV2CheckAllocatesNothing checks that a Validator allocates nothing for a V2 buffer
// that it validated before.
func TestRepeatedV2CheckAllocatesNothing(t *testing.T) {
	for kind, b := range validBuffers {
		v, err := validate.New(validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(5, func() { v.Bytes(kind, b, validate.Context{}) }); n != 0 {
			t.Errorf("%v: %v allocations for a buffer that was checked before", kind, n)
		}
	}
}

// The type hostile makes inputs that are expensive to validate. Their size grows with n.
type hostile struct {
	name string
	n    int
	kind layout.Kind
	make func(n int) []byte
}

var web = namedInstance(terminated(text16("web"), 0))

var hostileObjects = []hostile{
	{"objects whose instances are the same", 50_000, layout.ObjectsKind, func(n int) []byte {
		const most = 160 // the definitions of each object end less than 160 bytes before the offset `instances`
		instances := 64*n + most
		b := make([]byte, 0, instances+64*n)
		for i := range n {
			counters := (instances - 64*(i+1)) / 40 / 4 * 4
			for _, v := range []int{64, 64 + 40*counters, 64, 4000, 0, 4001, 0, 100, counters, -1, math.MaxInt32, 0, 0, 0, 0, 0} {
				b = binary.LittleEndian.AppendUint32(b, uint32(v))
			}
		}
		b = append(b, make([]byte, instances-len(b))...)
		for range 2 * n {
			for _, v := range []uint32{24, 0, 0, math.MaxUint32, 0, 0, 8, 0} {
				b = binary.LittleEndian.AppendUint32(b, v)
			}
		}
		// If the definitions of an object end before the offset `instances`, its first instances are here.
		for at := 64 * n; at < instances; at += 32 {
			copy(b[at:], b[instances:instances+32])
		}
		return b
	}},
	{"instances with equal names", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(int) testInstance { return web }))
	}},
	{"instances whose names differ only in case", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(i int) testInstance { return namedInstance(caseVariant(i)) }))
	}},
	{"instances with the name _Total", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(int) testInstance { return withParent("_Total", 0, 0) }))
	}},
	{"instances with different names", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(i int) testInstance {
			return namedInstance(terminated(units16(uint16(0x4E00+i%0x5000), uint16(0x4E00+i/0x5000)), 0))
		}))
	}},
	{"two instances with very long names", 2_000_000, layout.ObjectsKind, func(n int) []byte {
		name := terminated(bytes.Repeat([]byte("a\x00"), n), 0)
		return appendObject(nil, object4000, oneCounter, instanceList(2, func(int) testInstance { return namedInstance(name) }))
	}},
	{"instances with equal UniqueIDs", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(int) testInstance { return testInstance{id: 7, block: 8} }))
	}},
	{"instances with different UniqueIDs", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(i int) testInstance { return testInstance{id: int32(i) << 8, block: 8} }))
	}},
	{"instances whose parent is the last instance", 1_000_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(int) testInstance { return testInstance{parent: [2]uint32{4000, uint32(n - 1)}, block: 8} }))
	}},
	{"instances whose parents are in the last of many objects, or missing", 50_000, layout.DataBlockKind, func(n int) []byte {
		var b []byte
		for i := range n {
			b = appendObject(b, objectOfTitle(uint32(5000+2*i)), nil, nil)
		}
		b = appendObject(b, object4000, oneCounter, instanceList(n, func(i int) testInstance {
			return testInstance{parent: [2]uint32{uint32(5000 + 2*(n-1) + i%2), 0}, block: 8}
		}))
		return dataBlockBytes(b, uint32(n+1), 0)
	}},
	{"instances whose parents do not exist", 100_000, layout.DataBlockKind, func(n int) []byte {
		return dataBlockBytes(appendObject(nil, object4000, oneCounter, instanceList(n, func(i int) testInstance {
			return testInstance{parent: [2]uint32{uint32(5000 + i), uint32(i)}, block: 8}
		})), 1, 0)
	}},
	{"counters at one offset, and short counter blocks", 200_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, counterList(n, func(int, *wire.Counter) {}), instanceList(n/2, func(int) testInstance { return testInstance{block: 8} }))
	}},
	{"counters at consecutive offsets, and short counter blocks", 200_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, counterList(n, func(i int, c *wire.Counter) { c.CounterOffset = uint32(4 + 4*i) }), instanceList(n/2, func(int) testInstance { return testInstance{block: 8} }))
	}},
	{"counters that overlap all other counters", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, counterList(n, func(i int, c *wire.Counter) { c.CounterOffset, c.CounterSize = uint32(n-i), uint32(n+i) }), []testInstance{web})
	}},
	{"counters with the same title", 200_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, counterList(n, func(_ int, c *wire.Counter) { c.CounterNameTitleIndex = 4002 }), nil)
	}},
	{"texts at consecutive offsets, and short counter blocks", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, counterList(n, func(i int, c *wire.Counter) {
			c.CounterType, c.CounterOffset = layout.PERF_COUNTER_TEXT, uint32(4+4*i)
		}), instanceList(n, func(int) testInstance { return testInstance{block: 8} }))
	}},
	{"texts at one offset, and short counter blocks", 100_000, layout.ObjectsKind, func(n int) []byte {
		return appendObject(nil, object4000, counterList(n, func(_ int, c *wire.Counter) { c.CounterType = layout.PERF_COUNTER_TEXT }), instanceList(n, func(int) testInstance { return testInstance{block: 8} }))
	}},
	{"counter blocks of decreasing length", 1_500, layout.ObjectsKind, func(n int) []byte { // the size grows with n*n
		return appendObject(nil, object4000, counterList(n, func(i int, c *wire.Counter) { c.CounterOffset = uint32(4 + 4*i) }),
			instanceList(n, func(i int) testInstance { return testInstance{block: uint32(8 * (n - i))} }))
	}},
	{"instances whose ByteLength is 0", 300_000, layout.ObjectsKind, func(n int) []byte {
		b := appendObject(nil, object4000, oneCounter, instanceList(n, func(int) testInstance { return testInstance{block: 8} }))
		clear(b[64+40:])
		return b
	}},
	{"counter blocks whose ByteLength is 0", 300_000, layout.ObjectsKind, func(n int) []byte {
		b := appendObject(nil, object4000, oneCounter, instanceList(n, func(int) testInstance { return testInstance{block: 8} }))
		for at := 64 + 40; at < len(b); at += 32 {
			binary.LittleEndian.PutUint32(b[at+24:], 0)
		}
		return b
	}},
	{"counters whose ByteLength is 0", 200_000, layout.ObjectsKind, func(n int) []byte {
		b := appendObject(nil, object4000, counterList(n, func(int, *wire.Counter) {}), nil)
		clear(b[64:])
		return b
	}},
	{"objects with the same title", 1_000_000, layout.DataBlockKind, func(n int) []byte {
		return dataBlockBytes(bytes.Repeat(appendObject(nil, object4000, nil, nil), n), uint32(n), 0)
	}},
	{"objects at offsets that are not multiples of 8", 100_000, layout.ObjectsKind, func(n int) []byte {
		return bytes.Repeat(append(poke(appendObject(nil, object4000, nil, nil), 0, 66), 0, 0), n)
	}},
	{"NumInstances of two billion", 300_000, layout.ObjectsKind, func(n int) []byte {
		return poke(appendObject(nil, object4000, oneCounter, instanceList(n, func(int) testInstance { return web })), 40, math.MaxInt32)
	}},
	{"NumCounters of four billion", 200_000, layout.ObjectsKind, func(n int) []byte {
		return poke(appendObject(nil, object4000, counterList(n, func(int, *wire.Counter) {}), nil), 32, math.MaxUint32)
	}},
	{"NumObjectTypes of four billion", 100_000, layout.DataBlockKind, func(n int) []byte {
		return poke(dataBlockBytes(bytes.Repeat(appendObject(nil, object4000, nil, nil), n), uint32(n), 0), 28, math.MaxUint32)
	}},
	{"zeros", 10_000_000, layout.ObjectsKind, func(n int) []byte { return make([]byte, n) }},
	{"zeros as a data block", 10_000_000, layout.DataBlockKind, func(n int) []byte { return make([]byte, n) }},
	{"0xFF", 10_000_000, layout.ObjectsKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"0xFF as a data block", 10_000_000, layout.DataBlockKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"signatures", 10_000_000, layout.ObjectsKind, func(n int) []byte { return bytes.Repeat(text16("PERF"), n/8) }},
	{"signatures as a data block", 10_000_000, layout.DataBlockKind, func(n int) []byte { return bytes.Repeat(text16("PERF"), n/8) }},
	{"headers", 10_000_000, layout.DataBlockKind, func(n int) []byte { return bytes.Repeat(dataBlockBytes(nil, math.MaxUint32, uint32(n)), n/88) }},
}
