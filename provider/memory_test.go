package provider

import (
	"runtime"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestPool checks that a pool returns values that are 0, that no two instances share a cache line, and that the pool
// reuses memory.
func TestPool(t *testing.T) {
	t.Parallel()
	var p pool
	first, err := p.take(3)
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.take(1)
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 3 || len(second) != 1 || cap(first) != lineWords || cap(second) != lineWords {
		t.Errorf("%d of %d values and %d of %d values", len(first), cap(first), len(second), cap(second))
	}
	for i := range first {
		first[i].Store(7)
	}
	p.giveBack(first)
	again, err := p.take(8)
	if err != nil {
		t.Fatal(err)
	}
	if &again[0] != &first[0] {
		t.Error("the values that were given back were not used again")
	}
	for i := range again {
		if n := again[i].Load(); n != 0 {
			t.Errorf("value %d is %d", i, n)
		}
	}
	large, err := p.take(3 * regionWords)
	if err != nil || len(large) != 3*regionWords {
		t.Errorf("%d values, %v", len(large), err)
	}
}

// TestReuse checks that the memory of a deleted instance stays in use while the program refers to the instance or to one of
// its counters.
func TestReuse(t *testing.T) {
	types := make([]layout.CounterType, 100) // no other test has instances with this number of values
	for i := range types {
		types[i] = layout.PERF_COUNTER_LARGE_RAWCOUNT
	}
	s := newSet("Reuse", multiple, types...)
	free := func() int {
		memory.mu.Lock()
		defer memory.mu.Unlock()
		return len(memory.free[104])
	}
	p := start(t, newStandIn(), Options{}, s)
	counter := &create(t, p, s, "a").Counters[99]
	if err := (&Instance{&lease{p.sets[s].names["A"]}}).Delete(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		runtime.GC()
	}
	create(t, p, s, "b")
	if n := free(); n != 0 {
		t.Errorf("the values of %d instances are free, although the program can still count", n)
	}
	counter.Add(1)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for free() < 2 { // the test times out if the loop does not end
		runtime.GC()
		runtime.Gosched()
	}
}
