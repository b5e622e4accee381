package fuzz_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const wrongLengthsPage = "../docs/wrong-lengths.md"

const wrongLengthsHead = `# Which field lint reports for a wrong length

A wrong length, offset or count contradicts other declarations: the content of its record, the record after it, or the
header of the enclosing record. ` + "`perfblock lint`" + ` must decide which of them is wrong, report that one, and go on.

## How lint decides

1. If the declared number of records with their declared lengths ends at the declared end, all these numbers are right.
2. Otherwise lint tries several lengths for each record. It takes the first one of these after which the next record, or
   the end, seems to follow:
   - the declared length
   - the length that the content requires: a name ends with a NUL, a counter block has space for its values, an object
     ends after its instances
   - the declared length, rounded up to a multiple of 8
   - the distance to a record inside the declared length

   A declared length that is longer than the content comes first only if the bytes between are zeros. If nothing
   follows after any of these lengths, lint takes the length of the content for objects and results, and the declared
   length for other records.
3. These lengths give the number of records and their end.

Each declaration that differs from these numbers is a finding. A record seems to follow if its fixed fields agree with
each other, for example HeaderLength, DefinitionLength and NumCounters of an object. lint checks only this record and not
the records after it. All searches in contents together read at most four times as many bytes as the input has.

| wrong | what lint finds | finding |
|---|---|---|
| TotalByteLength of an object is 8 too small | no object follows it; an object follows the last instance | TotalByteLength must be the end of the last instance |
| ByteLength of an instance ends inside its counter block | no counter block starts there; a counter block follows the name | ByteLength must be the distance to the counter block |
| NumInstances is one too large | the instances that are there end where the object ends | NumInstances must be the number of instances |
| dwSize of a result is that of the next result | no result starts after dwSize bytes; a result follows the value | dwSize must be the size of the header and the content |
| a name at the end of the input has no NUL | the end of the input follows the declared Size | the name must end in a NUL |

lint decides in this way for objects, instances and counter blocks of V1, and for results, instances, values and
identifiers of V2. The ids and the instances of a result also have counts: lint tries the counts with which the records
fill the result. The other records have a fixed size, or offsets that no other field repeats: lint compares them with
their bounds.

## How often it is right

A test writes wrong numbers into each length, offset and count of a block, one at a time, and validates the block with
the profile strict. The numbers are 0, 1, -1, the old number plus and minus 1, 4 and 8, twice and half the old number,
0x7fffffff, and the numbers in the nearest fields of the same record and in the same field of other records.

- **numbers**: how many wrong numbers were written. Numbers that are as legal as the old one are not counted: see
  [silent damage](silent-damage.md).
- **at the field**: lint reports the wrong field.
- **alone**: lint reports the wrong field and nothing else.
- **exact**: a finding at the field requires the old number.
- **range**: no finding requires the old number, but one requires a range or a multiple that contains it.
- **other**: all findings at the field require another number.

Percentages are rounded down. ` + "`go generate ./validate`" + ` generates this page.
`

// TestWrongLengths writes wrong lengths, offsets and counts, and counts how often the validator reports the changed
// field.
func TestWrongLengths(t *testing.T) {
	if raceEnabled {
		t.Skip("takes minutes under the race detector and has one goroutine")
	}
	t.Parallel()
	const seeds = 15 // generated blocks of each kind; docs/wrong-lengths.md has the counts for these blocks
	v, fixtures, generated := strict(t), wrongLengths{}, wrongLengths{}
	for _, s := range fixtureSubjects(t, v) {
		fixtures.addBlock(t, v, s)
	}
	for _, kind := range layout.Kinds() {
		for seed := range uint64(seeds) {
			for _, s := range generatedSubjects(t, v, kind, fuzz.Seed(seed)) {
				generated.addBlock(t, v, s)
			}
		}
	}
	for _, c := range []wrongLengths{fixtures, generated} {
		if all := c.sum(""); all.atField*10 < all.numbers*9 {
			t.Errorf("lint reports the field in %s of all cases, which must be at least 90 %%", share(all.atField, all.numbers))
		}
	}
	golden.File(t, wrongLengthsPage, wrongLengthsOf(fixtures, generated))
}

// wrongLengths counts, for each field in each group, the wrong numbers that were written into the field. A group is a
// kind of block and its context.
type wrongLengths map[tallyKey]*wrongLength

// wrongLength counts the wrong numbers written into a field. The counts are the columns of docs/wrong-lengths.md.
type wrongLength struct{ numbers, atField, alone, exact, inRange, other int }

func (a *wrongLength) add(b wrongLength) {
	a.numbers += b.numbers
	a.atField += b.atField
	a.alone += b.alone
	a.exact += b.exact
	a.inRange += b.inRange
	a.other += b.other
}

// String returns the counts as cells of a table.
func (a wrongLength) String() string {
	cells := []string{strconv.Itoa(a.numbers)}
	for _, n := range []int{a.atField, a.alone, a.exact, a.inRange, a.other} {
		cells = append(cells, share(n, a.numbers))
	}
	return strings.Join(cells, " | ")
}

// sum adds up the counts of one group. For an empty group name, it adds up all groups.
func (c wrongLengths) sum(group string) (sum wrongLength) {
	for at, n := range c {
		if group == "" || at.group == group {
			sum.add(*n)
		}
	}
	return sum
}

// addBlock writes the wrong numbers into the fields of a block, one at a time.
func (c wrongLengths) addBlock(t *testing.T, v *validate.Validator, s *subject) {
	t.Helper()
	for i, part := range s.fields {
		if !part.Field.Role.Structural() {
			continue
		}
		at := tallyKey{s.group, part.Record, part.Field}
		if c[at] == nil {
			c[at] = &wrongLength{}
		}
		for _, n := range s.wrongNumbers(i) {
			c[at].add(s.write(t, v, part, n))
		}
	}
}

// wrongNumbers returns the numbers to write into field i. The current number of the field is not in the list.
func (s *subject) wrongNumbers(i int) (list []int64) {
	field := s.fields[i]
	old, _ := field.Int()
	mask := int64(1)<<(8*field.Len()) - 1
	numbers := []int64{0, 1, -1, old - 8, old - 4, old - 1, old + 1, old + 4, old + 8, 2 * old, old / 2, 0x7fffffff}
	inRecord := func(f layout.Part) bool { return f.Path.Parent() == field.Path.Parent() && f.Field.Role.Structural() }
	sameField := func(f layout.Part) bool { return f.Field == field.Field }
	for _, step := range []int{-1, 1} {
		for _, near := range []func(layout.Part) bool{inRecord, sameField} {
			for j := i + step; j >= 0 && j < len(s.fields); j += step {
				if near(s.fields[j]) {
					n, _ := s.fields[j].Int()
					numbers = append(numbers, n)
					break
				}
			}
		}
	}
	for _, n := range numbers {
		if n &= mask; n != old&mask && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// write writes a number into a field, validates the block, and writes the old number back.
func (s *subject) write(t *testing.T, v *validate.Validator, part layout.Part, n int64) (w wrongLength) {
	t.Helper()
	old, _ := part.Int()
	field := s.damaged[part.Off() : part.Off()+int64(part.Len())]
	putNumber(field, n)
	defer copy(field, s.block[part.Off():])
	result := v.Bytes(s.kind, s.damaged, s.ctx)
	fatal(t, result.Unchecked)
	f := s.change(part)
	found, fits := 0, map[fit]bool{}
	for _, g := range result.Findings {
		r := findingKey{g.Rule, g.Path}
		f.remains[r] = true
		if s.findings[g] || s.reported[r] && g.Path != part.Path {
			continue
		}
		found++
		if g.Path == part.Path {
			w.atField = 1
			fits[fitOf(g.Want, old)] = true
		}
	}
	switch {
	case found == 0 && f.legal() != nil:
		return wrongLength{}
	case fits[exact]:
		w.exact = 1
	case fits[inRange]:
		w.inRange = 1
	case fits[other]:
		w.other = 1
	}
	if w.numbers = 1; w.atField == 1 && found == 1 {
		w.alone = 1
	}
	return w
}

// A fit says how a number fits the Want of a finding.
type fit int

const (
	exact   fit = iota // the Want requires this number
	inRange            // the Want has bounds that contain this number, or has no bounds
	other              // the Want excludes this number
)

func fitOf(want string, n int64) fit {
	r, ok := parseRequirement(want)
	r.multiple = 1 // a valid block can have misaligned values, which have warnings
	switch {
	case !ok || r.others || r.least != r.most && r.allows(n):
		return inRange
	case r.allows(n):
		return exact
	}
	return other
}

// wrongLengthsOf returns the text of docs/wrong-lengths.md.
func wrongLengthsOf(fixtures, generated wrongLengths) string {
	var b strings.Builder
	table := func(title, first string) {
		fmt.Fprintf(&b, "\n%s\n\n| %s | numbers | at the field | alone | exact | range | other |\n|---|--:|--:|--:|--:|--:|--:|\n", title, first)
	}
	fmt.Fprint(&b, wrongLengthsHead, "\n### By kind\n")
	for _, blocks := range []struct {
		name   string
		counts wrongLengths
	}{{"The fixtures of testdata/specs that are not broken", fixtures}, {"Generated blocks", generated}} {
		table(blocks.name+":", "kind")
		for _, group := range groups(blocks.counts) {
			fmt.Fprintf(&b, "| %s | %v |\n", group, blocks.counts.sum(group))
		}
		fmt.Fprintf(&b, "| all | %v |\n", blocks.counts.sum(""))
	}
	fmt.Fprint(&b, "\n### By field\n\nIn the fixtures.\n")
	for _, group := range groups(fixtures) {
		table("**"+group+"**", "field")
		for _, r := range allRecords() {
			for i := range r.Fields {
				if n := fixtures[tallyKey{group, r, &r.Fields[i]}]; n != nil {
					fmt.Fprintf(&b, "| %s.%s | %v |\n", r.C, r.Fields[i].Name, *n)
				}
			}
		}
	}
	return b.String()
}
