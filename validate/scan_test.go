package validate_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A comparison validates blocks with and without the scan, which skips the rules for plain
// instances. The findings must be the same.
type comparison struct {
	t          testing.TB
	validators [3]*validate.Validator // [0] with the scan, [1] without it, [2] with the scan and collected names
	checked    [2]int                 // instances that the rules checked
	defined    [2]int                 // counters that the rules checked
}

func newComparison(t testing.TB, o validate.Options) *comparison {
	t.Helper()
	o.MaxFindings = -1
	p := &comparison{t: t}
	for i, o := range []validate.Options{o, validate.EveryRule(o), validate.CollectNames(o)} {
		v, err := validate.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if i < len(p.checked) {
			v.CountChecked(&p.checked[i])
			v.CountCheckedCounters(&p.defined[i])
		}
		p.validators[i] = v
	}
	return p
}

// requireSame validates b with each validator and returns the result. It fails the test if the
// results differ.
func (p *comparison) requireSame(kind layout.Kind, b []byte, ctx validate.Context) validate.Result {
	p.t.Helper()
	without := p.validators[1].Bytes(kind, b, ctx)
	for _, i := range []int{0, 2} {
		with := p.validators[i].Bytes(kind, b, ctx)
		if !reflect.DeepEqual(with, without) {
			p.t.Fatalf("validator %d: findings (-without the scan +with it):\n%s\n% x", i, cmp.Diff(lines(without), lines(with)), b)
		}
		if with, without := p.validators[i].Searchable(), p.validators[1].Searchable(); with != without {
			p.t.Fatalf("validator %d leaves %d bytes of the search limit, must be %d:\n% x", i, with, without, b)
		}
	}
	return without
}

// lines returns the text of each finding.
func lines(r validate.Result) []string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.String())
	}
	return list
}

// skipped returns the number of instances that no rule checked, because the scan skipped them.
func (p *comparison) skipped() int { return p.checked[1] - p.checked[0] }

// blockOfInstances returns a data block with an object of n instances. Each name has the given
// number of letters, and each counter block has 24 bytes.
func blockOfInstances(t testing.TB, n, letters int) []byte {
	t.Helper()
	o := builder.Object{ObjectNameTitleIndex: 4000, DuplicateNames: true}
	o.Counter(4002, layout.PERF_COUNTER_COUNTER)
	o.Counter(4004, layout.PERF_COUNTER_BULK_COUNT)
	o.Counter(4006, layout.PERF_COUNTER_BULK_COUNT)
	for i := range n {
		o.Instance(fmt.Sprintf("%0*d", letters, i), 1, 2, 3)
	}
	b, err := builder.DataBlock{Objects: []builder.Object{o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestScanChecksEveryField checks that the scan leaves an instance to the rules if one field
// breaks a rule.
func TestScanChecksEveryField(t *testing.T) {
	t.Parallel()
	const letters = 6 // an instance has 24 + 14 bytes, and 2 of padding
	for _, test := range []struct {
		rule  string
		patch map[string]any // new values, by path in the third of four instances or in the block
	}{
		{"inst-truncated", map[string]any{"object[0].NumInstances": 5}},
		{"inst-length-min", map[string]any{"ByteLength": 23}},
		{"inst-length-min", map[string]any{"ByteLength": 0}},
		{"inst-length-min", map[string]any{"ByteLength": 16}},
		{"inst-length-bound", map[string]any{"ByteLength": 1 << 16}},
		{"inst-length-bound", map[string]any{"ByteLength": -8}},
		{"inst-length-align", map[string]any{"ByteLength": 41}},
		{"inst-name-offset-min", map[string]any{"NameOffset": 23}},
		{"inst-name-range", map[string]any{"NameLength": 18}},
		{"inst-name-range", map[string]any{"NameLength": -2}},
		{"inst-name-offset-even", map[string]any{"NameOffset": 25}},
		{"inst-name-offset-gap", map[string]any{"NameOffset": 26}},
		{"inst-name-length-even", map[string]any{"NameLength": 13}},
		{"inst-name-terminated", map[string]any{"NameLength": 12}},
		{"inst-name-padding-counted", map[string]any{"NameLength": 16}},
		{"inst-name-padding-counted", map[string]any{"Name": "a\x00b\x00\x00\x00"}},
		{"inst-name-utf16", map[string]any{"Name": "\x00\xD8"}},
		{"inst-name-utf16", map[string]any{"Name": "a\x00\xFF\xDF"}},
		{"inst-name-utf16", map[string]any{"Name": "\xFE\xFF"}},
		{"inst-name-codepage", map[string]any{"object[0].CodePage": 1252}},
		{"inst-name-empty", map[string]any{"Name": strings.Repeat("\x00", 12), "NameLength": 2}},
		{"inst-unnamed", map[string]any{"NameLength": 0}},
		{"inst-name-special", map[string]any{"Name": "*\x00"}},
		{"inst-name-special", map[string]any{"Name": "a\x00#\x001\x002\x003\x004\x00"}},
		{"inst-name-control", map[string]any{"Name": "\x1F\x00"}},
		{"inst-name-control", map[string]any{"Name": " \x00"}},
		{"inst-name-control", map[string]any{"Name": "a\x00a\x00a\x00a\x00a\x00 \x00"}},
		{"inst-name-duplicate", map[string]any{"Name": "0\x000\x000\x000\x000\x001\x00"}},
		{"inst-unique-id-mixed", map[string]any{"UniqueID": 7}},
		{"inst-parent-stray", map[string]any{"ParentObjectInstance": 1}},
		{"inst-parent-missing", map[string]any{"ParentObjectTitleIndex": 6}},
		{"inst-parent-range", map[string]any{"ParentObjectTitleIndex": 4000, "ParentObjectInstance": 4}},
		{"inst-padding-zero", map[string]any{"padding": "\x00\x01"}},
		{"inst-total-last", map[string]any{"Name": "_\x00T\x00o\x00t\x00a\x00l\x00"}},
		{"blk-length-min", map[string]any{"block.ByteLength": 3}},
		{"blk-length-bound", map[string]any{"block.ByteLength": 1 << 16}},
		{"blk-length-align", map[string]any{"block.ByteLength": 25}},
		{"blk-length-bound", map[string]any{"block.ByteLength": 32}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			b := blockOfInstances(t, 4, letters)
			p := newComparison(t, validate.Options{})
			if r := p.requireSame(layout.DataBlockKind, b, validate.Context{}); len(r.Findings) > 0 || p.skipped() != 4 {
				t.Fatalf("before the change, %d of four instances are plain, with findings %v", p.skipped(), r.Err(validate.Info))
			}
			plain := slices.Clone(b)
			for place, to := range test.patch {
				if !strings.HasPrefix(place, "object") {
					place = "object[0].instance[2]." + place
				}
				path, err := layout.ParsePath(place)
				if err != nil {
					t.Fatal(err)
				}
				part, err := layout.Find(layout.DataBlockKind, plain, path)
				if err != nil {
					t.Fatal(err)
				}
				if text, is := to.(string); is {
					copy(b[part.Off():], text)
				} else {
					binary.LittleEndian.PutUint32(b[part.Off():], uint32(to.(int)))
				}
			}
			found := p.requireSame(layout.DataBlockKind, b, validate.Context{})
			if !slices.ContainsFunc(found.Findings, func(f validate.Finding) bool { return f.Rule.Name == test.rule }) {
				t.Errorf("the rule has no finding; got %v", found.Err(validate.Info))
			}
		})
	}
}

// TestScanStopsAtNumInstances checks that the scan skips only as many instances as NumInstances
// counts. The object has more instances than the scan reads at once.
func TestScanStopsAtNumInstances(t *testing.T) {
	t.Parallel()
	const there = 40
	p := newComparison(t, validate.Options{})
	for n := range uint32(there) {
		b := blockOfInstances(t, there, 6)
		part, err := layout.Find(layout.DataBlockKind, b, layout.Path{}.At("object", 0).Field("NumInstances"))
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(b[part.Off():], n)
		before := p.skipped()
		if r := p.requireSame(layout.DataBlockKind, b, validate.Context{}); len(r.Findings) == 0 {
			t.Errorf("%d of %d instances are counted: no finding", n, there)
		}
		if got := p.skipped() - before; got != int(n) {
			t.Errorf("%d instances are plain, must be the %d that are counted", got, n)
		}
	}
}

// TestScanChecksAlignment checks that two misaligned instances are reported with and without the
// scan.
func TestScanChecksAlignment(t *testing.T) {
	t.Parallel()
	b := blockOfInstances(t, 4, 6)
	all := instances(t, b)
	for _, i := range []int{2, 1} {
		at := all[i].Off()
		binary.LittleEndian.PutUint32(b[at:], all[i].ByteLength()+4)
		b = slices.Insert(b, int(all[i].End()), 0, 0, 0, 0)
	}
	const object = 88
	// With the right lengths of the block and the object, alignment is the only fault.
	for _, at := range []int{int(layout.PERF_DATA_BLOCK.Field("TotalByteLength").At), object} {
		binary.LittleEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:])+8)
	}
	found := newComparison(t, validate.Options{}).requireSame(layout.DataBlockKind, b, validate.Context{})
	var rules []string
	for _, f := range found.Findings {
		rules = append(rules, f.Rule.Name)
	}
	if want := []string{"inst-length-align", "inst-length-align"}; !slices.Equal(rules, want) {
		t.Errorf("found %v, want %v alone", rules, want)
	}
}

// units has UTF-16 code units of each range that the rules and the scan distinguish. Most of them
// are the first or the last code unit of a range.
var units = []uint16{
	0, 1, 0x1F, ' ', '!', '#', '(', ')', '*', '/', '0', '9', ':', 'A', 'Z', '[', '\\', '_', 'a', '~', 0x7F, 0x80, 0xFF, 0x100,
	0x120, 0x5F00, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF,
}

// TestScanChecksEveryCharacter requires the same findings with and without the scan for all names
// that consist of one, two or three of the units.
func TestScanChecksEveryCharacter(t *testing.T) {
	t.Parallel()
	for letters, all := 1, len(units); letters <= 3; letters, all = letters+1, all*len(units) {
		b := blockOfInstances(t, 1+all, letters)
		for i, in := range instances(t, b)[1:] {
			name := in.Bytes()[in.NameOffset():]
			for k := range letters {
				binary.LittleEndian.PutUint16(name[2*k:], units[i%len(units)])
				i /= len(units)
			}
		}
		p := newComparison(t, validate.Options{})
		found := p.requireSame(layout.DataBlockKind, b, validate.Context{})
		t.Logf("%d names of %d characters, %d of them plain, %+v", all, letters, p.skipped(), found.Counts)
		if p.skipped() == 0 || len(found.Findings) == 0 {
			t.Error("the names must include plain ones and ones with findings")
		}
	}
}

// TestScanChecksLongNames checks names whose lengths are close to the limits of rules. The findings
// must be the same with and without the scan.
func TestScanChecksLongNames(t *testing.T) {
	t.Parallel()
	p := newComparison(t, validate.Options{})
	for letters := 250; letters < 1030; letters++ {
		if letters == 260 {
			letters = 1020
		}
		r := p.requireSame(layout.DataBlockKind, blockOfInstances(t, 3, letters), validate.Context{})
		if (letters > 255) != (len(r.Findings) > 0) {
			t.Errorf("names of %d letters: %v", letters, r.Err(validate.Info))
		}
	}
	if p.skipped() != 3*6 {
		t.Errorf("%d instances were plain, want three of each length up to 255", p.skipped())
	}
}
