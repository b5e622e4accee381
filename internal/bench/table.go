package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A table is one of Markdown. Columns of numbers are set to the right.
type table struct {
	columns []column
	rows    [][]string
}

type column struct {
	name  string
	right bool
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) String() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	var names, rule []string
	for _, c := range t.columns {
		names = append(names, c.name)
		if c.right {
			rule = append(rule, "---:")
		} else {
			rule = append(rule, "---")
		}
	}
	line(names)
	line(rule)
	for _, r := range t.rows {
		line(r)
	}
	return b.String()
}

// figureTable is the table of what the library does.
func figureTable(figures []figure) *table {
	t := &table{columns: []column{
		{"workload", false}, {"bytes", true}, {"what", false}, {"ns/byte", true}, {"allocations", true}, {"to copy", true},
		{"C, ns/byte", true}, {"to C", true},
	}}
	for _, f := range figures {
		c, toC := "", ""
		switch f.c {
		case noCompiler:
			c, toC = "no C compiler", "no C compiler"
		case hasTwin:
			c, toC = f.perByteC.String(), f.toC.String()
		}
		t.add(f.workload, grouped(uint64(f.bytes)), f.subject, f.perByte.String(), grouped(f.allocations), f.toCopy.String(), c, toC)
	}
	return t
}

// String writes the median, and in brackets the least and the most.
func (s spread) String() string {
	return fmt.Sprintf("%s (%s..%s)", digits(s.median), digits(s.least), digits(s.most))
}

// digits writes a number with three digits that count, or all of those before the point.
func digits(f float64) string {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', 2, 64), "e") // rounded by then: 0.9999 has the exponent of 1
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return strconv.FormatFloat(f, 'f', -1, 64) // no number
	}
	return strconv.FormatFloat(f, 'f', max(0, 2-n), 64)
}

// grouped writes a number with a comma every three digits.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
