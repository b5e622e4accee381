package validate

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A listed is the findings of a block while it is judged. The caller gets the list
// itself, if it is not much larger than what is in it; room for as many is made at once
// the next time, as blocks that are judged one after the other are of one sort.
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
