package fuzz_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// enough is how often each case is to come up in the blocks of all seeds.
const enough = 5

// A caseOf is a row of the table: of a record the field, say, or of a field the value.
type caseOf struct{ of, what string }

// A coverage counts how often each row came up.
type coverage struct {
	sections []section
	rows     []caseOf
	times    []int
	values   []map[any]bool // that were different, of rows that have any
	index    map[caseOf]int
	never    map[caseOf]string // those that no valid block has, with the reason
	fields   map[*layout.Field]*fieldRows
}

// A section is a table of the page.
type section struct {
	title string
	first int // of its rows
}

func (c *coverage) section(title string) {
	c.sections = append(c.sections, section{title, len(c.rows)})
}

// declare adds a row, so that it is missed if it does not come up.
func (c *coverage) declare(of, what string) int {
	r := caseOf{of, what}
	i, ok := c.index[r]
	if !ok {
		i = len(c.rows)
		c.index[r] = i
		c.rows, c.times, c.values = append(c.rows, r), append(c.times, 0), append(c.values, nil)
	}
	return i
}

// see counts a row where it is seen.
func (c *coverage) see(of, what string, seen bool) { c.count(c.declare(of, what), seen) }

// count counts the row where it is seen, nothing where there is no row.
func (c *coverage) count(i int, seen bool) {
	if seen && i >= 0 {
		c.times[i]++
	}
}

// value counts the row, and the value if it is another than before.
func (c *coverage) value(i int, v any) {
	c.times[i]++
	if c.values[i] == nil {
		c.values[i] = map[any]bool{}
	}
	c.values[i][v] = true
}

// number counts the rows of a number of things: none, one or more.
func (c *coverage) number(of, what string, n int) {
	c.see(of, what+": none", n == 0)
	c.see(of, what+": one", n == 1)
	c.see(of, what+": more", n > 1)
}

const coverageHead = `# What the generator makes

How often each case comes up in the blocks of the seeds 0 to %d, so many of each kind. The table is written by
` + "`go test ./fuzz -run TestCoverage -update`" + `; the test fails where a row has less than %d, but for those that cannot be.
`

// page writes the rows as tables.
func (c *coverage) page() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, coverageHead, seeds-1, enough)
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
	return b.Bytes()
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

// kind counts a block of the kind, and what it may be the answer to.
func (c *coverage) kind(kind layout.Kind) {
	c.see(kind.String(), "made", true)
	for t := range layout.PerfRegInfoType(64) {
		if of, ok := t.Kind(); ok && of == kind {
			c.see(t.String(), "made", true)
		}
	}
}

func (c *coverage) declareCases() { c.section("Cases that several fields make") }
