package fuzz_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// joinedShapes are what query data and what belongs to it can look like together.
var joinedShapes = func() []string {
	list := []string{
		"no answer", "one answer", "several answers",
		"identifiers in order", "identifiers in another order",
		"a set that is asked for once", "a set that is asked for again",
		"a set of one instance", "one instance of a set of several", "several instances",
		"a set without counters", "a counter that is not asked for", "an id that repeats",
		"values of 4 bytes", "values of 8 bytes", "values of any length",
	}
	for _, t := range []layout.PerfCounterDataType{layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET} {
		list = append(list, fmt.Sprintf("%v for an answer", t), fmt.Sprintf("an error in place of %v", t))
	}
	for _, name := range []string{"", "C:", "_Total", layout.PERF_WILDCARD_INSTANCE, "C*", "?"} {
		list = append(list, fmt.Sprintf("the instance %q", name))
	}
	return list
}()

// TestJoinComesTo has every shape come up, and holds each Join to what is said of it.
func TestJoinComesTo(t *testing.T) {
	t.Parallel()
	const least = 20
	met := map[string]int{}
	for seed := range uint64(seeds) {
		for shape := range shapesOf(t, fuzz.Join(fuzz.Seed(seed), fuzz.Config{})) {
			met[shape]++
		}
	}
	for _, shape := range joinedShapes {
		if met[shape] < least {
			t.Errorf("%s: %d times in %d", shape, met[shape], seeds)
		}
		delete(met, shape)
	}
	for shape, n := range met {
		t.Errorf("%s comes up %d times, and is not listed", shape, n)
	}
}

// shapesOf returns the shapes of one Join. It fails the test unless each answer is what one
// identifier asks for, and the sets are those of the identifiers and have what is asked for.
func shapesOf(t *testing.T, j fuzz.Joined) map[string]bool {
	t.Helper()
	shapes := map[string]bool{}
	if len(j.Identifiers) != len(j.Data.Results) {
		t.Fatalf("%d identifiers ask for %d answers", len(j.Identifiers), len(j.Data.Results))
	}
	shapes[[]string{"no answer", "one answer", "several answers"}[min(len(j.Identifiers), 2)]] = true
	if len(j.Identifiers) > 1 {
		ordered := slices.IsSortedFunc(j.Identifiers, func(a, b builder.CounterIdentifier) int { return int(a.Index) - int(b.Index) })
		shapes[map[bool]string{true: "identifiers in order", false: "identifiers in another order"}[ordered]] = true
	}
	answered, asked := map[uint32]bool{}, map[layout.GUID]int{}
	for i := range j.Identifiers {
		id := &j.Identifiers[i]
		if answered[id.Index] || int(id.Index) >= len(j.Data.Results) {
			t.Fatalf("two identifiers, or no answer, of the Index %d", id.Index)
		}
		answered[id.Index] = true
		asked[id.CounterSetGuid]++
		found := slices.IndexFunc(j.Sets, func(set builder.CounterSetRegInfo) bool { return set.CounterSetGuid == id.CounterSetGuid })
		if found < 0 {
			t.Fatalf("an identifier is of %v, which is not registered", id.CounterSetGuid)
		}
		askedShapes(t, id, &j.Data.Results[id.Index], &j.Sets[found], shapes)
	}
	for _, set := range j.Sets {
		switch n := asked[set.CounterSetGuid]; n {
		case 0:
			t.Fatalf("%v is registered twice, or no identifier is of it", set.CounterSetGuid)
		case 1:
			shapes["a set that is asked for once"] = true
		default:
			shapes["a set that is asked for again"] = true
		}
		delete(asked, set.CounterSetGuid)
	}
	return shapes
}

// askedShapes adds the shapes of an answer that an identifier of the set asks for.
func askedShapes(t *testing.T, id *builder.CounterIdentifier, r *builder.Result, set *builder.CounterSetRegInfo, shapes map[string]bool) {
	t.Helper()
	several := id.Name == layout.PERF_WILDCARD_INSTANCE || id.Name == "C*" || id.Name == "?"
	asks := layout.PERF_SINGLE_COUNTER
	switch all := id.CounterId == layout.PERF_WILDCARD_COUNTER; {
	case all && several:
		asks = layout.PERF_COUNTERSET
	case all:
		asks = layout.PERF_MULTIPLE_COUNTERS
	case several:
		asks = layout.PERF_MULTIPLE_INSTANCES
	}
	switch multi := set.InstanceType == layout.PERF_COUNTERSET_MULTI_INSTANCES; {
	case r.Type != asks && r.Type != layout.PERF_ERROR_RETURN:
		t.Fatalf("%v is asked for, and %v is the answer", asks, r.Type)
	case several && !multi:
		t.Fatalf("several instances are asked for of a set of type %v", set.InstanceType)
	case several:
		shapes["several instances"] = true
	case multi:
		shapes["one instance of a set of several"] = true
	default:
		shapes["a set of one instance"] = true
	}
	shapes[fmt.Sprintf("the instance %q", id.Name)] = true
	if r.Type == layout.PERF_ERROR_RETURN {
		shapes[fmt.Sprintf("an error in place of %v", asks)] = true
		return
	}
	shapes[fmt.Sprintf("%v for an answer", asks)] = true
	seen := map[uint32]bool{}
	for _, c := range r.Counters {
		of := c.CounterId
		if asks&layout.PERF_MULTIPLE_COUNTERS == 0 {
			of = id.CounterId // which the answer does not say
		}
		i := slices.IndexFunc(set.Counters, func(k builder.CounterRegInfo) bool { return k.CounterId == of })
		if i < 0 {
			t.Fatalf("the counter %d is not registered", of)
		}
		switch width, _ := set.Counters[i].Type.Width(); {
		case width == 0:
			shapes["values of any length"] = true
		case c.Bytes || width == 4 != (c.Size == 4):
			t.Fatalf("values of %v take %d bytes, and those of the answer %+v", set.Counters[i].Type, width, c)
		default:
			shapes[fmt.Sprintf("values of %d bytes", width)] = true
		}
		if seen[of] {
			shapes["an id that repeats"] = true
		}
		seen[of] = true
	}
	if len(set.Counters) == 0 {
		shapes["a set without counters"] = true
	}
	if len(seen) < len(set.Counters) {
		shapes["a counter that is not asked for"] = true
	}
}
