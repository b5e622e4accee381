//go:build !race

// These take long under the race detector and have no concurrency.

package spec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// A valid block is within the bounds of a text. Hyphens in GUIDs do not count as marks.
func TestManyRecords(t *testing.T) {
	t.Parallel()
	identifiers := make(builder.Identifiers, long.Count(500, 50_000))
	for i := range identifiers {
		identifiers[i] = builder.CounterIdentifier{CounterSetGuid: layout.GUID{Data1: uint32(i)}, CounterId: 1, InstanceId: 2, Name: "a"}
	}
	set := builder.CounterSet()
	n := long.Count(8_000, 60_000) // more than fit on one line
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

// The shortest lists need no more memory when packed.
func TestManyShortLists(t *testing.T) {
	t.Parallel()
	s := parse(t, "", []byte("objects: []\n#"+strings.Repeat("[1,2]", 130_000)+"\n"))
	if n := len(dataOf(s).Objects); n != 0 {
		t.Error(n)
	}
}

// AppendYAML refuses a text that Parse would refuse for its size. Blocks of real systems are
// within the bounds.
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
		{"marks", "the text could not be read again: the text has too many of the characters , : [ { ? - # & * and !: a block may have at most 524288", &spec.Spec{Model: &builder.Objects{unnamed}}},
		{"bytes", fmt.Sprintf("the text has %d bytes, must have at most 33554432 to be read again", 32<<20+83), &spec.Spec{Model: &builder.Objects{long}}},
		{"patches", "patches: the list has 65537 patches, must have at most 65536", &spec.Spec{Model: new(builder.DataBlock), Patches: make([]spec.Patch, 1<<16+1)}},
	} {
		if b, err := tt.spec.AppendYAML([]byte("x")); err == nil || err.Error() != tt.want || string(b) != "x" {
			t.Errorf("%s: %v, want %s", tt.reason, err, tt.want)
		}
	}
}
