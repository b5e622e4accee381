package fuzz_test

import (
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/validate"
)

// aWord is how many characters a name may have beyond MaxText: a word such as "another", or
// the letters that tell it from others.
const aWord = 8

// longNames are the rules that are broken in a block with a longer name.
var longNames = map[string]string{
	"v2-instance-header-align": "what is read from the wrong place has to be there",
	"v2-instance-list-cover":   "what is read from the wrong place has to be there",
}

// Before the fault the names of a block to break are as long as the Config allows, and some
// are as long as that.
func TestBreakText(t *testing.T) {
	t.Parallel()
	for _, most := range []int{1, 100} {
		longest, where := 0, ""
		for _, r := range validate.Rules() {
			over := ""
			for seed := range uint64(24) {
				broken, err := fuzz.Break(r.Name, fuzz.Seed(seed), fuzz.Config{MaxText: most})
				fatal(t, err)
				m, err := builder.NewModel(broken.Kind)
				fatal(t, err)
				fatal(t, m.UnmarshalBinary(broken.Before))
				eachField(reflect.ValueOf(m).Elem(), func(owner, name string, v reflect.Value) {
					if v.Kind() != reflect.String {
						return
					}
					n := utf8.RuneCountInString(v.String())
					if n > longest {
						longest, where = n, r.Name
					}
					if n > most+aWord {
						over = owner + "." + name + " " + v.String()
					}
				})
			}
			switch reason, ok := longNames[r.Name]; {
			case over != "" && !ok:
				t.Errorf("%s of MaxText %d: %q", r.Name, most, over)
			case over == "" && ok && most < aWord:
				t.Errorf("%s has no long name, though %s", r.Name, reason)
			}
		}
		if longest < most {
			t.Errorf("of MaxText %d the longest name is of %d characters, in %s", most, longest, where)
		}
	}
}
