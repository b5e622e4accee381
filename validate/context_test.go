package validate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// identifierFor returns an identifier of a counter, or of all counters, for instances of that
// name. index is the position of its result.
func identifierFor(set layout.GUID, counter uint32, name string, index uint32) []byte {
	if name != "" {
		name = text(name + "\x00")
	}
	id := identifierOfName(name)
	id.CounterSetGuid, id.CounterId, id.Index = set, counter, index
	return appendIdentifier(nil, id, name)
}

// ofSet returns a registration of a counter set. The counters have those types and ids from 1
// on.
func ofSet(set layout.GUID, types ...layout.CounterType) []byte {
	b := wire.CounterSetRegInfo{CounterSetGuid: set, DetailLevel: layout.PERF_DETAIL_NOVICE, NumCounters: uint32(len(types))}.Append(nil)
	for i, t := range types {
		b = registered(uint32(i+1), t).Append(b)
	}
	return b
}

// TestResultsOfIdentifiers checks results against the identifiers of the query.
func TestResultsOfIdentifiers(t *testing.T) {
	t.Parallel()
	const all = layout.PERF_WILDCARD_COUNTER
	single, several := singleCounter(4), resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1), counterData(8))
	instances := resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, instanceHeader(1, text("a\x00")), counterData(8)))
	set := resultBytes(layout.PERF_COUNTERSET, multiCounters(1), multiInstances(1, instanceHeader(1, text("a\x00")), counterData(8)))
	const unasked = "data-identifier-type result[0].dwType: dwType is "
	one := func(counter uint32, name string) []byte { return identifierFor(someSet, counter, name, 0) }
	for _, tt := range []struct {
		reason      string
		identifiers []byte
		answers     [][]byte
		want        []string
	}{
		{"one counter of no instance", one(1, ""), [][]byte{single}, nil},
		{"of an exact name", one(1, "a"), [][]byte{single}, nil},
		{"of a name in a pattern", one(1, "a?"), [][]byte{instances}, nil},
		{"of all", one(1, "*"), [][]byte{instances}, nil},
		{"all counters of no instance", one(all, ""), [][]byte{several}, nil},
		{"of an exact name", one(all, "a"), [][]byte{several}, nil},
		{"of all", one(all, "*"), [][]byte{set}, nil},
		{"of a name in a pattern", one(all, "chrome*"), [][]byte{set}, nil},
		{"an empty name, and a star after its NUL", one(1, "\x00*"), [][]byte{single}, nil},
		{"an error whatever was asked for", one(all, "*"), [][]byte{errorResult(4201)}, nil},

		{"one counter, and all are there", one(1, ""), [][]byte{several}, []string{unasked + "PERF_MULTIPLE_COUNTERS, must be PERF_SINGLE_COUNTER, for which its identifier asks"}},
		{"one name, and a set is there", one(all, "_Total"), [][]byte{set}, []string{unasked + "PERF_COUNTERSET, must be PERF_MULTIPLE_COUNTERS, for which its identifier asks"}},
		{"all names, and one is there", one(1, "*"), [][]byte{single}, []string{unasked + "PERF_SINGLE_COUNTER, must be PERF_MULTIPLE_INSTANCES, for which its identifier asks"}},
		{"all of all, and one counter is there", one(all, "*"), [][]byte{instances}, []string{unasked + "PERF_MULTIPLE_INSTANCES, must be PERF_COUNTERSET, for which its identifier asks"}},
		{"an unknown type has its own rule", one(1, ""), [][]byte{resultBytes(3)}, []string{"counter-type-known result[0].dwType: dwType is 3, must be 0, 1, 2, 4 or 6"}},

		{"Index selects the result, whatever the order of the identifiers", slices.Concat(identifierFor(someSet, all, "*", 1), identifierFor(someSet, 1, "", 0)), [][]byte{single, set}, nil},
		{"Index that leads elsewhere", slices.Concat(identifierFor(someSet, all, "*", 0), identifierFor(someSet, 1, "", 1)), [][]byte{single, set}, []string{
			unasked + "PERF_SINGLE_COUNTER, must be PERF_COUNTERSET, for which its identifier asks",
			"data-identifier-type result[1].dwType: dwType is PERF_COUNTERSET, must be PERF_SINGLE_COUNTER, for which its identifier asks"}},
		{"fewer answers", slices.Concat(one(1, ""), identifierFor(someSet, 1, "*", 1)), [][]byte{single}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 1, must be 2, the identifiers of the query"}},
		{"more", one(1, ""), [][]byte{single, set}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 2, must be 1, the identifiers of the query"}},
		{"no identifiers", []byte{}, [][]byte{single}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 1, must be 0, the identifiers of the query"}},
		{"identifiers that are not known", nil, [][]byte{single}, nil},
	} {
		queryTest{tt.reason, queryBytes(tt.answers...), tt.want}.run(t, layout.QueryDataKind, validate.Context{Identifiers: tt.identifiers})
	}
}

// TestIdentifiersWithInvalidIndex has Index values that are not the positions of the results, as
// in identifiers passed to PerfAddCounters.
func TestIdentifiersWithInvalidIndex(t *testing.T) {
	t.Parallel()
	data := queryBytes(singleCounter(4), singleCounter(8))
	for _, tt := range []struct {
		reason      string
		identifiers []byte
	}{
		{"an Index twice", slices.Concat(identifierFor(someSet, 1, "", 0), identifierFor(someSet, 2, "", 0))},
		{"one that is too large", slices.Concat(identifierFor(someSet, 1, "", 1), identifierFor(someSet, 2, "", 2))},
		{"one of four billion", identifierFor(someSet, 1, "", 4_000_000_000)},
	} {
		r := validate.Bytes(layout.QueryDataKind, data, validate.Context{Identifiers: tt.identifiers})
		if r.Unchecked == nil || !strings.Contains(r.Unchecked.Error(), "the identifiers of the context: the Index values must be 0 to ") {
			t.Errorf("%s: %v", tt.reason, r.Unchecked)
		}
	}
}

// TestRegistrationsWithoutIdentifiers checks that a registration applies without identifiers
// only if it is the only one.
func TestRegistrationsWithoutIdentifiers(t *testing.T) {
	t.Parallel()
	other := layout.GUID{Data1: 2}
	narrow, wide := ofSet(someSet, layout.PERF_COUNTER_RAWCOUNT), ofSet(other, layout.PERF_COUNTER_LARGE_RAWCOUNT)
	data := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1), counterData(8)))
	for _, list := range [][][]byte{{narrow, wide}, {wide, narrow}, {wide}} {
		if r := validate.Bytes(layout.QueryDataKind, data, validate.Context{Registrations: list}); len(r.Findings) > 0 || r.Unchecked != nil {
			t.Errorf("%d sets: %v", len(list), r)
		}
	}
	if r := validate.Bytes(layout.QueryDataKind, data, validate.Context{Registrations: [][]byte{narrow}}); len(r.Findings) != 1 {
		t.Errorf("the one set is another: %v", r)
	}
}

// TestResultsOfRegistrations checks results against the registrations of their counter sets.
func TestResultsOfRegistrations(t *testing.T) {
	t.Parallel()
	const all = layout.PERF_WILDCARD_COUNTER
	other := layout.GUID{Data1: 2}
	two := ofSet(someSet, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT) // of 4 bytes, of 8
	texts := ofSet(someSet, layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA)
	several := func(ids []uint32, sizes ...uint32) []byte {
		return resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(ids...), counterData(sizes...))
	}
	for _, tt := range []struct {
		reason  string
		ctx     validate.Context
		answers [][]byte
		want    []string
	}{
		{"all counters of the set", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2}, 4, 8)}, nil},
		{"in another order", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{2, 1}, 8, 4)}, nil},
		{"the widths are swapped", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2}, 8, 4)}, []string{
			"counter-data-width-type result[0].data[0].dwDataSize: dwDataSize is 8, must be 4, as the counter's type says",
			"counter-data-width-type result[0].data[1].dwDataSize: dwDataSize is 4, must be 8, as the counter's type says"}},
		{"an unregistered counter instead of a registered one", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 9}, 4, 4)}, []string{
			"data-counter-unknown result[0].ids.dwCounters: dwCounters is 2, must count each counter of the set: counter 2 is missing",
			"data-counter-unknown result[0].ids.id[1]: the set has no counter 9, must be a registered counter"}},
		{"an extra counter that is not registered", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{9, 1, 2}, 4, 4, 8)}, []string{
			"data-counter-unknown result[0].ids.id[0]: the set has no counter 9, must be a registered counter"}},
		{"one twice", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2, 2}, 4, 8, 8)}, []string{
			"multi-counters-duplicate-id result[0].ids.id[2]: counter 2 is at id[1] too, must be there once"}},
		{"the wildcard id", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2, all}, 4, 8, 8)}, []string{
			"multi-counters-wildcard-id result[0].ids.id[2]: the id is 0xffffffff, PERF_WILDCARD_COUNTER, must be that of a counter"}},
		{"one that is missing", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{2}, 8)}, []string{
			"data-counter-unknown result[0].ids.dwCounters: dwCounters is 1, must count each counter of the set: counter 1 is missing"}},
		{"no ids", validate.Context{Registrations: [][]byte{two}}, [][]byte{resultBytes(layout.PERF_COUNTERSET, multiCounters(), multiInstances(1, instanceHeader(1, text("a\x00"))))}, []string{
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1",
			"data-counter-unknown result[0].ids.dwCounters: dwCounters is 0, must count each counter of the set: 2 are missing, counter 1 the first"}},
		{"types that have no width", validate.Context{Registrations: [][]byte{texts}}, [][]byte{several([]uint32{1, 2}, 4, 8)}, nil},
		{"each instance", validate.Context{Registrations: [][]byte{two}},
			[][]byte{resultBytes(layout.PERF_COUNTERSET, multiCounters(1, 2), multiInstances(2, instanceHeader(1, text("a\x00")), counterData(4, 8), instanceHeader(3, text("b\x00")), counterData(4, 4)))}, []string{
				"counter-data-width-type result[0].instance[1].data[1].dwDataSize: dwDataSize is 4, must be 8, as the counter's type says"}},
		{"two sets without identifiers: the results match no set", validate.Context{Registrations: [][]byte{ofSet(other, layout.PERF_COUNTER_RAWCOUNT), two}},
			[][]byte{several([]uint32{1}, 4), several([]uint32{1}, 4)}, nil},
		{"single counters without identifiers", validate.Context{Registrations: [][]byte{two}}, [][]byte{singleCounter(4), singleCounter(8)}, nil},
		{"single counters with identifiers", validate.Context{Registrations: [][]byte{two}, Identifiers: slices.Concat(identifierFor(someSet, 1, "", 0), identifierFor(someSet, 2, "", 1), identifierFor(someSet, 9, "", 2))},
			[][]byte{singleCounter(8), singleCounter(8), singleCounter(4)}, []string{
				"counter-data-width-type result[0].data[0].dwDataSize: dwDataSize is 8, must be 4, as the counter's type says"}},
		{"of several instances", validate.Context{Registrations: [][]byte{two}, Identifiers: identifierFor(someSet, 2, "*", 0)},
			[][]byte{resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(4), instanceHeader(3, text("b\x00")), counterData(8)))}, []string{
				"counter-data-width-type result[0].instance[0].data[0].dwDataSize: dwDataSize is 4, must be 8, as the counter's type says"}},
		{"each result belongs to its own set", validate.Context{Registrations: [][]byte{two, ofSet(other, layout.PERF_COUNTER_LARGE_RAWCOUNT)}, Identifiers: slices.Concat(identifierFor(other, all, "", 0), identifierFor(someSet, all, "", 1))},
			[][]byte{several([]uint32{1}, 8), several([]uint32{1, 2}, 4, 8)}, nil},
		{"no identifiers, so the result belongs to no set", validate.Context{Registrations: [][]byte{two}, Identifiers: []byte{}}, [][]byte{several([]uint32{7}, 8)}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 1, must be 0, the identifiers of the query"}},
		{"a set without a registration", validate.Context{Registrations: [][]byte{two}, Identifiers: identifierFor(other, all, "", 0)}, [][]byte{several([]uint32{7}, 8)}, nil},
		{"identifiers with an Index out of range select no set", validate.Context{Registrations: [][]byte{two}, Identifiers: identifierFor(someSet, all, "", 5)}, [][]byte{several([]uint32{7}, 8)}, nil},
	} {
		queryTest{tt.reason, queryBytes(tt.answers...), tt.want}.run(t, layout.QueryDataKind, tt.ctx)
	}
}
