package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// identifierFor returns an identifier that requests one counter. index is the position of its result
// in the query data.
func identifierFor(set layout.GUID, counter uint32, name string, index uint32) []byte {
	if name != "" {
		name = text(name + "\x00")
	}
	id := identifierOfName(name)
	id.CounterSetGuid, id.CounterId, id.Index = set, counter, index
	return appendIdentifier(nil, id, name)
}

// registrationOf returns the registration of a counter set with one counter of each type. The
// ids are 1, 2, 3 and so on.
func registrationOf(set layout.GUID, types ...layout.CounterType) []byte {
	b := wire.CounterSetRegInfo{CounterSetGuid: set, DetailLevel: layout.PERF_DETAIL_NOVICE, NumCounters: uint32(len(types))}.Append(nil)
	for i, t := range types {
		b = registeredCounter(uint32(i+1), t).Append(b)
	}
	return b
}

// TestResultsOfIdentifiers checks that each result has the dwType that its identifier asks for.
func TestResultsOfIdentifiers(t *testing.T) {
	t.Parallel()
	const all = layout.PERF_WILDCARD_COUNTER
	single, several := singleCounter(4), resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1), counterData(8))
	instances := resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, instanceHeader(1, text("a\x00")), counterData(8)))
	set := resultBytes(layout.PERF_COUNTERSET, multiCounters(1), multiInstances(1, instanceHeader(1, text("a\x00")), counterData(8)))
	const wrongType = "data-identifier-type result[0].dwType: dwType is "
	one := func(counter uint32, name string) []byte { return identifierFor(someSet, counter, name, 0) }
	for _, tt := range []struct {
		reason      string
		identifiers []byte
		results     [][]byte
		want        []string
	}{
		{"the identifier asks for one counter and has no name", one(1, ""), [][]byte{single}, nil},
		{"the identifier asks for one counter of the instance a", one(1, "a"), [][]byte{single}, nil},
		{"the identifier asks for one counter of the instances that match a?", one(1, "a?"), [][]byte{instances}, nil},
		{"the identifier asks for one counter of all instances", one(1, "*"), [][]byte{instances}, nil},
		{"the identifier asks for all counters and has no name", one(all, ""), [][]byte{several}, nil},
		{"the identifier asks for all counters of the instance a", one(all, "a"), [][]byte{several}, nil},
		{"the identifier asks for all counters of all instances", one(all, "*"), [][]byte{set}, nil},
		{"the identifier asks for all counters of the instances that match chrome*", one(all, "chrome*"), [][]byte{set}, nil},
		{"the name is empty, and the star after its NUL is padding", one(1, "\x00*"), [][]byte{single}, nil},
		{"an error is a valid result for every identifier", one(all, "*"), [][]byte{errorResult(4201)}, nil},

		{"the identifier asks for one counter, and the result has a list of counters", one(1, ""), [][]byte{several}, []string{wrongType + "PERF_MULTIPLE_COUNTERS, must be PERF_SINGLE_COUNTER, the type that its identifier requests"}},
		{"the identifier asks for one instance, and the result has a list of instances", one(all, "_Total"), [][]byte{set}, []string{wrongType + "PERF_COUNTERSET, must be PERF_MULTIPLE_COUNTERS, the type that its identifier requests"}},
		{"the identifier asks for all instances, and the result has one value", one(1, "*"), [][]byte{single}, []string{wrongType + "PERF_SINGLE_COUNTER, must be PERF_MULTIPLE_INSTANCES, the type that its identifier requests"}},
		{"the identifier asks for all counters, and the result has one counter", one(all, "*"), [][]byte{instances}, []string{wrongType + "PERF_MULTIPLE_INSTANCES, must be PERF_COUNTERSET, the type that its identifier requests"}},
		{"another rule reports an unknown dwType", one(1, ""), [][]byte{resultBytes(3)}, []string{"counter-type-known result[0].dwType: dwType is 3, must be 0, 1, 2, 4 or 6"}},

		{"Index selects the result, whatever the order of the identifiers", slices.Concat(identifierFor(someSet, all, "*", 1), identifierFor(someSet, 1, "", 0)), [][]byte{single, set}, nil},
		{"the Index values are swapped", slices.Concat(identifierFor(someSet, all, "*", 0), identifierFor(someSet, 1, "", 1)), [][]byte{single, set}, []string{
			wrongType + "PERF_SINGLE_COUNTER, must be PERF_COUNTERSET, the type that its identifier requests",
			"data-identifier-type result[1].dwType: dwType is PERF_COUNTERSET, must be PERF_SINGLE_COUNTER, the type that its identifier requests"}},
		{"there are fewer results than identifiers", slices.Concat(one(1, ""), identifierFor(someSet, 1, "*", 1)), [][]byte{single}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 1, must be 2, the number of identifiers of the query"}},
		{"there are more results than identifiers", one(1, ""), [][]byte{single, set}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 2, must be 1, the number of identifiers of the query"}},
		{"the query has no identifiers", []byte{}, [][]byte{single}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 1, must be 0, the number of identifiers of the query"}},
		{"the caller gives no identifiers, so they are not checked", nil, [][]byte{single}, nil},
	} {
		queryTest{tt.reason, queryBytes(tt.results...), tt.want}.run(t, layout.QueryDataKind, validate.Context{Identifiers: tt.identifiers})
	}
}

// TestIdentifiersWithInvalidIndex checks that the validator refuses a context with n identifiers if
// their Index values are not the numbers from 0 to n-1.
func TestIdentifiersWithInvalidIndex(t *testing.T) {
	t.Parallel()
	data := queryBytes(singleCounter(4), singleCounter(8))
	for _, tt := range []struct {
		reason      string
		identifiers []byte
		most        int
	}{
		{"two identifiers have the same Index", slices.Concat(identifierFor(someSet, 1, "", 0), identifierFor(someSet, 2, "", 0)), 1},
		{"an Index is larger than the number of identifiers", slices.Concat(identifierFor(someSet, 1, "", 1), identifierFor(someSet, 2, "", 2)), 1},
		{"an Index is four billion", identifierFor(someSet, 1, "", 4_000_000_000), 0},
	} {
		r := validate.Bytes(layout.QueryDataKind, data, validate.Context{Identifiers: tt.identifiers})
		want := fmt.Sprintf("the identifiers of the context: the Index values must be 0 to %d, each once", tt.most)
		if r.Unchecked == nil || !strings.Contains(r.Unchecked.Error(), want) {
			t.Errorf("%s: %v, want %s", tt.reason, r.Unchecked, want)
		}
	}
}

// TestRegistrationsWithoutIdentifiers checks that query data without identifiers is compared with a
// registration only if the context has exactly one registration.
func TestRegistrationsWithoutIdentifiers(t *testing.T) {
	t.Parallel()
	other := layout.GUID{Data1: 2}
	narrow, wide := registrationOf(someSet, layout.PERF_COUNTER_RAWCOUNT), registrationOf(other, layout.PERF_COUNTER_LARGE_RAWCOUNT)
	data := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1), counterData(8)))
	for _, list := range [][][]byte{{narrow, wide}, {wide, narrow}, {wide}} {
		if r := validate.Bytes(layout.QueryDataKind, data, validate.Context{Registrations: list}); len(r.Findings) > 0 || r.Unchecked != nil {
			t.Errorf("%d sets: %v", len(list), r)
		}
	}
	if r := validate.Bytes(layout.QueryDataKind, data, validate.Context{Registrations: [][]byte{narrow}}); len(r.Findings) != 1 {
		t.Errorf("the only registration is of another set: %v", r)
	}
}

// TestResultsOfRegistrations checks results against the registrations of their counter sets.
func TestResultsOfRegistrations(t *testing.T) {
	t.Parallel()
	const all = layout.PERF_WILDCARD_COUNTER
	other := layout.GUID{Data1: 2}
	two := registrationOf(someSet, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT) // values of 4 and 8 bytes
	texts := registrationOf(someSet, layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA)
	several := func(ids []uint32, sizes ...uint32) []byte {
		return resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(ids...), counterData(sizes...))
	}
	for _, tt := range []struct {
		reason  string
		ctx     validate.Context
		results [][]byte
		want    []string
	}{
		{"the result has all counters of the set", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2}, 4, 8)}, nil},
		{"the counters are in another order", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{2, 1}, 8, 4)}, nil},
		{"the widths of the two values are exchanged", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2}, 8, 4)}, []string{
			"counter-data-width-type result[0].data[0].dwDataSize: dwDataSize is 8, must be 4, the width of the counter's type",
			"counter-data-width-type result[0].data[1].dwDataSize: dwDataSize is 4, must be 8, the width of the counter's type"}},
		{"the result has an unregistered counter instead of a registered counter", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 9}, 4, 4)}, []string{
			"data-counter-unknown result[0].ids.dwCounters: dwCounters is 2, must count all counters of the set: counter 2 is missing",
			"data-counter-unknown result[0].ids.id[1]: the id is 9, must be the id of a counter that the set registers"}},
		{"the result has an extra counter that is not registered", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{9, 1, 2}, 4, 4, 8)}, []string{
			"data-counter-unknown result[0].ids.id[0]: the id is 9, must be the id of a counter that the set registers"}},
		{"a counter occurs twice", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2, 2}, 4, 8, 8)}, []string{
			"multi-counters-duplicate-id result[0].ids.id[2]: the id is 2, must differ from id[1]"}},
		{"one id is the wildcard", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{1, 2, all}, 4, 8, 8)}, []string{
			"multi-counters-wildcard-id result[0].ids.id[2]: the id is 0xffffffff, PERF_WILDCARD_COUNTER, must be the id of a counter"}},
		{"one counter of the set is missing", validate.Context{Registrations: [][]byte{two}}, [][]byte{several([]uint32{2}, 8)}, []string{
			"data-counter-unknown result[0].ids.dwCounters: dwCounters is 1, must count all counters of the set: counter 1 is missing"}},
		{"the result has no counter of the set", validate.Context{Registrations: [][]byte{two}}, [][]byte{resultBytes(layout.PERF_COUNTERSET, multiCounters(), multiInstances(1, instanceHeader(1, text("a\x00"))))}, []string{
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1",
			"data-counter-unknown result[0].ids.dwCounters: dwCounters is 0, must count all counters of the set: 2 are missing, the first is counter 1"}},
		{"a text and a label have no fixed width", validate.Context{Registrations: [][]byte{texts}}, [][]byte{several([]uint32{1, 2}, 4, 8)}, nil},
		{"each instance is checked", validate.Context{Registrations: [][]byte{two}},
			[][]byte{resultBytes(layout.PERF_COUNTERSET, multiCounters(1, 2), multiInstances(2, instanceHeader(1, text("a\x00")), counterData(4, 8), instanceHeader(3, text("b\x00")), counterData(4, 4)))}, []string{
				"counter-data-width-type result[0].instance[1].data[1].dwDataSize: dwDataSize is 4, must be 8, the width of the counter's type"}},
		{"without identifiers, the results match neither of two sets", validate.Context{Registrations: [][]byte{registrationOf(other, layout.PERF_COUNTER_RAWCOUNT), two}},
			[][]byte{several([]uint32{1}, 4), several([]uint32{1}, 4)}, nil},
		{"without identifiers, single counters have no id to check", validate.Context{Registrations: [][]byte{two}}, [][]byte{singleCounter(4), singleCounter(8)}, nil},
		{"the identifiers have the ids of single counters", validate.Context{Registrations: [][]byte{two}, Identifiers: slices.Concat(identifierFor(someSet, 1, "", 0), identifierFor(someSet, 2, "", 1), identifierFor(someSet, 9, "", 2))},
			[][]byte{singleCounter(8), singleCounter(8), singleCounter(4)}, []string{
				"counter-data-width-type result[0].data[0].dwDataSize: dwDataSize is 8, must be 4, the width of the counter's type"}},
		{"the value of a single counter is checked in each instance", validate.Context{Registrations: [][]byte{two}, Identifiers: identifierFor(someSet, 2, "*", 0)},
			[][]byte{resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(4), instanceHeader(3, text("b\x00")), counterData(8)))}, []string{
				"counter-data-width-type result[0].instance[0].data[0].dwDataSize: dwDataSize is 4, must be 8, the width of the counter's type"}},
		{"each result belongs to its own set", validate.Context{Registrations: [][]byte{two, registrationOf(other, layout.PERF_COUNTER_LARGE_RAWCOUNT)}, Identifiers: slices.Concat(identifierFor(other, all, "", 0), identifierFor(someSet, all, "", 1))},
			[][]byte{several([]uint32{1}, 8), several([]uint32{1, 2}, 4, 8)}, nil},
		{"the list of identifiers is empty, so the result belongs to no set", validate.Context{Registrations: [][]byte{two}, Identifiers: []byte{}}, [][]byte{several([]uint32{7}, 8)}, []string{
			"data-identifier-count dwNumCounters: dwNumCounters is 1, must be 0, the number of identifiers of the query"}},
		{"the set of the identifier has no registration", validate.Context{Registrations: [][]byte{two}, Identifiers: identifierFor(other, all, "", 0)}, [][]byte{several([]uint32{7}, 8)}, nil},
		{"identifiers with an Index out of range select no set", validate.Context{Registrations: [][]byte{two}, Identifiers: identifierFor(someSet, all, "", 5)}, [][]byte{several([]uint32{7}, 8)}, nil},
	} {
		queryTest{tt.reason, queryBytes(tt.results...), tt.want}.run(t, layout.QueryDataKind, tt.ctx)
	}
}
