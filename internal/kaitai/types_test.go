package kaitai

import (
	"slices"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/layout"
)

// numbers are the types of numbers as descriptions call them.
var numbers = map[layout.Type]string{layout.U16: "u2", layout.U32: "u4", layout.I32: "s4", layout.I64: "s8", layout.U64: "u8"}

// A number has a sign or has none, whether a block has one that shows it or not.
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
				continue // of no record in C, or of one in the other file
			}
			for _, attribute := range typ.Seq {
				for _, f := range records[i].Fields {
					want, ok := numbers[f.Type]
					if got := attribute.Type.Value; f.Name != attribute.Field || !ok || got == "attributes" {
						continue
					} else if got != want {
						t.Errorf("%s.%s is of the type %s, not %s", typ.Record, f.Name, want, got)
					}
					compared++
				}
			}
		}
		if compared < 40 {
			t.Errorf("%d numbers of %s are compared: this tries little", compared, file)
		}
		t.Logf("%d numbers of %s", compared, file)
	}
}
