package main

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
)

// TestCounterIDs checks that counterIDs finds the same counters as CounterSet.Find.
func TestCounterIDs(t *testing.T) {
	t.Parallel()
	p, err := definition.Parse("x.yaml", []byte(`provider: X
counterSets:
  - name: S
    instances: single
    counters:
      - {name: A, id: 7, type: PERF_COUNTER_RAWCOUNT}
      - {name: "#7", id: 8, type: PERF_COUNTER_RAWCOUNT}
      - {name: "#9", id: 10, type: PERF_COUNTER_RAWCOUNT}
      - {name: A, id: 11, type: PERF_COUNTER_RAWCOUNT}
      - {id: 12, type: PERF_RAW_BASE}
`))
	if err != nil {
		t.Fatal(err)
	}
	set := &p.CounterSets[0]
	id := counterIDs(set)
	for ref, reason := range map[string]string{
		"A": "the first of two counters with this name", "#7": "an id, and a name", "#007": "an id with zeros", "#9": "only a name",
		"#12": "a counter without a name", "": "no reference", "#": "no digits", "B": "no counter", "#13": "no id", "#4294967303": "7, modulo 2^32",
	} {
		got, want := id(ref), set.Find(ref)
		if (got == nil) != (want == nil) || got != nil && *got != want.ID {
			t.Errorf("%q, %s: got %v, want %v", ref, reason, got, want)
		}
	}
}

// TestManyCounters checks that the time for a definition with many counters is linear: the test would take minutes if
// each reference were searched in all counters.
func TestManyCounters(t *testing.T) {
	t.Parallel()
	const n = 20_000
	set := definition.CounterSet{GUID: layout.GUID{Data1: 1}}
	for i := range uint32(n) {
		set.Counters = append(set.Counters, definition.Counter{ID: i + 1, Type: layout.PERF_RAW_FRACTION, Base: fmt.Sprintf("#%d", n-i)})
	}
	sets := setsOf(&definition.Provider{CounterSets: []definition.CounterSet{set}})
	if got := sets[0].Counters[n-1].BaseCounterId; len(sets[0].Counters) != n || got == nil || *got != 1 {
		t.Errorf("%d counters, the last has the base %v", len(sets[0].Counters), got)
	}
}
