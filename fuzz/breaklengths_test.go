package fuzz_test

import (
	"regexp"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestBreakLengths holds the rules about names to be broken in names of many lengths: what one
// overlooks in names of some lengths would else never be found. The length is that of the name
// before the fault, but where the fault makes another name of it.
func TestBreakLengths(t *testing.T) {
	t.Parallel()
	const enough = 10
	about := regexp.MustCompile(`^(inst|v2-instance|v2-identifier)-name-`)
	asItIs := regexp.MustCompile(`terminated|duplicate|superfluous`) // the name as the fault has made it
	record := regexp.MustCompile(`^.*(instance|identifier)\[\d+\]`)
	for _, r := range validate.Rules() {
		if !about.MatchString(r.Name) || r.Name == "inst-name-codepage" { // which is about all names of an object
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			lengths := map[bool]map[int]bool{false: {}, true: {}} // by whether characters are of two bytes
			for seed := range uint64(300) {
				b, err := fuzz.Break(r.Name, fuzz.Seed(seed), fuzz.Config{})
				fatal(t, err)
				block := b.Before
				if asItIs.MatchString(r.Name) {
					block = b.Block
				}
				x := layout.NewIndex(b.Kind, block)
				for _, f := range findings(t, b.Kind, b.Block, b.Context) {
					if f.Rule != r {
						continue
					}
					path, err := layout.ParsePath(record.FindString(f.Path.String()) + ".Name")
					fatal(t, err)
					name, err := x.Find(path)
					fatal(t, err)
					lengths[wideNames(t, x, b.Kind, path)][name.Len()] = true
				}
			}
			for wide, list := range lengths {
				if n := len(list); n < enough && (wide || n > 0) {
					t.Errorf("it is broken in names of %d lengths, characters of two bytes: %v", n, wide)
				}
			}
		})
	}
}

// wideNames reports whether a name is not in a code page.
func wideNames(t *testing.T, x *layout.Index, kind layout.Kind, name layout.Path) bool {
	t.Helper()
	if kind != layout.DataBlockKind && kind != layout.ObjectsKind {
		return true
	}
	path, err := layout.ParsePath(firstStep(name.String()) + ".CodePage")
	fatal(t, err)
	field, err := x.Find(path)
	fatal(t, err)
	page, _ := field.Int()
	return page == 0
}
