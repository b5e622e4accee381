package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A Finding is a place in a block where a rule does not hold.
type Finding struct {
	Rule     *Rule
	Severity Severity // as the profile and the overrides have it
	Reason   string   // of the override that set the severity
	Path     layout.Path
	Off      int64  // of the first faulty byte, from the start of the input
	Len      int    // bytes, 0 where some are missing
	Got      string // what is there: "ByteLength is 33"
	Want     string // what should be: "a multiple of 8"
}

// Message returns Got and Want: "ByteLength is 33, must be a multiple of 8".
func (f Finding) Message() string { return f.Got + ", " + f.Want }

// String returns a line: severity, rule, place, message.
func (f Finding) String() string {
	path := f.Path.String()
	if path != "" {
		path += " "
	}
	return fmt.Sprintf("%v %s %s: %sat 0x%x: %s", f.Severity, f.Rule.ID, f.Rule.Name, path, f.Off, f.Message())
}

// A Result is what was found in a block.
type Result struct {
	Findings  []Finding // in order of offset, and for one offset of the rules
	Counts    Counts    // of all that was found
	Truncated bool      // there are more findings than are listed: see [Options]

	// Unchecked says why the block was not validated: there is no such kind, or a buffer of
	// the [Context] cannot be read. It counts as an error, so that whoever asks only for
	// a number does not take the block for a good one.
	Unchecked error
}

// Counts says how many findings there are of each severity.
type Counts struct{ Error, Warning, Info int }

func (c *Counts) of(s Severity) *int {
	switch s {
	case Error:
		return &c.Error
	case Warning:
		return &c.Warning
	}
	return &c.Info
}

// Of returns how many findings there are of that severity.
func (c Counts) Of(s Severity) int {
	if s < Info || s > Error {
		return 0
	}
	return *c.of(s)
}

// AtLeast returns how many findings there are of that severity or a worse one;
// none are as bad as Off or AsRule ask for.
func (c Counts) AtLeast(s Severity) int {
	n := 0
	for at := max(s, Info); at <= Error; at++ {
		n += c.Of(at)
	}
	if s < Info {
		return 0
	}
	return n
}

// Err returns nil if nothing is as bad as that severity, and else an error with a
// line for each finding that is. Of a block that was not validated it is Unchecked,
// whatever the severity.
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

// order sorts findings by offset and then by rule. Most of them come in that order.
func order(findings []Finding) {
	for i := 1; i < len(findings); i++ {
		if inOrder(&findings[i-1], &findings[i]) > 0 {
			slices.SortStableFunc(findings, func(a, b Finding) int { return inOrder(&a, &b) })
			return
		}
	}
}

func inOrder(a, b *Finding) int {
	if a.Off != b.Off {
		return cmp.Compare(a.Off, b.Off)
	}
	return cmp.Compare(a.Rule.ID, b.Rule.ID)
}

// A listed is the findings of a block while it is validated. The caller gets the list
// itself, if it is not much larger than what is in it; room for as many is made at once
// the next time, as blocks that are validated one after the other are of one sort.
type listed struct {
	findings []Finding
	expected int
}

// mostExpected bounds the room that is made for findings that may not come.
const mostExpected = 2 * DefaultMaxFindings

// next returns the next finding to be filled in, which is all zero.
func (l *listed) next() *Finding {
	n := len(l.findings)
	if n == cap(l.findings) {
		l.findings = slices.Grow(l.findings, max(1, l.expected-n))
	}
	l.findings = l.findings[:n+1]
	return &l.findings[n]
}

// fill writes a finding where it stands: it is too large to be copied.
func (f *Finding) fill(r *activeRule, path layout.Path, off int64, n int, got, want string) {
	f.Rule, f.Severity, f.Reason, f.Path, f.Off, f.Len, f.Got, f.Want = r.rule, r.severity, r.reason, path, off, n, got, want
}

// take returns what was found, which is the caller's.
func (l *listed) take() []Finding {
	all := l.findings
	if len(all) == 0 {
		return nil
	}
	l.expected = min(len(all), mostExpected)
	if len(all) >= cap(all)/2 {
		l.findings = nil
		return slices.Clip(all)
	}
	list := slices.Clone(all)
	clear(all)
	l.findings = all[:0]
	return list
}
