package builder_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
)

// richSet returns query data that makes use of all that an instance can keep.
func richSet(instances int) builder.QueryData {
	set := builder.CounterSet().Counter(1, 4).Define(builder.QueryCounter{CounterId: 2}, builder.QueryCounter{CounterId: 3, Bytes: true})
	for i := range instances {
		set.Add(builder.QueryInstance{
			Name:       fmt.Sprintf("größe %08d", i),
			InstanceId: uint32(i),
			Values:     []uint64{uint64(i), uint64(i) << 40, 0},
			Texts:      []string{fmt.Sprintf("text %08d", i)},
		})
	}
	return *new(builder.QueryData{}).Add(set)
}

// Each part of an instance costs no allocation of its own, and is its own all the same.
func TestQueryDecodingAllocatesLittle(t *testing.T) {
	const n = 20_000
	q := richSet(n)
	b, err := q.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back builder.QueryData
	allocs := testing.AllocsPerRun(3, func() { err = back.UnmarshalBinary(b) })
	if err != nil || allocs > n/20 {
		t.Errorf("%v allocations for %d instances, %v", allocs, n, err)
	}
	in := &back.Results[0].Instances[50]
	_ = append(in.Values, 1, 2, 3)
	_ = append(in.Texts, "x")
	clear(b)
	if !reflect.DeepEqual(q, back) {
		t.Errorf("other instances changed with one (-want +got):\n%s", cmp.Diff(q, back))
	}
	list, ids := make(builder.InstanceList, n), make(builder.Identifiers, n)
	for i := range n {
		list[i].Name, ids[i].Name = fmt.Sprintf("größe %08d", i), fmt.Sprintf("größe %08d", i)
	}
	b, _ = list.MarshalBinary()
	allocs = testing.AllocsPerRun(3, func() { err = new(builder.InstanceList).UnmarshalBinary(b) })
	if err != nil || allocs > n/20 {
		t.Errorf("%v allocations for a list of %d, %v", allocs, n, err)
	}
	b, _ = ids.MarshalBinary()
	allocs = testing.AllocsPerRun(3, func() { err = new(builder.Identifiers).UnmarshalBinary(b) })
	if err != nil || allocs > n/20 {
		t.Errorf("%v allocations for %d identifiers, %v", allocs, n, err)
	}
}

// Encoding allocates the buffer and the plan, and into a buffer with room the plan alone.
func TestQueryEncodingAllocatesLittle(t *testing.T) {
	q := richSet(1000)
	n, err := q.EncodedLen()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 0, n)
	if allocs := testing.AllocsPerRun(10, func() { _, err = q.AppendBinary(b) }); err != nil || allocs > 1 {
		t.Errorf("%v allocations, %v", allocs, err)
	}
}

// Memory stays within a small multiple of the input, whatever it claims.
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
	errorsAlone := new(builder.QueryData{})
	for range 60_000 {
		errorsAlone.Add(builder.ErrorReturn(0))
	}
	alone, err := errorsAlone.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		reason string
		bytes  []byte
	}{
		{"answers of a header alone", alone},
		{"instances without a value", claim(unnamed, 0)},
		{"four billion instances", claim(unnamed, 48+16+8+4)},
		{"ids alone", claim(ids, 0)},
		{"four billion ids", claim(ids, 48+16+4)},
		{"values of no bytes", claim(empty, 0)},
		{"four billion answers", claim(unnamed, 4)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var q builder.QueryData
		_, _ = q.UnmarshalLossy(test.bytes)
		runtime.ReadMemStats(&after)
		const factor = 14 // as with the blocks of V1
		if used := after.TotalAlloc - before.TotalAlloc; used > factor*uint64(len(test.bytes)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(test.bytes))
		}
	}
}
