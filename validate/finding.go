package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A Finding is a place in a block, or in a text such as a manifest, that breaks a rule.
type Finding struct {
	Rule     *Rule    // the rule; never nil in a Result of this package, and required by package report
	Severity Severity // the severity of the rule, after the profile and the overrides
	Reason   string   // the reason of the override, "" without an override
	Path     layout.Path
	Off      int64  // offset of the first faulty byte in the input
	Len      int    // number of faulty bytes, 0 if bytes are missing
	Got      string // what the block contains: "ByteLength is 33"
	Want     string // the requirement: "must be a multiple of 8"

	// Line and Column are the place in a text. Both count from 1, and columns count characters. In
	// a block they are 0.
	Line, Column int
}

// Message returns Got and Want: "ByteLength is 33, must be a multiple of 8". If Want is empty, Message
// returns Got.
func (f Finding) Message() string {
	if f.Want == "" {
		return f.Got
	}
	return f.Got + ", " + f.Want
}

// String returns one line with the severity, the rule, the place and the message.
func (f Finding) String() string {
	path := f.Path.String()
	if path != "" {
		path += " "
	}
	rule := "no rule"
	if f.Rule != nil {
		rule = f.Rule.ID + " " + f.Rule.Name
	}
	at := fmt.Sprintf("0x%x", f.Off)
	if f.Line > 0 {
		at = fmt.Sprintf("%d:%d", f.Line, f.Column)
	}
	return fmt.Sprintf("%v %s: %sat %s: %s", f.Severity, rule, path, at, f.Message())
}

// A Result has the findings of one block.
type Result struct {
	Findings  []Finding // sorted by offset, line and column, then by rule ID
	Counts    Counts    // of all findings, including those not listed
	Truncated bool      // some findings are counted but not listed: see Options.MaxFindings

	// Unchecked is nil if the block was checked. Otherwise it has the reason: the kind is unknown,
	// or a buffer of the [Context] cannot be read. Counts then has one error, so that a caller that
	// reads only Counts does not accept the block.
	Unchecked error
}

// Counts has the number of findings of each severity.
type Counts struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Info    int `json:"info"`
}

func (c *Counts) of(s Severity) *int {
	switch s {
	case Error:
		return &c.Error
	case Warning:
		return &c.Warning
	}
	return &c.Info
}

// Of returns the number of findings with severity s.
func (c Counts) Of(s Severity) int {
	if s < Info || s > Error {
		return 0
	}
	return *c.of(s)
}

// AtLeast returns the number of findings with severity s or a higher severity. It returns 0
// for Off and AsRule.
func (c Counts) AtLeast(s Severity) int {
	if s < Info {
		return 0
	}
	n := 0
	for ; s <= Error; s++ {
		n += c.Of(s)
	}
	return n
}

// count adds 1 to the number of findings of severity s. It returns true if the caller must list the
// finding. Only the first `most` findings of each severity are listed, or all findings if most is 0
// or negative. If s is Off or AsRule, count does nothing and returns false.
func (r *Result) count(s Severity, most int) bool {
	if s < Info {
		return false
	}
	n := r.Counts.of(s)
	*n++
	if most > 0 && *n > most {
		r.Truncated = true
		return false
	}
	return true
}

// Add adds the findings of another result about the same block.
func (r *Result) Add(more Result) {
	r.Findings = append(r.Findings, more.Findings...)
	order(r.Findings)
	for _, s := range Severities() {
		*r.Counts.of(s) += more.Counts.Of(s)
	}
	r.Truncated = r.Truncated || more.Truncated
	if r.Unchecked == nil {
		r.Unchecked = more.Unchecked
	}
}

// Err returns an error with one line for each finding of severity `at` or a higher severity. It
// returns nil if no finding has such a severity. If the block was not checked, Err returns
// Unchecked.
func (r Result) Err(at Severity) error {
	if r.Unchecked != nil {
		return r.Unchecked
	}
	n := r.Counts.AtLeast(at)
	if n == 0 {
		return nil
	}
	var lines []string
	for _, f := range r.Findings {
		if f.Severity >= at {
			lines = append(lines, f.String())
		}
	}
	if more := n - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}

// order sorts findings by [Finding.Compare]. Most lists are already sorted, so order first checks
// whether the list is sorted.
func order(findings []Finding) {
	for i := 1; i < len(findings); i++ {
		if findings[i-1].Compare(&findings[i]) > 0 {
			slices.SortStableFunc(findings, func(a, b Finding) int { return a.Compare(&b) })
			return
		}
	}
}

// Compare returns a negative number if f is before g in a [Result], a positive number if g is
// before f, and 0 if the order does not matter. Findings are sorted by place, then by rule, path,
// length and message. This order does not depend on the order in which rules report findings.
func (f *Finding) Compare(g *Finding) int {
	if f.Off != g.Off {
		return cmp.Compare(f.Off, g.Off)
	}
	if f.Line != g.Line || f.Column != g.Column {
		return cmp.Or(cmp.Compare(f.Line, g.Line), cmp.Compare(f.Column, g.Column))
	}
	if f.Rule != g.Rule {
		return cmp.Compare(f.Rule.ID, g.Rule.ID)
	}
	steps := slices.CompareFunc(f.Path.Elems(), g.Path.Elems(), func(a, b layout.Elem) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Index, b.Index))
	})
	return cmp.Or(steps, cmp.Compare(f.Len, g.Len), cmp.Compare(f.Message(), g.Message()))
}

// A findingList collects the findings of a block.
type findingList struct {
	findings []Finding
	expected int // number of findings of the previous block: consecutive blocks are usually similar
}

// mostExpected is the largest number of findings for which a findingList allocates memory in advance.
const mostExpected = 2 * DefaultMaxFindings

// extend appends a zero finding and returns it.
func (l *findingList) extend() *Finding {
	n := len(l.findings)
	if n == cap(l.findings) {
		l.findings = slices.Grow(l.findings, max(1, l.expected-n))
	}
	l.findings = l.findings[:n+1]
	return &l.findings[n]
}

// fill sets the fields of f in place, which is faster than a copy of a Finding.
func (f *Finding) fill(r *activeRule, path layout.Path, off int64, n int, got, want string) {
	f.Rule, f.Severity, f.Reason, f.Path, f.Off, f.Len, f.Got, f.Want = r.rule, r.severity, r.reason, path, off, n, got, want
}

// take returns the findings and empties the list. The caller owns the result. The result is a copy
// if the list uses less than half of its capacity.
func (l *findingList) take() []Finding {
	all := l.findings
	if len(all) == 0 {
		return nil
	}
	l.expected = min(len(all), mostExpected)
	if len(all) >= cap(all)/2 {
		l.findings = nil
		return slices.Clip(all)
	}
	list := slices.Clip(slices.Clone(all))
	clear(all)
	l.findings = all[:0]
	return list
}
