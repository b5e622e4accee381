//go:build !race

// This file is not built with -race: the race detector makes these tests slow and changes the
// allocations.

package spec_test

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// TestBounds checks that Parse returns an error for a text that would take too much memory. Examples are a text of more
// than 32 MiB, and a list with too many commas.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"a text of more than 32 MiB", strings.Repeat(" ", 32<<20+1), "1:1: the text is longer than the 33554432 bytes that a block may have"},
		{"a text of more than 32 MiB in JSON", "{" + strings.Repeat(" ", 32<<20), "1:1: the text is longer than the 33554432 bytes that a block may have"},
		{"a list on one line", "[" + strings.Repeat("a,", 4<<20) + "]", "1:262145: the line is too long: it has more than 131072 of the characters \" ' , : [ { ? - # & * and !; break the line"},
		{"a list on many lines", "[" + strings.Repeat("a,\n", 1<<19) + "]", "524288:2: the text is too large: a block may have at most 524288 of the characters , : [ { ? - # & * and !"},
		{"a list in JSON", `{"a":[` + strings.Repeat("{},", 1<<20) + "]}", "1:786435: the text is too large: a block may have at most 524288 of the characters , : [ { ? - # & * and !"},
		{"comments, which also take memory", strings.Repeat("- a #b\n", 1<<19), "262145:1: the text is too large: a block may have at most 524288 of the characters , : [ { ? - # & * and !"},
		{"too many patches", "objects: []\npatches:\n" + strings.Repeat("- append: {hex: 00}\n", 1<<16+1), "65539:3: more than 65536 patches"},
		{"too many numbers for patches", "objects: []\npatches: [" + strings.Repeat("1,", 1<<16) + "1]", "2:131083: more than 65536 patches"},
		{"too many keys for patches", "objects: []\npatches:\n" + strings.Repeat("  a: b\n", 1<<15+1), "3:3: patches: is a mapping, must be a list"},
		{"YAML directives", strings.Repeat("%TAG !a! b\n", 1<<16) + "---\nobjects: []", "1:1: a line begins with %: YAML directives are not supported"},
		{"a directive after a comment", "# a\r%YAML 1.2\n---\nobjects: []", "1:5: a line begins with %: YAML directives are not supported"},
		{"a directive of a second document", "objects: []\n...\n%TAG !a! b\n---\n", "3:1: a line begins with %: YAML directives are not supported"},
		{"flow lists that are nested too deep for the library", strings.Repeat("[", 1<<17), "1:10001: exceeded max depth of 10000 while increasing flow level that starts at 1:10001"},
		{"block lists that are nested too deep for the library", strings.Repeat("- ", 1<<17), "1:20001: exceeded max depth of 10000"},
		{"lists in JSON that are nested too deep for the library", `{"a":` + strings.Repeat("[", 1<<18), "1:10005: invalid character '[' exceeded max depth; the text starts with { and is read as JSON"},
		{"lists in JSON that are nested too deep for a block", `{"a":` + strings.Repeat("[", 17) + strings.Repeat("]", 17) + "}", "1:21: more than 16 lists and mappings inside each other"},
		{"a list of numbers in JSON that is nested too deep for a block", `{"a":` + strings.Repeat("[", 15) + "[1, 2]" + strings.Repeat("]", 15) + "}", "1:21: more than 16 lists and mappings inside each other"},
		{"anchors that multiply", "a: &a [x]\nb: &b [*a, *a]\nobjects: [*b, *b]", "1:4: anchor &a: YAML anchors and aliases are not supported"},
	} {
		if len(tt.text) > 1<<20 && !long.Enabled() {
			continue // together, these texts take seconds
		}
		if _, err := spec.Parse("", []byte(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.reason, err, tt.want)
		}
	}
}

// TestLineOfJSON checks that Parse limits the punctuation characters on a line of YAML, but not on a line of JSON.
// JSON is often one line.
func TestLineOfJSON(t *testing.T) {
	t.Parallel()
	s := parse(t, "", []byte(`{"objects":[{"ObjectNameTitleIndex":2,"instances":[`+strings.Repeat(`{"name":"a"},`, 50_000)+"{}]}]}"))
	if n := len(dataOf(s).Objects[0].Instances); n != 50_001 {
		t.Error(n)
	}
}

// TestQuotesOfJSON checks that characters inside JSON strings do not count towards the limit on punctuation
// characters.
func TestQuotesOfJSON(t *testing.T) {
	t.Parallel()
	name := strings.Repeat(`,\\\"`, 600_000)
	s := parse(t, "", []byte(`{"SystemName": "`+name+`", "objects": []}`))
	if n := len(dataOf(s).SystemName); n != 3*600_000 {
		t.Error(n)
	}
}

// TestMaxBlock checks that Build refuses a block of more than MaxBlock bytes before it allocates
// memory for the block.
func TestMaxBlock(t *testing.T) {
	const instances = "objects:\n- ObjectNameTitleIndex: 2\n  blockLength: 0x20000000\n  instances: [{name: a}, {name: b}]\n"
	s := parse(t, "t.yaml", []byte(instances))
	if n, err := s.EncodedLen(); err != nil || n != 88+64+2*(32+0x20000000) {
		t.Errorf("%d, %v", n, err)
	}
	const want = "t.yaml:3:16: the block has 1073742040 bytes, must have at most 1073741824"
	allocs := testing.AllocsPerRun(1, func() {
		if _, err := s.Build(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	})
	if allocs > 100 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestHostileTextsAreFast checks that Parse reads a text of 256 KiB in seconds, even if the text is made to be slow to
// read. Such a text must not stop a server.
func TestHostileTextsAreFast(t *testing.T) {
	if !long.Enabled() {
		t.Skip("takes seconds")
	}
	const n = 1 << 18
	for reason, text := range map[string]string{
		"comments":              strings.Repeat("#\n", n/2),
		"comments in a list":    "objects:\n" + strings.Repeat("# b\n", n/4) + "- c\n",
		"keys":                  strings.Repeat("a: b\n", n/5),
		"keys that are unknown": "objects: [{" + strings.Repeat("ObjectNameTitleIndez: b,", n/24) + "}]",
		"a key of one word":     strings.Repeat("a", n) + ": b",
		"items":                 strings.Repeat("- a\n", n/4),
		"a flow list":           "[" + strings.Repeat("a,", n/2) + "]",
		"complex keys":          strings.Repeat("? a\n", n/4),
		"digits":                "PerfTime: " + strings.Repeat("1", n),
		"digits of hex":         "patches: [{append: {hex: " + strings.Repeat("0", n-1) + "}}]\nobjects: []",
		"a type of words":       "objects: [{ObjectNameTitleIndex: 2, counters: [{CounterType: '" + strings.Repeat("x|", n/2) + "'}]}]",
		"lines of a text":       "a: \"x" + strings.Repeat("\n", n) + "\"",
		"tags":                  strings.Repeat("- !a b\n", n/7),
		"documents":             strings.Repeat("---\n", n/4),
		"JSON without line":     `{"objects": [` + strings.Repeat("[],", n/3) + "[]]}",
		"escapes of JSON":       `{"SystemName": "` + strings.Repeat(`\ud834\udd1e`, n/12) + `"}`,
		"a line that ends late": "objects: [\n" + strings.Repeat("é", n/2) + ": object[",
	} {
		start := time.Now()
		if _, err := spec.Parse("", []byte(text)); err == nil {
			t.Errorf("%s: the text is valid, must have an error", reason)
		} else if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: %v, until %.80v", reason, took, err)
		} else if lines := strings.Split(err.Error(), "\n"); len(lines) > 21 || len(slices.MaxFunc(lines, byLength)) > 1000 {
			t.Errorf("%s: a message of %d bytes", reason, len(err.Error()))
		} else {
			t.Logf("%-22s %8v %.80v", reason, took.Round(time.Millisecond), err)
		}
	}
}

func byLength(a, b string) int { return cmp.Compare(len(a), len(b)) }

// objectOf returns an object of n instances with names, UniqueIDs and two values each.
func objectOf(n int) builder.Object {
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_LARGE_RAWCOUNT).Counter(6, layout.PERF_COUNTER_RAWCOUNT)
	for i := range n {
		id := int32(i)
		o.Add(builder.Instance{Name: fmt.Sprintf("instance %d", i), UniqueID: &id, Values: []uint64{uint64(i) << 40, uint64(i)}})
	}
	return *o
}

// TestAppendYAMLAllocatesLittle checks that AppendYAML allocates memory for objects and
// counters, but not for each instance.
func TestAppendYAMLAllocatesLittle(t *testing.T) {
	cost := func(n int) float64 {
		s := spec.Spec{Model: &builder.DataBlock{Objects: []builder.Object{objectOf(n)}}}
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

// TestTooLongTextIsDiscarded checks that AppendYAML takes little memory for a text that is too long. AppendYAML
// must discard such a text early.
func TestTooLongTextIsDiscarded(t *testing.T) {
	if !long.Enabled() {
		t.Skip("takes seconds")
	}
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_LARGE_RAWCOUNT)
	o.Instances = make([]builder.Instance, 1_000_000)
	for i := range o.Instances {
		o.Instances[i] = builder.Instance{Name: "a name that makes a text of a hundred bytes of this instance with the marks around it", Values: []uint64{1}}
	}
	want := fmt.Sprintf("the text has %d bytes, must have at most 33554432: a longer text cannot be parsed",
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

// TestParseAllocatesLittle checks the number of allocations of Parse. The YAML library makes nearly all allocations.
func TestParseAllocatesLittle(t *testing.T) {
	const n = 5000
	s := spec.Spec{Model: &builder.DataBlock{Objects: []builder.Object{objectOf(n)}}}
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

// TestManyRecords checks that Parse accepts the texts of blocks with many records. Hyphens in GUIDs do not count
// towards the limit on punctuation characters.
func TestManyRecords(t *testing.T) {
	t.Parallel()
	identifiers := make(builder.Identifiers, long.Count(500, 50_000))
	for i := range identifiers {
		identifiers[i] = builder.CounterIdentifier{CounterSetGuid: layout.GUID{Data1: uint32(i)}, CounterId: 1, InstanceId: 2, Name: "a"}
	}
	set := builder.CounterSet()
	n := long.Count(8_000, 60_000) // more values than fit on one line
	for i := range n {
		set.Counters = append(set.Counters, builder.QueryCounter{CounterId: uint32(i), Bytes: i%4 != 0})
	}
	set.Instances = []builder.QueryInstance{{Values: make([]uint64, n), Texts: make([]string, n/4*3)}}
	for _, tt := range []struct {
		reason string
		model  builder.Model
	}{
		{"hyphens of GUIDs", &identifiers},
		{"bytes, with more marks than a line may have", &builder.QueryData{Results: []builder.Result{*set}}},
	} {
		text, err := (&spec.Spec{Model: tt.model}).AppendYAML(nil)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if s := parse(t, "", text); !reflect.DeepEqual(s.Model, tt.model) {
			t.Errorf("%s: the text gives another model", tt.reason)
		}
	}
}

// TestManyShortLists checks that a list such as [1,2] counts only once toward the limit of punctuation characters in a
// line. The lists are in a comment, so that Parse does not read them.
func TestManyShortLists(t *testing.T) {
	t.Parallel()
	// A line may have 131,072 punctuation characters.
	s := parse(t, "", []byte("objects: []\n#"+strings.Repeat("[1,2]", 130_000)+"\n"))
	if n := len(dataOf(s).Objects); n != 0 {
		t.Error(n)
	}
}

// TestAppendYAMLIsBounded checks that AppendYAML writes the text of a block as large as on a real system, and refuses a
// text that is too large for Parse.
func TestAppendYAMLIsBounded(t *testing.T) {
	t.Parallel()
	workloads := []string{"v2-gpu"}
	if long.Enabled() {
		workloads = append(workloads, "process-2775", "cap")
	}
	for _, name := range workloads {
		w, err := fuzz.FindWorkload(name)
		if err != nil {
			t.Fatal(err)
		}
		s := &spec.Spec{Model: w.Block()}
		text, err := s.AppendYAML(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse(t, "", text).Build()
		if err != nil {
			t.Fatal(err)
		}
		if want, err := s.Build(); err != nil || string(got) != string(want) {
			t.Errorf("%s: the text builds another block (%v)", name, err)
		}
	}
	if testing.Short() {
		return
	}
	unnamed := builder.Object{ObjectNameTitleIndex: 2, Instances: make([]builder.Instance, 400_000)}
	long := builder.Object{ObjectNameTitleIndex: 2, Instances: []builder.Instance{{Name: strings.Repeat("x", 32<<20)}}}
	for _, tt := range []struct {
		reason, want string
		spec         *spec.Spec
	}{
		{"marks", "the text cannot be parsed: the text is too large: a block may have at most 524288 of the characters , : [ { ? - # & * and !", &spec.Spec{Model: &builder.Objects{unnamed}}},
		{"bytes", fmt.Sprintf("the text has %d bytes, must have at most 33554432: a longer text cannot be parsed", 32<<20+83), &spec.Spec{Model: &builder.Objects{long}}},
		{"patches", "patches: the list has 65537 patches, must have at most 65536", &spec.Spec{Model: new(builder.DataBlock), Patches: make([]spec.Patch, 1<<16+1)}},
	} {
		if b, err := tt.spec.AppendYAML([]byte("x")); err == nil || err.Error() != tt.want || string(b) != "x" {
			t.Errorf("%s: %v, want %s", tt.reason, err, tt.want)
		}
	}
}
