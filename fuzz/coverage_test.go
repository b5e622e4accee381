package fuzz_test

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

const coveragePage = "../docs/fuzz-coverage.md"

const (
	coverageSeeds = 1500 // the number of seeds for each kind
	enough        = 2    // the smallest number of occurrences that passes the test
)

const coverageHead = `# What the generator makes

The blocks are those of the seeds 0 to %d of each kind. The column "times" counts the blocks, records or fields in which a case occurs. A "-" marks
a case that no valid block can contain, with the reason beside it. The test fails if another case occurs less than %d times.
` + "`go generate ./validate`" + ` generates this page.
`

// TestCoverage checks that the generator makes each case, such as each record, field and named value.
func TestCoverage(t *testing.T) {
	if raceEnabled {
		t.Skip("takes minutes under the race detector and has one goroutine")
	}
	t.Parallel()
	c := &coverage{index: map[coverageCase]int{}, never: maps.Clone(neverMade)}
	c.declareKinds()
	c.declareRecords()
	c.declarePlaces()
	c.declareModels(t)
	for _, kind := range layout.Kinds() {
		for seed := range uint64(coverageSeeds) {
			m := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})
			b, err := m.MarshalBinary()
			fatal(t, err)
			c.countKind(kind)
			c.records(kind, b)
			c.countParts(t, kind, b)
			c.model(reflect.ValueOf(m).Elem())
		}
	}
	for i, r := range c.rows {
		reason, never := c.never[r]
		switch n := c.times[i]; {
		case never && n > 0:
			t.Errorf("%s, %s: occurs %d times, although %s", r.of, r.what, n, reason)
		case !never && n < enough:
			t.Errorf("%s, %s: occurs %d times, must occur at least %d times", r.of, r.what, n, enough)
		}
	}
	for r := range c.never {
		if _, known := c.index[r]; !known {
			t.Errorf("%s, %s is not a row", r.of, r.what)
		}
	}
	golden.File(t, coveragePage, c.page())
}

// A coverageCase is one row of docs/fuzz-coverage.md, such as a field of a record or a value of a field.
type coverageCase struct{ of, what string }

// A coverage has the rows of docs/fuzz-coverage.md. For each row, such as "PERF_OBJECT_TYPE, CodePage = 0", it counts
// how often this case occurs in the generated blocks.
type coverage struct {
	sections []section
	rows     []coverageCase
	times    []int
	values   []map[any]bool // for the row of a field: its different values
	index    map[coverageCase]int
	never    map[coverageCase]string // the rows that no valid block contains, with the reason
	fields   map[*layout.Field]*fieldRows
}

// A section is a table of the page.
type section struct {
	title string
	first int // the number of its first row
}

func (c *coverage) section(title string) {
	c.sections = append(c.sections, section{title, len(c.rows)})
}

// declare returns the index of a row of the page, and adds the row if it is new. The test fails if the case of a row
// occurs too rarely.
func (c *coverage) declare(of, what string) int {
	r := coverageCase{of, what}
	i, ok := c.index[r]
	if !ok {
		i = len(c.rows)
		c.index[r] = i
		c.rows, c.times, c.values = append(c.rows, r), append(c.times, 0), append(c.values, nil)
	}
	return i
}

func (c *coverage) countIf(of, what string, condition bool) { c.count(c.declare(of, what), condition) }

// count counts an occurrence of row i if seen is true. It ignores a negative i.
func (c *coverage) count(i int, seen bool) {
	if seen && i >= 0 {
		c.times[i]++
	}
}

// value adds 1 to the count of row i, and adds v to the different values of the row.
func (c *coverage) value(i int, v any) {
	c.times[i]++
	if c.values[i] == nil {
		c.values[i] = map[any]bool{}
	}
	c.values[i][v] = true
}

// countLength counts a list of n elements in one of three rows: "none" if n is 0, "one" if n is 1, and "more"
// otherwise.
func (c *coverage) countLength(of, what string, n int) {
	c.countIf(of, what+": none", n == 0)
	c.countIf(of, what+": one", n == 1)
	c.countIf(of, what+": more", n > 1)
}

func (c *coverage) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, coverageHead, coverageSeeds-1, enough)
	for i, s := range c.sections {
		end := len(c.rows)
		if i+1 < len(c.sections) {
			end = c.sections[i+1].first
		}
		fmt.Fprintf(&b, "\n## %s\n\n| of | what | times | different values |\n|---|---|--:|--:|\n", s.title)
		for j := s.first; j < end; j++ {
			times, values := fmt.Sprint(c.times[j]), ""
			if reason, never := c.never[c.rows[j]]; never {
				times, values = "-", reason
			}
			if c.values[j] != nil {
				values = fmt.Sprint(len(c.values[j]))
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.rows[j].of, strings.ReplaceAll(c.rows[j].what, "|", `\|`), times, values)
		}
	}
	return b.String()
}

func (c *coverage) declareKinds() {
	c.section("Kinds of blocks")
	for _, kind := range layout.Kinds() {
		c.declare(kind.String(), "made")
	}
	for t := range layout.PerfRegInfoType(64) {
		if t.Valid() {
			c.declare(t.String(), "made")
		}
	}
}

// countKind counts a block in the row of its kind. It also counts each PerfRegInfoType that requests blocks of this
// kind.
func (c *coverage) countKind(kind layout.Kind) {
	c.countIf(kind.String(), "made", true)
	for t := range layout.PerfRegInfoType(64) {
		if of, ok := t.Kind(); ok && of == kind {
			c.countIf(t.String(), "made", true)
		}
	}
}

// declareModels adds two rows for each field of a model: "given" for a value other than zero, and "not given" for the
// zero value.
func (c *coverage) declareModels(t *testing.T) {
	t.Helper()
	c.section("Fields of models")
	for _, kind := range layout.Kinds() {
		c.declareModel(reflect.TypeOf(empty(t, kind)).Elem())
	}
}

// ofBuilder reports whether package builder declares a type.
func ofBuilder(t reflect.Type) bool { return strings.HasSuffix(t.PkgPath(), "/builder") }

func (c *coverage) declareModel(t reflect.Type) {
	switch {
	case t.Kind() == reflect.Slice:
		if ofBuilder(t) {
			for _, n := range []string{": none", ": one", ": more"} {
				c.declare(t.String(), "records"+n)
			}
		}
		c.declareModel(t.Elem())
	case t.Kind() == reflect.Struct && ofBuilder(t):
		for f := range t.Fields() {
			if f.Type.Kind() == reflect.Slice {
				for _, n := range []string{": none", ": one", ": more"} {
					c.declare(t.String(), f.Name+n)
				}
				c.declareModel(f.Type)
				continue
			}
			c.declare(t.String(), f.Name+" not given")
			c.declare(t.String(), f.Name+" given")
		}
	}
}

func (c *coverage) model(v reflect.Value) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Slice:
		if ofBuilder(t) {
			c.countLength(t.String(), "records", v.Len())
		}
		if t.Elem().Kind() == reflect.Struct {
			for i := range v.Len() {
				c.model(v.Index(i))
			}
		}
	case t.Kind() == reflect.Struct && ofBuilder(t):
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Type.Kind() == reflect.Slice {
				c.countLength(t.String(), f.Name, v.Field(i).Len())
				c.model(v.Field(i))
				continue
			}
			c.countIf(t.String(), f.Name+" not given", v.Field(i).IsZero())
			c.countIf(t.String(), f.Name+" given", !v.Field(i).IsZero())
		}
	}
}

// TestCombinations checks that the generator makes combinations of fields that docs/fuzz-coverage.md does not count.
func TestCombinations(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	count := func(what string, occurs bool) {
		n := seen[what]
		if occurs {
			n++
		}
		seen[what] = n
	}
	for seed := range uint64(5 * sampleSize) {
		d := fuzz.New[builder.DataBlock](fuzz.Seed(seed), fuzz.Config{})
		titles := map[uint32]bool{}
		for _, o := range d.Objects {
			count("two objects with one title", titles[o.ObjectNameTitleIndex])
			titles[o.ObjectNameTitleIndex] = true
			for i, c := range o.Counters {
				count("a base after a sample counter", i > 0 && c.CounterType.IsBase() && o.Counters[i-1].CounterType == layout.PERF_SAMPLE_COUNTER)
			}
			for i, in := range o.Instances {
				parent := in.ParentObjectTitleIndex
				count("a parent in the block", parent != 0 && titles[parent])
				count("a parent in another block", parent != 0 && !titles[parent])
				count("a name in a code page", in.Name != "" && o.CodePage != 0)
				count("a name with other letters than ASCII", o.CodePage == 0 && utf16le.Len(in.Name) != 2*len(in.Name))
				count("two instances with one name", i > 0 && in.Name != "" && in.Name == o.Instances[i-1].Name)
			}
		}
		for _, r := range fuzz.New[builder.QueryData](fuzz.Seed(seed), fuzz.Config{}).Results {
			count("ShortIDs with instances", r.ShortIDs && len(r.Instances) > 0)
			count("instances without values", len(r.Instances) > 0 && len(r.Counters) == 0)
			for i, in := range r.Instances {
				count("two instances with one name and id", i > 0 && in.Name == r.Instances[i-1].Name && in.InstanceId == r.Instances[i-1].InstanceId)
			}
		}
		set := fuzz.New[builder.CounterSetRegInfo](fuzz.Seed(seed), fuzz.Config{})
		at := map[uint32]int{}
		for i, c := range set.Counters {
			at[c.CounterId] = i
		}
		for i, c := range set.Counters {
			count("a base before its counter", c.BaseCounterId != nil && at[*c.BaseCounterId] < i)
			count("a base after its counter", c.BaseCounterId != nil && at[*c.BaseCounterId] > i)
			count("one counter as time and frequency", c.PerfTimeId != nil && c.PerfFreqId != nil && *c.PerfTimeId == *c.PerfFreqId)
		}
	}
	for what, n := range seen {
		if n == 0 {
			t.Errorf("the generator never makes %s", what)
		}
	}
}
