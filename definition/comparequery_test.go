package definition_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// build returns the block of a spec.
func build(t *testing.T, text string) []byte {
	t.Helper()
	s, err := spec.Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCompareQuery checks what Compare reports about buffers of V2 other than registrations and templates.
func TestCompareQuery(t *testing.T) {
	t.Parallel()
	const one = `provider: Shop
counterSets:
  - name: Queues
    guid: "{b4fc721a-0378-476f-89ba-a5a79f810b36}"
    instances: multiple
    counters:
      - {name: Published, type: PERF_COUNTER_BULK_COUNT}
      - {name: Depth, type: PERF_COUNTER_RAWCOUNT}
`
	const two = one + `  - name: Shop
    guid: "{b4fc721a-0378-476f-89ba-a5a79f810b37}"
    counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT}]
`
	identifiers := func(set, counter string) string {
		return `kind: identifiers
identifiers:
  - {CounterSetGuid: "{b4fc721a-0378-476f-89ba-a5a79f810b` + set + `}", CounterId: ` + counter + `, InstanceId: any, name: "*"}
`
	}
	data := func(counters string) string {
		return "kind: query-data\nresults:\n  - Type: PERF_COUNTERSET\n    counters: [" + counters + `]
    instances:
      - {name: a, InstanceId: 1, values: [1, 2]}
      - {name: b, InstanceId: 2, values: [3, 4]}
`
	}
	const all = "PERF_WILDCARD_COUNTER"
	for _, tt := range []struct {
		reason, definition string
		kind               layout.Kind
		block, identifiers string
		want               []string
	}{
		{"the only set of the definition, all counters with their sizes", one, layout.QueryDataKind, data("{CounterId: 1, Size: 8}, {CounterId: 2, Size: 4}"), "", nil},
		{"the identifiers name the set", two, layout.QueryDataKind, data("{CounterId: 1, Size: 8}, {CounterId: 2, Size: 4}"), identifiers("36", all), nil},
		{"the set has no counter 7, and the result has no counter 2", one, layout.QueryDataKind, data("{CounterId: 1, Size: 8}, {CounterId: 7, Size: 4}"), identifiers("36", all), []string{
			`def-block-unknown result[0].ids: the id 7 is in the result, must be the id of a counter of "Queues"`,
			`def-block-missing result[0].ids: the result for all counters has no "Depth", must have all counters of "Queues"`}},
		{"the result of a request for one counter may lack the other counters", one, layout.QueryDataKind, data("{CounterId: 1, Size: 8}, {CounterId: 1, Size: 8}"), identifiers("36", "1"), nil},
		{"a value of 4 bytes for a type of 8, in two instances", one, layout.QueryDataKind, data("{CounterId: 1, Size: 4}, {CounterId: 2, Size: 4}"), "", []string{
			`def-block-type result[0].instance[0].data[0].dwDataSize: dwDataSize is 4, must be 8, the size of "Published", a PERF_COUNTER_BULK_COUNT`}},
		{"instances of a set without instances", two, layout.QueryDataKind, data("{CounterId: 1, Size: 4}, {CounterId: 1, Size: 4}"), identifiers("37", "1"), []string{
			`def-block-instances result[0].dwType: dwType is PERF_COUNTERSET, must have no instances, because "Shop" has none in the definition`}},
		{"a set of another provider", one, layout.QueryDataKind, data("{CounterId: 1, Size: 8}, {CounterId: 2, Size: 4}"), identifiers("38", all), []string{
			`def-block-unknown result[0]: the result belongs to the set {b4fc721a-0378-476f-89ba-a5a79f810b38}, must belong to a set in the definition`}},
		{"only the identifier has the id of the counter", two, layout.QueryDataKind, "kind: query-data\nresults:\n  - {Type: PERF_SINGLE_COUNTER, counters: [{Size: 8}], values: [1]}\n", identifiers("37", "1"), []string{
			`def-block-type result[0].data[0].dwDataSize: dwDataSize is 8, must be 4, the size of "Depth", a PERF_COUNTER_RAWCOUNT`}},
		{"an identifier with an unknown set", one, layout.IdentifiersKind, identifiers("38", "1"), "", []string{
			`def-block-unknown identifier[0].CounterSetGuid: CounterSetGuid is {b4fc721a-0378-476f-89ba-a5a79f810b38}, must be the GUID of a set in the definition`}},
		{"an identifier with an unknown counter", one, layout.IdentifiersKind, identifiers("36", "9"), "", []string{
			`def-block-unknown identifier[0].CounterId: CounterId is 9, must be the id of a counter of "Queues"`}},
		{"an identifier for all counters", one, layout.IdentifiersKind, identifiers("36", all), "", nil},
		{"an instance block with three values", one, layout.InstanceBlockKind, "kind: instance-block\nCounterSetGuid: \"{b4fc721a-0378-476f-89ba-a5a79f810b36}\"\nInstanceId: 1\nname: a\nvalues: [1, 2, 3]\n", "", []string{
			`def-block-type InstanceNameOffset: InstanceNameOffset is 56, must be 48, after the values of the 2 counters of "Queues"`}},
	} {
		p, err := definition.Parse("shop.yaml", []byte(tt.definition))
		if err != nil {
			t.Fatal(err)
		}
		var ctx validate.Context
		if tt.identifiers != "" {
			ctx.Identifiers = build(t, tt.identifiers)
		}
		result, err := p.Compare(new(validate.Validator), tt.kind, build(t, tt.block), ctx)
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		var got []string
		for _, f := range result.Findings {
			got = append(got, fmt.Sprintf("%s %v: %s, %s", f.Rule.Name, f.Path, f.Got, f.Want))
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.reason, got, tt.want)
		}
	}
	p, err := definition.Parse("shop.yaml", []byte(two))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Compare(new(validate.Validator), layout.QueryDataKind, build(t, data("{CounterId: 1, Size: 8}, {CounterId: 2, Size: 4}")), validate.Context{}); !errors.Is(err, definition.ErrIdentifiers) {
		t.Errorf("two sets and no identifiers: %v", err)
	}
}

// TestCompareLinear checks that Compare takes linear time for many identifiers and many results: the test would take
// minutes if the counters of the set were indexed for each identifier or result.
func TestCompareLinear(t *testing.T) {
	t.Parallel()
	const n = 30_000
	set := definition.CounterSet{GUID: layout.GUID{Data1: 1}}
	var identifiers builder.Identifiers
	var data builder.QueryData
	for i := range uint32(n) {
		set.Counters = append(set.Counters, definition.Counter{ID: i, Type: layout.PERF_COUNTER_BULK_COUNT})
		identifiers = append(identifiers, builder.CounterIdentifier{CounterSetGuid: set.GUID, CounterId: i, Index: i})
		data.Results = append(data.Results, *builder.SingleCounter(8, 1))
	}
	p := definition.Provider{CounterSets: []definition.CounterSet{set}}
	ids, err := identifiers.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	results, err := data.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for kind, block := range map[layout.Kind][]byte{layout.IdentifiersKind: ids, layout.QueryDataKind: results} {
		result, err := p.Compare(new(validate.Validator), kind, block, validate.Context{Identifiers: ids})
		if err != nil || len(result.Findings) > 0 {
			t.Errorf("%v: %v, %v", kind, result.Findings, err)
		}
	}
}

// TestCompareMemory checks that Compare does not store all differences. Each of many objects lacks all counters of a set.
func TestCompareMemory(t *testing.T) {
	const n = 1000
	set := definition.CounterSet{Name: definition.Text{Neutral: "set"}}
	for i := range uint32(n) {
		set.Counters = append(set.Counters, definition.Counter{Name: definition.Text{Neutral: fmt.Sprint(i)}, ID: i, Type: layout.PERF_COUNTER_BULK_COUNT})
	}
	p := definition.Provider{CounterSets: []definition.CounterSet{set}}
	object := *builder.NewObject(p.Titles()[0].Number)
	block, err := builder.Objects(slices.Repeat([]builder.Object{object}, n)).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result, err := p.Compare(new(validate.Validator), layout.ObjectsKind, block, validate.Context{})
	runtime.ReadMemStats(&after)
	if err != nil || result.Counts.Warning < n*n {
		t.Fatalf("%+v, %v", result.Counts, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 128*n*n {
		t.Errorf("%d bytes for each difference", used/n/n)
	}
}

// TestCompareUnreadable checks that Compare does not report that a block without a header agrees with the definition.
func TestCompareUnreadable(t *testing.T) {
	t.Parallel()
	first := uint32(5000)
	p := &definition.Provider{Name: "Shop", FirstCounter: &first}
	for _, kind := range definition.ComparedKinds() {
		_, err := p.Compare(new(validate.Validator), kind, []byte{1, 2, 3}, validate.Context{})
		list := kind == layout.ObjectsKind || kind == layout.IdentifiersKind
		if errors.Is(err, definition.ErrUnreadable) == list || list && err != nil {
			t.Errorf("%v: error %v, want ErrUnreadable: %v", kind, err, !list)
		}
	}
}
