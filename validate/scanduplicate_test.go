package validate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestScanFindsDuplicates has names of all lengths that differ from the first in one letter, or
// in its case alone, with each letter at a place that the scan looks at in another way.
func TestScanFindsDuplicates(t *testing.T) {
	t.Parallel()
	p := newPair(t, validate.Options{})
	for letters := 1; letters <= 40; letters++ {
		for _, parent := range [][2]uint32{{}, {4000, 1}} {
			base := make([]byte, 2*letters)
			for i := range letters {
				base[2*i] = 'a' + byte(i%26)
			}
			name := func(at int, c byte) testInstance {
				text := slices.Clone(base)
				text[2*at] = c
				in := namedInstance(terminated(text, 0))
				in.parent = parent
				return in
			}
			list, checkDuplicates := []testInstance{name(0, base[0])}, 0
			for at := range letters {
				upper := base[2*at] - 'a' + 'A'
				list = append(list, name(at, upper), name(at, '0'), name(at, upper), name(at, 0x7F))
				checkDuplicates += 2
			}
			list = append(list, namedInstance(terminated(slices.Concat(base, []byte{'a', 0}), 0)), namedInstance(terminated(base[:2*(letters-1)], 0)))
			list[len(list)-2].parent, list[len(list)-1].parent = parent, parent
			if letters == 1 {
				list = list[:len(list)-1] // a name of nothing
			}
			before := p.checked[0]
			r := p.same(layout.ObjectsKind, appendObject(nil, object4000, counting, list), validate.Context{})
			if r.Counts.Warning != checkDuplicates || len(r.Findings) != checkDuplicates {
				t.Errorf("%d letters: %d of %d are checkDuplicates, want %d", letters, r.Counts.Warning, len(list), checkDuplicates)
			}
			if p.checked[0] > before+2 { // so near the end of the input
				t.Errorf("%d letters: %d of %d are not plain", letters, p.checked[0]-before, len(list))
			}
		}
	}
}

// TestDuplicateOfScannedAndCheckedInstance has checkDuplicates of which one is plain, and the other for the rules.
func TestDuplicateOfScannedAndCheckedInstance(t *testing.T) {
	t.Parallel()
	plain := namedInstance(terminated(text16("web server"), 0))
	rest := []testInstance{namedInstance(terminated(text16("a"), 0)), namedInstance(terminated(text16("b"), 0)), namedInstance(terminated(text16("c"), 0)), namedInstance(terminated(text16("d"), 0))}
	for name, other := range map[string]testInstance{
		"no terminator":          namedInstance(text16("WEB server")),
		"a longer block":         {id: layout.PERF_NO_UNIQUE_ID, name: terminated(text16("web SERVER"), 0), block: 16},
		"a parent that is none":  {id: layout.PERF_NO_UNIQUE_ID, parent: [2]uint32{0, 3}, name: terminated(text16("web server"), 0), block: 8},
		"a UniqueID":             {id: 5, name: terminated(text16("web server"), 0), block: 8},
		"zeros that are counted": {id: layout.PERF_NO_UNIQUE_ID, name: terminated(text16("web server"), 0), block: 8},
	} {
		pairs := [][]testInstance{{plain, other}, {other, plain}}
		if other.parent == [2]uint32{} {
			under, otherUnder := plain, other
			under.parent, otherUnder.parent = [2]uint32{4000, 1}, [2]uint32{4000, 1}
			pairs = append(pairs, []testInstance{under, otherUnder}, []testInstance{otherUnder, under})
		}
		for _, pair := range pairs {
			p := newPair(t, validate.Options{})
			r := p.same(layout.ObjectsKind, appendObject(nil, object4000, counting, slices.Concat(pair, rest)), validate.Context{})
			if !slices.ContainsFunc(r.Findings, func(f validate.Finding) bool { return f.Rule.Name == "inst-name-duplicate" }) {
				t.Errorf("%s: they are not found to be the same", name)
			}
		}
	}
}

// TestScanBoundsListedDuplicates bounds how many findings are listed, as checkDuplicates are counted
// without more ado behind that.
func TestScanBoundsListedDuplicates(t *testing.T) {
	t.Parallel()
	b := appendObject(nil, object4000, counting, instanceList(100, func(i int) testInstance { return namedInstance(caseVariant(i)) }))
	for _, most := range []int{1, 2, 15, 16, 17, 33, 98, 99, 100} {
		for _, severity := range []validate.Severity{validate.AsRule, validate.Info, validate.Error, validate.Off} {
			o := validate.Options{MaxFindings: most, Overrides: []validate.Override{{Rule: "inst-name-duplicate", Severity: severity, Reason: "so"}}}
			var got [2]validate.Result
			for i, o := range []validate.Options{o, validate.EveryRule(o)} {
				v, err := validate.New(o)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // the second time with what is left of the first
					got[i] = v.Bytes(layout.ObjectsKind, b, validate.Context{})
				}
			}
			listed, all := min(most, 99), 99
			if severity == validate.Off {
				listed, all = 0, 0
			}
			if r := got[0]; len(r.Findings) != listed || r.Counts.AtLeast(validate.Info) != all || r.Truncated != (listed < all) || cap(r.Findings) != listed {
				t.Errorf("of %d: %d listed with room for %d, %+v, truncated %v", most, len(r.Findings), cap(r.Findings), r.Counts, r.Truncated)
			}
			for i, f := range got[0].Findings {
				name := caseVariant(i + 1)
				for k := range len(name)/2 - 1 {
					name[k] = name[2*k]
				}
				if want := fmt.Sprintf("the name is %q", name[:len(name)/2-1]); f.Got != want {
					t.Errorf("finding %d says %s, want %s", i, f.Got, want)
				}
			}
			if !slices.EqualFunc(got[0].Findings, got[1].Findings, func(a, b validate.Finding) bool { return a.String() == b.String() && a.Reason == b.Reason }) || got[0].Counts != got[1].Counts {
				t.Errorf("of %d: %+v with the scan, and %+v without", most, got[0].Counts, got[1].Counts)
			}
		}
	}
}
