//go:build !race

// The race detector changes the measured allocations.

package spec_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// counted returns an object of n instances with names, UniqueIDs, numbers and texts.
func counted(n int) builder.Object {
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_LARGE_RAWCOUNT).Counter(6, layout.PERF_COUNTER_RAWCOUNT)
	for i := range n {
		id := int32(i)
		o.Add(builder.Instance{Name: fmt.Sprintf("instance %d", i), UniqueID: &id, Values: []uint64{uint64(i) << 40, uint64(i)}})
	}
	return *o
}

// Writing allocates memory for objects and counters, not for instances.
func TestAppendYAMLAllocatesLittle(t *testing.T) {
	cost := func(n int) float64 {
		s := spec.Spec{Model: &builder.DataBlock{Objects: []builder.Object{counted(n)}}}
		return testing.AllocsPerRun(3, func() {
			if _, err := s.AppendYAML(nil); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := cost(10), cost(10_000); many > few+10 {
		t.Errorf("%v allocations for 10 instances and %v for 10,000", few, many)
	}
}

// AppendYAML does not keep a text that is too long.
func TestTooLongATextIsNotKept(t *testing.T) {
	if !long.Enabled() {
		t.Skip("takes seconds")
	}
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_LARGE_RAWCOUNT)
	o.Instances = make([]builder.Instance, 1_000_000)
	for i := range o.Instances {
		o.Instances[i] = builder.Instance{Name: "a name that makes a text of a hundred bytes of this instance with the marks around it", Values: []uint64{1}}
	}
	want := fmt.Sprintf("the text has %d bytes, must have at most 33554432 to be read again",
		len("objects:\n  - ObjectNameTitleIndex: 2\n    counters:\n      - {CounterNameTitleIndex: 4, CounterType: PERF_COUNTER_LARGE_RAWCOUNT}\n    instances:\n")+
			1_000_000*len("      - {name: "+o.Instances[0].Name+", values: [1]}\n"))
	s := spec.Spec{Model: &builder.DataBlock{Objects: []builder.Object{*o}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := s.AppendYAML([]byte("kept"))
	runtime.ReadMemStats(&after)
	if err == nil || err.Error() != want || string(b) != "kept" {
		t.Errorf("%.10s, %v; want %s", b, err, want)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 40<<20 {
		t.Errorf("%d MiB", took>>20)
	}
}

// Reading takes some 42 allocations for each of these instances, nearly all in the
// YAML library.
func TestParseAllocatesLittle(t *testing.T) {
	const n = 5000
	s := spec.Spec{Model: &builder.DataBlock{Objects: []builder.Object{counted(n)}}}
	text, err := s.AppendYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(3, func() { _, err = spec.Parse("", text) })
	if err != nil || allocs > 42.5*n {
		t.Errorf("%v allocations for %d instances, %v", allocs, n, err)
	}
	json := bytes.Buffer{}
	json.WriteString(`{"objects": [{"ObjectNameTitleIndex": 2, "values": [1`)
	json.WriteString(strings.Repeat(", 2", n))
	json.WriteString(`]}]}`)
	if allocs := testing.AllocsPerRun(3, func() { _, err = spec.Parse("", json.Bytes()) }); err != nil || allocs > n/20 {
		t.Errorf("%v allocations for %d numbers of JSON, %v", allocs, n, err)
	}
}
