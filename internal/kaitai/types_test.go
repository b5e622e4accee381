package kaitai

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/layout"
)

// numbers maps the types of fields in the record table to the types in the descriptions.
var numbers = map[layout.Type]string{layout.U16: "u2", layout.U32: "u4", layout.I32: "s4", layout.I64: "s8", layout.U64: "u8"}

// TestTypesAgree compares the width and sign of each number in the descriptions with the record table. Some of these
// numbers are in no fixture.
func TestTypesAgree(t *testing.T) {
	t.Parallel()
	for file, records := range map[string][]*layout.Record{"winperf": layout.Winperf, "perflib": layout.Perflib} {
		var description struct {
			Types map[string]struct {
				Record string `yaml:"-orig-id"`
				Seq    []struct {
					Field string    `yaml:"-orig-id"`
					Type  yaml.Node `yaml:"type"`
				}
			}
		}
		if err := yaml.Unmarshal([]byte(read(t, file)), &description); err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, typ := range description.Types {
			i := slices.IndexFunc(records, func(r *layout.Record) bool { return r.C == typ.Record })
			if i < 0 {
				continue // not a C record, or a record of the other file
			}
			for _, attribute := range typ.Seq {
				for _, f := range records[i].Fields {
					want, ok := numbers[f.Type]
					if got := attribute.Type.Value; f.Name != attribute.Field || !ok || got == "attributes" {
						continue
					} else if got != want {
						t.Errorf("%s.%s has the type %s, not %s", typ.Record, f.Name, want, got)
					}
					compared++
				}
			}
		}
		if compared < 40 {
			t.Errorf("%d numbers of %s are compared, want more", compared, file)
		}
		t.Logf("%d numbers of %s", compared, file)
	}
}

// TestEnumerationsAgree compares the names in the enumerations with package layout. It needs no blocks, so it also
// checks values that no fixture contains.
func TestEnumerationsAgree(t *testing.T) {
	t.Parallel()
	described := map[string]map[int64]string{}
	for _, file := range []string{"winperf", "perflib"} {
		maps.Copy(described, enumerations(t, file))
	}
	want := map[string]map[int64]string{
		"counter_type":      {},
		"detail_level":      named(func(n int64) string { return known(layout.DetailLevel(n)) }),
		"no_instances_kind": named(func(n int64) string { return cname.Instances(int32(n)) }),
		"counter_data_type": named(func(n int64) string { return known(layout.PerfCounterDataType(n)) }),
		"instance_type":     named(func(n int64) string { return known(layout.InstanceType(n)) }),
		"aggregate_func":    named(func(n int64) string { return known(layout.AggregateFunc(n)) }),
		"status":            {0: success},
	}
	for typ := range layout.CounterTypes() {
		want["counter_type"][int64(typ)] = typ.String()
	}
	for _, status := range cname.Statuses {
		want["status"][int64(status.Value)] = status.Name
	}
	if diff := cmp.Diff(want, described); diff != "" {
		t.Errorf("(-ours +described)\n%s", diff)
	}
}

// named returns the names of the numbers from -1000 to 1000 that have a name.
func named(name func(n int64) string) map[int64]string {
	names := map[int64]string{}
	for n := int64(-1000); n <= 1000; n++ {
		if s := name(n); s != "" {
			names[n] = s
		}
	}
	return names
}

func known[T interface {
	Valid() bool
	String() string
}](v T) string {
	if v.Valid() {
		return v.String()
	}
	return ""
}

// enumerations returns the enumerations of a description with the C names of their values.
func enumerations(t *testing.T, file string) map[string]map[int64]string {
	t.Helper()
	var description struct {
		Enums map[string]map[int64]yaml.Node
	}
	if err := yaml.Unmarshal([]byte(read(t, file)), &description); err != nil {
		t.Fatal(err)
	}
	all := map[string]map[int64]string{}
	for enum, names := range description.Enums {
		all[enum] = map[int64]string{}
		for n, name := range names {
			id := name.Value
			if i := slices.IndexFunc(name.Content, func(key *yaml.Node) bool { return key.Value == "id" }); i >= 0 {
				id = name.Content[i+1].Value
			}
			all[enum][n] = strings.ToUpper(id)
		}
	}
	return all
}
