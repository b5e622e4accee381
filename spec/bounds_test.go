//go:build !race

// These take long under the race detector and have no concurrency.

package spec_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/spec"
)

// A text that exceeds a bound is refused before its tree is made.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"too long", strings.Repeat(" ", 32<<20+1), "1:1: the text is longer than the 33554432 bytes that a block may have"},
		{"too long, in JSON", "{" + strings.Repeat(" ", 32<<20), "1:1: the text is longer than the 33554432 bytes that a block may have"},
		{"a list on one line", "[" + strings.Repeat("a,", 4<<20) + "]", "1:262145: the line has too many of the characters , : [ { ? - # & * and !: at most 131072 are allowed, break the line"},
		{"a list on many lines", "[" + strings.Repeat("a,\n", 1<<19) + "]", "524288:2: the text has too many of the characters , : [ { ? - # & * and !: a block may have at most 524288"},
		{"a list in JSON", `{"a":[` + strings.Repeat("{},", 1<<20) + "]}", "1:786435: the text has too many of the characters , : [ { ? - # & * and !: a block may have at most 524288"},
		{"comments, which take memory", strings.Repeat("- a #b\n", 1<<19), "262145:1: the text has too many of the characters , : [ { ? - # & * and !: a block may have at most 524288"},
		{"patches", "objects: []\npatches:\n" + strings.Repeat("- append: {hex: 00}\n", 1<<16+1), "65539:3: more than 65536 patches"},
		{"directives", strings.Repeat("%TAG !a! b\n", 1<<16) + "---\nobjects: []", "1:1: a line begins with %: YAML directives are not supported"},
		{"a directive after a comment", "# a\r%YAML 1.2\n---\nobjects: []", "1:5: a line begins with %: YAML directives are not supported"},
		{"a directive of a second document", "objects: []\n...\n%TAG !a! b\n---\n", "3:1: a line begins with %: YAML directives are not supported"},
		{"deeper than the stack", strings.Repeat("[", 1<<17), "1:10001: exceeded max depth of 10000 while increasing flow level that starts at 1:10001"},
		{"deeper, in lines", strings.Repeat("- ", 1<<17), "1:20001: exceeded max depth of 10000"},
		{"deeper, in JSON", `{"a":` + strings.Repeat("[", 1<<18), "1:10005: invalid character '[' exceeded max depth"},
		{"deep, in JSON", `{"a":` + strings.Repeat("[", 17) + strings.Repeat("]", 17) + "}", "1:21: more than 16 lists and mappings inside each other"},
		{"deep, in JSON, with numbers", `{"a":` + strings.Repeat("[", 15) + "[1, 2]" + strings.Repeat("]", 15) + "}", "1:21: more than 16 lists and mappings inside each other"},
		{"anchors that multiply", "a: &a [x]\nb: &b [*a, *a]\nobjects: [*b, *b]", "1:4: anchor &a: YAML anchors and aliases are not supported"},
	} {
		if len(tt.text) > 1<<20 && !long.Enabled() {
			continue // takes seconds in all
		}
		if _, err := spec.Parse("", []byte(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.reason, err, tt.want)
		}
	}
}

// A line of JSON may have any number of marks: JSON is often one line.
func TestLineOfJSON(t *testing.T) {
	t.Parallel()
	s := parse(t, "", []byte(`{"objects":[{"ObjectNameTitleIndex":2,"instances":[`+strings.Repeat(`{"name":"a"},`, 50_000)+"{}]}]}"))
	if n := len(dataOf(s).Objects[0].Instances); n != 50_001 {
		t.Error(n)
	}
}

// Marks in the quotes of JSON do not count.
func TestQuotesOfJSON(t *testing.T) {
	t.Parallel()
	name := strings.Repeat(`,\\\"`, 600_000)
	s := parse(t, "", []byte(`{"SystemName": "`+name+`", "objects": []}`))
	if n := len(dataOf(s).SystemName); n != 3*600_000 {
		t.Error(n)
	}
}

// A block of more than MaxBlock is refused before memory is allocated for it.
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

// Time and memory are linear in the text. A text of 256 KiB that takes long because of its
// form could stop a server.
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
			t.Errorf("%s is a block", reason)
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
