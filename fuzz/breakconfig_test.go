package fuzz_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// needsOther are the rules that are broken in a block which holds what a Config leaves out.
var needsOther = map[string]string{
	"ctr-size-nodata":       "a counter without a value",
	"ctr-text-length":       "a counter of a text",
	"data-system-name-even": "a letter of two bytes, half of which is left",
	"v2-strings-bounds":     "a letter that is no offset, as a text may be read as one",
	"v2-strings-offset-odd": "the same",
}

// nameFaults are rules that a name breaks, which can be of any letters.
var nameFaults = []string{"inst-name-duplicate", "inst-name-long", "inst-name-over-255", "v2-instance-name-too-long"}

// A block to break is of what the Config allows, and is broken as any other.
func TestBreakConfig(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			others := 0
			for seed := range uint64(24) {
				c := fuzz.Config{ASCII: true, Numbers: true}
				breaks(t, r, fuzz.Seed(seed), c)
				broken, err := fuzz.Break(r.Name, fuzz.Seed(seed), c)
				fatal(t, err)
				m, err := builder.NewModel(broken.Kind)
				fatal(t, err)
				if slices.Contains(nameFaults, r.Name) {
					broken.Before = broken.Block
				}
				fatal(t, m.UnmarshalBinary(broken.Before))
				eachField(reflect.ValueOf(m).Elem(), func(owner, name string, v reflect.Value) {
					other := v.Kind() == reflect.String && strings.Trim(v.String(), asciiLetters) != "" || name == "CodePage" && !v.IsZero()
					if ct, ok := v.Interface().(layout.CounterType); ok {
						n, fixed := ct.Width()
						other = !fixed || n == 0
					}
					if other {
						if others++; needsOther[r.Name] == "" {
							t.Errorf("seed %d: %q in %s.%s", seed, v, owner, name)
						}
					}
				})
			}
			if reason := needsOther[r.Name]; reason != "" && others == 0 {
				t.Errorf("there is never %s, which it was to need", reason)
			}
		})
	}
}
