package identity_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// TestFixtures compares the structural paths of the findings of all fixtures with testdata/fixtures.txt.
func TestFixtures(t *testing.T) {
	t.Parallel()
	cases, err := fixture.RuleCases("../../testdata/rules")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, c := range cases {
		findings := validate.Bytes(c.Kind, c.Broken, c.Context).Findings
		for i, text := range identity.Of(c.Kind, c.Broken, findings) {
			fmt.Fprintf(&out, "%s %s: %v = %s\n", c.Rule, findings[i].Rule.Name, findings[i].Path, text)
		}
	}
	golden.File(t, "testdata/fixtures.txt", out.String())
}

// at returns one finding for each of the given paths of the block.
func at(t *testing.T, kind layout.Kind, b []byte, paths ...string) (findings []validate.Finding) {
	t.Helper()
	for _, text := range paths {
		path, err := layout.ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		part, err := layout.Find(kind, b, path)
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, validate.Finding{Path: path, Off: part.Off(), Len: part.Len()})
	}
	return findings
}

// everywhere returns a finding at each part of the block.
func everywhere(kind layout.Kind, b []byte) (findings []validate.Finding) {
	for p := range layout.Walk(kind, b) {
		findings = append(findings, validate.Finding{Path: p.Path, Off: p.Off(), Len: p.Len()})
	}
	return findings
}

func build(t *testing.T, text string) (layout.Kind, []byte) {
	t.Helper()
	s, err := spec.Parse("", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s.Kind(), b
}

const guid = `"{b4fc721a-0378-476f-89ba-a5a79f810b36}"`

func TestOf(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1024)
	for _, tt := range []struct{ reason, spec, path, want string }{
		{"a field of the header keeps its path", "objects: []", "Version", "Version"},
		{"an object has its title", "objects: [{ObjectNameTitleIndex: 238}]", "object[0].CodePage", "object[238].CodePage"},
		{"objects with the same title are numbered", "objects: [{ObjectNameTitleIndex: 4}, {ObjectNameTitleIndex: 238}, {ObjectNameTitleIndex: 4}]", "object[2]", "object[4#1]"},
		{"the first object with a title has no number", "objects: [{ObjectNameTitleIndex: 4}, {ObjectNameTitleIndex: 238}, {ObjectNameTitleIndex: 4}]", "object[0]", "object[4]"},
		{"a counter has its title", "kind: objects\nobjects: [{ObjectNameTitleIndex: 2, counters: [{CounterNameTitleIndex: 6, CounterType: PERF_COUNTER_RAWCOUNT}]}]", "object[0].counter[0].ByteLength", "object[2].counter[6].ByteLength"},
		{"a value has the title of its counter", "objects: [{ObjectNameTitleIndex: 2, counters: [{CounterNameTitleIndex: 6, CounterType: PERF_COUNTER_RAWCOUNT}, {CounterNameTitleIndex: 8, CounterType: PERF_COUNTER_RAWCOUNT}], NumInstances: -1, values: [1, 2]}]", "object[0].block.value[1]", "object[2].block.value[8]"},
		{"a value of an instance has the title of its counter", "objects: [{ObjectNameTitleIndex: 2, counters: [{CounterNameTitleIndex: 6, CounterType: PERF_COUNTER_RAWCOUNT}], instances: [{name: a, values: [1]}]}]", "object[0].instance[0].block.value[0]", `object[2].instance["a"].block.value[6]`},
		{"an instance has its name", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: a}, {name: _Total}]}]", "object[0].instance[1].block", `object[2].instance["_Total"].block`},
		{"instances with the same name are numbered", "objects: [{ObjectNameTitleIndex: 2, duplicateNames: true, instances: [{name: a}, {name: b}, {name: a}, {name: a}]}]", "object[0].instance[3]", `object[2].instance["a"#2]`},
		{"a # in a name is inside the quotes, the # of a repeated name is outside", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: 'a#1'}]}]", "object[0].instance[0]", `object[2].instance["a#1"]`},
		{"characters that are not printable, and quotes, are escaped", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: \"a\\e[31m\\u202E\\\"]é\"}]}]", "object[0].instance[0]", `object[2].instance["a\x1b[31m\u202e\"]é"]`},
		{"a name in a code page has its bytes", "objects: [{ObjectNameTitleIndex: 2, CodePage: 1252, instances: [{name: {hex: e4}}]}]", "object[0].instance[0]", `object[2].instance["\xe4"]`},
		{"an instance without a name has its UniqueID", "objects: [{ObjectNameTitleIndex: 2, instances: [{UniqueID: 7}, {UniqueID: 5}]}]", "object[0].instance[1]", "object[2].instance[5]"},
		{"instances with an empty name are numbered", "objects: [{ObjectNameTitleIndex: 2, duplicateNames: true, instances: [{name: ''}, {name: ''}]}]", "object[0].instance[1]", `object[2].instance[""#1]`},
		{"an instance whose name cannot be read has its position", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: a}, {name: b}]}]\npatches: [{'object[0].instance[1].Name': {hex: '00 d8 00 00'}}]", "object[0].instance[1].Name", "object[2].instance[#1].Name"},
		{"an instance after one whose name is out of range has its name", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: a}, {name: b}, {name: c}]}]\npatches: [{'object[0].instance[1].NameLength': 400}]", "object[0].instance[2].ByteLength", `object[2].instance["c"].ByteLength`},
		{"instances whose values do not fit have their names", "objects: [{ObjectNameTitleIndex: 2, counters: [{CounterNameTitleIndex: 6, CounterType: PERF_COUNTER_RAWCOUNT}], instances: [{name: a, values: [1]}, {name: b, values: [1]}]}]\npatches: [{'object[0].counter[0].CounterSize': 64}]", "object[0].instance[1].ByteLength", `object[2].instance["b"].ByteLength`},
		{"an instance of a result after one whose value does not fit has its id and name", "kind: query-data\nresults: [{Type: PERF_COUNTERSET, counters: [{CounterId: 7, Size: 4}], instances: [{name: a, InstanceId: 3, values: [1]}, {name: b, InstanceId: 4, values: [1]}]}]\npatches: [{'result[0].instance[0].data[0].dwDataSize': 99}]", "result[0].instance[1].Size", `result[#0].instance[4,"b"].Size`},
		{"the longest name is an identity", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: " + long[1:] + "}]}]", "object[0].instance[0]", `object[2].instance["` + long[1:] + `"]`},
		{"a name without a terminator ends with its bytes", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: abc}]}]\npatches: [{'object[0].instance[0].NameLength': 4}]", "object[0].instance[0].NameLength", `object[2].instance["ab"].NameLength`},
		{"padding in the length of a name does not belong to the name", "objects: [{ObjectNameTitleIndex: 2, CodePage: 1252, instances: [{name: abc}]}]\npatches: [{'object[0].instance[0].NameLength': 6}]", "object[0].instance[0].NameLength", `object[2].instance["abc"].NameLength`},
		{"an instance with a longer name has its position", "objects: [{ObjectNameTitleIndex: 2, instances: [{name: " + long + "}]}]", "object[0].instance[0]", "object[2].instance[#0]"},
		{"a result has its position in the query, an id its value", "kind: query-data\nresults: [{Type: PERF_MULTIPLE_COUNTERS, counters: [{CounterId: 7, Size: 4}, {CounterId: 9, Size: 4}], values: [1, 2]}]", "result[0].ids.id[1]", "result[#0].ids.id[9]"},
		{"a value of a result has the id of its counter", "kind: query-data\nresults: [{Type: PERF_MULTIPLE_COUNTERS, counters: [{CounterId: 7, Size: 4}, {CounterId: 9, Size: 4}], values: [1, 2]}]", "result[0].data[1].value", "result[#0].data[9].value"},
		{"a value of a result without ids has its position", "kind: query-data\nresults: [{Type: PERF_SINGLE_COUNTER, counters: [{Size: 4}], values: [1]}]", "result[0].data[0].value", "result[#0].data[#0].value"},
		{"an instance of a result has its id and name", "kind: query-data\nresults: [{Type: PERF_COUNTERSET, counters: [{CounterId: 7, Size: 4}], instances: [{name: 'C:', InstanceId: 3, values: [1]}]}]", "result[0].instance[0].data[0]", `result[#0].instance[3,"C:"].data[7]`},
		{"an instance of a list has its id and name", "kind: instances\ninstances: [{name: a, InstanceId: 1}, {name: a, InstanceId: 2}]", "instance[1].Size", `instance[2,"a"].Size`},
		{"an identifier has its GUID, ids and name", "kind: identifiers\nidentifiers: [{CounterSetGuid: " + guid + ", CounterId: 4, InstanceId: 2, name: x}]", "identifier[0].Status", `identifier[{b4fc721a-0378-476f-89ba-a5a79f810b36},4,2,"x"].Status`},
		{"a GUID of a list has its value", "kind: guids\nguids: [" + guid + ", " + guid + "]", "guid[1]", "guid[{b4fc721a-0378-476f-89ba-a5a79f810b36}#1]"},
	} {
		kind, b := build(t, tt.spec)
		if got := identity.Of(kind, b, at(t, kind, b, tt.path))[0]; got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.reason, got, tt.want)
		}
	}
}

// TestGrown checks that structural paths stay the same if earlier objects, counters and instances are added.
func TestGrown(t *testing.T) {
	t.Parallel()
	object := func(title uint32) *builder.Object {
		return builder.NewObject(title).Counter(8, layout.PERF_COUNTER_RAWCOUNT)
	}
	grown := builder.NewObject(230).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Counter(8, layout.PERF_COUNTER_RAWCOUNT)
	all := func(objects ...*builder.Object) map[string]bool {
		block := builder.DataBlock{SystemName: "HOST"}
		for _, o := range objects {
			block.Objects = append(block.Objects, *o)
		}
		b, err := block.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		texts := make(map[string]bool)
		for _, text := range identity.Of(layout.DataBlockKind, b, everywhere(layout.DataBlockKind, b)) {
			texts[text] = true
		}
		return texts
	}
	grown.DuplicateNames = true
	small := object(230)
	small.DuplicateNames = true
	before := all(small.Instance("a", 1).Instance("b", 1).Instance("a", 1))
	after := all(object(2).Instance("x", 1), grown.Instance("y", 1, 2, 3).Instance("a", 1, 2, 3).Instance("b", 1, 2, 3).Instance("a", 1, 2, 3))
	for text := range before {
		if !after[text] {
			t.Errorf("%s has another structural path in the larger block", text)
		}
	}
}

// TestDamaged checks valid and damaged blocks. Different paths must have different structural paths, and structural
// paths must have only printable characters.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		for seed := range uint64(long.Count(100, 2000)) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if seed%2 == 1 {
				b = fuzz.Damage(fuzz.Seed(seed), b)
			}
			check(t, kind, b)
		}
	}
}

func FuzzIdentity(f *testing.F) {
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		kinds := layout.Kinds()
		check(t, kinds[int(kind)%len(kinds)], b)
	})
}

func check(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	for _, findings := range [][]validate.Finding{everywhere(kind, b), validate.Bytes(kind, b, validate.Context{}).Findings} {
		paths := make(map[string]layout.Path)
		for i, text := range identity.Of(kind, b, findings) {
			path := findings[i].Path
			if first, known := paths[text]; known && first != path {
				t.Fatalf("%v: %v and %v both have the structural path %s", kind, first, path, text)
			}
			paths[text] = path
			if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
				t.Fatalf("%v: %q is not printable", kind, text)
			}
		}
	}
}

// TestWrongLength checks that a wrong length of the first object gives the second object the structural path
// object[#1]. With the correct length, the structural path is object[238], which has the title index.
func TestWrongLength(t *testing.T) {
	t.Parallel()
	kind, b := build(t, `objects:
- {ObjectNameTitleIndex: 4, counters: [{CounterNameTitleIndex: 6, CounterType: PERF_COUNTER_RAWCOUNT}], NumInstances: -1, values: [1]}
- {ObjectNameTitleIndex: 238, counters: [{CounterNameTitleIndex: 6, CounterType: PERF_COUNTER_RAWCOUNT}], NumInstances: -1, values: [1]}
patches:
- object[1].counter[0].DefaultScale: 99
`)
	want := func(b []byte, text string) {
		t.Helper()
		findings := validate.Bytes(kind, b, validate.Context{}).Findings
		texts := identity.Of(kind, b, findings)
		for i := range findings {
			if findings[i].Rule.Name == "ctr-default-scale" && findings[i].Path.String() == "object[1].counter[0].DefaultScale" && texts[i] == text {
				return
			}
		}
		t.Errorf("%v have the paths %q, want %s", findings, texts, text)
	}
	want(b, "object[238].counter[6].DefaultScale")
	part, err := layout.Find(kind, b, layout.Path{}.At("object", 0).Field("TotalByteLength"))
	if err != nil {
		t.Fatal(err)
	}
	b[part.Off()] += 8
	want(b, "object[#1].counter[#0].DefaultScale")
}

// TestAllocations checks that memory depends on the findings, not on the number of instances.
func TestAllocations(t *testing.T) {
	o := builder.NewObject(230).Counter(6, layout.PERF_COUNTER_RAWCOUNT)
	o.DuplicateNames = true
	for i := range 10_000 {
		o.Instance(fmt.Sprint("instance ", i%5000), 1)
	}
	b, err := (&builder.DataBlock{Objects: []builder.Object{*o}}).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	findings := at(t, layout.DataBlockKind, b, "object[0].instance[9999].ByteLength")
	if got := identity.Of(layout.DataBlockKind, b, findings)[0]; got != `object[230].instance["instance 4999"#1].ByteLength` {
		t.Errorf("got %s", got)
	}
	if n := testing.AllocsPerRun(5, func() { identity.Of(layout.DataBlockKind, b, findings) }); n > 100 {
		t.Errorf("%v allocations for one finding, must be at most 100", n)
	}
}
