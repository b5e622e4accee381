package validate_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestScanFindsDuplicates checks that two names are duplicates if they differ only in the case of
// one letter. If another character replaces the letter, they are not duplicates.
func TestScanFindsDuplicates(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
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
			list, want := []testInstance{name(0, base[0])}, 0
			for at := range letters {
				upper := base[2*at] - 'a' + 'A'
				list = append(list, name(at, upper), name(at, '0'), name(at, upper), name(at, 0x7F))
				want += 2
			}
			list = append(list, namedInstance(terminated(slices.Concat(base, []byte{'a', 0}), 0)), namedInstance(terminated(base[:2*(letters-1)], 0)))
			list[len(list)-2].parent, list[len(list)-1].parent = parent, parent
			if letters == 1 {
				list = list[:len(list)-1] // the name would be empty
			}
			before := p.checked[0]
			r := p.requireSame(layout.ObjectsKind, appendObject(nil, object4000, oneCounter, list), validate.Context{})
			if r.Counts.Warning != want || len(r.Findings) != want {
				t.Errorf("%d letters: %d of %d are duplicates, want %d", letters, r.Counts.Warning, len(list), want)
			}
			if p.checked[0] > before+2 { // the rules check the instances at the end of the input
				t.Errorf("%d letters: %d of %d are not plain", letters, p.checked[0]-before, len(list))
			}
		}
	}
}

// TestDuplicateOfScannedAndCheckedInstance checks that a duplicate is found if the scan reads one
// of the two instances and the rules check the other.
func TestDuplicateOfScannedAndCheckedInstance(t *testing.T) {
	t.Parallel()
	plain := namedInstance(terminated(text16("web server"), 0))
	others := []testInstance{namedInstance(terminated(text16("a"), 0)), namedInstance(terminated(text16("b"), 0)), namedInstance(terminated(text16("c"), 0)), namedInstance(terminated(text16("d"), 0))}
	for name, other := range map[string]testInstance{
		"no terminator":               namedInstance(text16("WEB server")),
		"a longer block":              {id: layout.PERF_NO_UNIQUE_ID, name: terminated(text16("web SERVER"), 0), block: 16},
		"a position without a parent": {id: layout.PERF_NO_UNIQUE_ID, parent: [2]uint32{0, 3}, name: terminated(text16("web server"), 0), block: 8},
		"a UniqueID":                  {id: 5, name: terminated(text16("web server"), 0), block: 8},
		"zeros that are counted":      {id: layout.PERF_NO_UNIQUE_ID, name: terminated(text16("web server"), 0), block: 8},
	} {
		pairs := [][]testInstance{{plain, other}, {other, plain}}
		if other.parent == [2]uint32{} {
			under, otherUnder := plain, other
			under.parent, otherUnder.parent = [2]uint32{4000, 1}, [2]uint32{4000, 1}
			pairs = append(pairs, []testInstance{under, otherUnder}, []testInstance{otherUnder, under})
		}
		for _, pair := range pairs {
			p := newComparison(t, validate.Options{})
			r := p.requireSame(layout.ObjectsKind, appendObject(nil, object4000, oneCounter, slices.Concat(pair, others)), validate.Context{})
			if !slices.ContainsFunc(r.Findings, func(f validate.Finding) bool { return f.Rule.Name == "inst-name-duplicate" }) {
				t.Errorf("%s: no finding of inst-name-duplicate", name)
			}
		}
	}
}

// TestScanBoundsListedDuplicates checks that the scan lists at most MaxFindings duplicates and
// counts the others.
func TestScanBoundsListedDuplicates(t *testing.T) {
	t.Parallel()
	b := appendObject(nil, object4000, oneCounter, instanceList(100, func(i int) testInstance { return namedInstance(caseVariant(i)) }))
	for _, most := range []int{1, 2, 15, 16, 17, 33, 98, 99, 100} {
		for _, severity := range []validate.Severity{validate.AsRule, validate.Info, validate.Error, validate.Off} {
			o := validate.Options{MaxFindings: most, Overrides: []validate.Override{{Rule: "inst-name-duplicate", Severity: severity, Reason: "so"}}}
			var got [2]validate.Result
			for i, o := range []validate.Options{o, validate.EveryRule(o)} {
				v, err := validate.New(o)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // the second pass reuses the buffers of the first
					got[i] = v.Bytes(layout.ObjectsKind, b, validate.Context{})
				}
			}
			listed, all := min(most, 99), 99
			if severity == validate.Off {
				listed, all = 0, 0
			}
			if r := got[0]; len(r.Findings) != listed || r.Counts.AtLeast(validate.Info) != all || r.Truncated != (listed < all) || cap(r.Findings) != listed {
				t.Errorf("MaxFindings %d: %d listed with room for %d, %+v, truncated %v", most, len(r.Findings), cap(r.Findings), r.Counts, r.Truncated)
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
				t.Errorf("MaxFindings %d: %+v with the scan, and %+v without", most, got[0].Counts, got[1].Counts)
			}
		}
	}
}

// TestCollectedNames requires the same result whether the names of an object are collected or
// compared one at a time.
func TestCollectedNames(t *testing.T) {
	t.Parallel()
	const n = 300
	many := map[int]string{} // so many duplicates that checkInstances checks all instances a second time
	for i := range 150 {
		many[n-1-i] = fmt.Sprintf("name %d", i%40)
	}
	names := func(other map[int]string) []byte {
		return appendObject(nil, object4000, oneCounter, instanceList(n, func(i int) testInstance {
			name, ok := other[i]
			if !ok {
				name = fmt.Sprintf("name %d", i)
			}
			if name == "" {
				return testInstance{id: layout.PERF_NO_UNIQUE_ID, block: 8}
			}
			return namedInstance(terminated(text16(name), 0))
		}))
	}
	for _, tt := range []struct {
		reason   string
		block    []byte
		warnings int
	}{
		{"all names are distinct", names(nil), 0},
		{"the last name is the first one", names(map[int]string{n - 1: "name 0"}), 1},
		{"there are too many duplicates to collect", names(many), 150},
		{"an unnamed instance precedes a duplicate", names(map[int]string{5: "", 20: "name 6"}), 2},
		{"two names differ in case", names(map[int]string{7: "Name 6"}), 1},
		{"two equal names have a special character, so the rules check both", names(map[int]string{20: "a/b", 30: "A/B"}), 3},
		{"other findings come before and after a duplicate", names(map[int]string{20: "a/b", 30: "name 6", 40: "c/d", 50: "name 8", 299: "e/f"}), 5},
	} {
		for _, most := range []int{-1, 1, 2, 3, 4, 5, 150} {
			o := validate.Options{MaxFindings: most}
			var got [2]validate.Result
			for i, o := range []validate.Options{validate.EveryRule(o), validate.CollectNames(o)} {
				v, err := validate.New(o)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // the second pass reuses the memory of the first
					got[i] = v.Bytes(layout.ObjectsKind, tt.block, validate.Context{})
				}
			}
			if got[0].Counts.Warning != tt.warnings || !reflect.DeepEqual(got[0], got[1]) {
				t.Errorf("%s, MaxFindings %d: %+v and %+v, want %d warnings", tt.reason, most, got[0], got[1], tt.warnings)
			}
		}
	}
}

// TestManyInstances checks an object whose names are collected because it has many instances. The
// second validation must allocate nothing.
func TestManyInstances(t *testing.T) {
	const n = validate.FewNames + 1
	instance := func(i int) testInstance { return namedInstance(terminated(text16(fmt.Sprintf("%x", i)), 0)) }
	b := appendObject(nil, object4000, oneCounter, instanceList(n, instance))
	var v validate.Validator
	if r := v.Bytes(layout.ObjectsKind, b, validate.Context{}); len(r.Findings) > 0 {
		t.Fatal(r.Findings)
	}
	if allocs := testing.AllocsPerRun(3, func() { v.Bytes(layout.ObjectsKind, b, validate.Context{}) }); allocs != 0 {
		t.Errorf("%v allocations for a block that was checked before", allocs)
	}
	b = appendObject(nil, object4000, oneCounter, instanceList(n, func(i int) testInstance { return instance(i % (n - 1)) }))
	if r := v.Bytes(layout.ObjectsKind, b, validate.Context{}); len(r.Findings) != 1 || r.Findings[0].Rule.Name != "inst-name-duplicate" || r.Findings[0].Path.String() != fmt.Sprintf("object[0].instance[%d].Name", n-1) {
		t.Errorf("%v, want one duplicate at the last instance", r.Findings)
	}
}
