package spec_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/hostiletext"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/spec"
)

// TestParseAnyText calls anyText with hostile texts, which are made to be slow to read.
func TestParseAnyText(t *testing.T) { // not parallel: hostiletext.Hold counts the allocations of the program
	for _, n := range []int{1 << 8, 1 << 15} {
		if n > 1<<8 && !long.Enabled() {
			break
		}
		for _, x := range hostiletext.Texts(n) {
			for _, file := range []string{"a.yaml", "a.json"} {
				t.Run(fmt.Sprintf("%s, %d, %s", x.Reason, n, file), func(t *testing.T) { anyText(t, file, []byte(x.Text)) })
			}
		}
	}
}

// FuzzParse calls anyText with the texts that the fuzzing engine makes.
func FuzzParse(f *testing.F) {
	for _, text := range files(f) {
		f.Add("", text)
	}
	for _, x := range hostiletext.Texts(60) {
		f.Add("a.yaml", []byte(x.Text))
		f.Add("a.json", []byte(x.Text))
	}
	for _, text := range []string{
		`{"objects": [{"ObjectNameTitleIndex": 2, "CodePage": 1252, "instances": [{"name": {"hex": "e9"}}]}]}`,
		`{"SystemName": "\ud834\udd1e", "objects": []}`,
		"kind: objects\nobjects: [{ObjectNameTitleIndex: 2, counters: [{CounterType: PERF_COUNTER_TEXT}], instances: [{name: a, values: [{hex: ff}]}]}]",
		"objects: []\npatches: [cut: {from: 0, to: end}, insert: {at: 'object[0]', hex: 00}, {at: SystemTime.wYear, hex: ff}]",
		"SystemTime: {wYear: 1}\nobjects:\n - ObjectNameTitleIndex: 0x10\n   UniqueID: -0",
		"objects: &a [*a]", "--- {}\n--- []", "? {}\n: - !!x y",
	} {
		f.Add("a.yaml", []byte(text))
		f.Add("a.json", []byte(text))
	}
	f.Fuzz(anyText)
}

// anyText checks that Parse takes linear time and memory, and that its errors have a line and a column. A Spec must be
// the same after AppendYAML and Parse.
func anyText(t *testing.T, file string, text []byte) {
	t.Helper()
	var s *spec.Spec
	decoded, err := yamltext.Decode(text) // errors have the line and the column in the UTF-8 text
	if err != nil {
		_, err := spec.Parse(file, text)
		wantPlace(t, err)
		return
	}
	hostiletext.Check(t, decoded, func() (int, int, error) {
		s, err = spec.Parse(file, text)
		if err == nil {
			return 0, 0, nil
		}
		e, ok := errors.AsType[*spec.Error](err)
		if !ok {
			t.Fatalf("%T is not a *spec.Error: %v", err, err)
		}
		ofText := *e
		ofText.File = "" // without the file name, which may be long
		return e.Line, e.Column, &ofText
	})
	if err != nil {
		wantPlace(t, err)
		return
	}
	first, err := s.AppendYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	again := parse(t, "", first)
	if diff := cmp.Diff(s, again, sameSpec); diff != "" {
		t.Fatalf("Parse of AppendYAML (-want +got)\n%s\n%s", diff, first)
	}
	second, err := again.AppendYAML(nil)
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("two texts of one Spec: %v\n%s\n%s", err, first, second)
	}
	n, err := s.EncodedLen()
	if err != nil {
		wantPlace(t, err)
		return
	}
	if n <= 1<<20 {
		checkBuild(t, s, n)
	}
}

// wantPlace checks that each error of a text has a line and a column, and that the errors are in the order of the
// text.
func wantPlace(t *testing.T, err error) {
	t.Helper()
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	line := 1
	for i, err := range all {
		e, ok := err.(*spec.Error)
		switch {
		case !ok || len(e.Err.Error()) > 10_000 || i > 20:
			t.Fatalf("error %d is a %T: %.1000v", i, err, err)
		case i == 20 && e.Line == 0: // this error tells the number of errors that are not listed
		case e.Line < line || e.Column < 1:
			t.Fatalf("error %d has no place or is not in order: %v", i, err)
		}
		line = e.Line
	}
}

// checkBuild builds s with and without its patches. The block without patches must have n bytes. Decoding it must
// return a Spec that builds the same block.
func checkBuild(t *testing.T, s *spec.Spec, n int) {
	t.Helper()
	if _, err := s.Build(); err != nil {
		wantPlace(t, err)
	}
	plain := *s
	plain.Patches = nil
	block := build(t, &plain)
	if len(block) != n {
		t.Fatalf("the block has %d bytes, and EncodedLen returned %d", len(block), n)
	}
	read, _, err := spec.FromBlock(s.Kind(), block, false)
	if err != nil {
		t.Fatal(err)
	}
	text, err := read.AppendYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := build(t, parse(t, "", text)); !bytes.Equal(got, block) {
		t.Fatalf("the text of the block builds another block\n%s", text)
	}
}
