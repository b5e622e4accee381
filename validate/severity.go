package validate

import (
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A Severity says how much a finding matters.
type Severity uint8

const (
	AsRule  Severity = iota // the one the rule has under the profile; no finding has it
	Off                     // not reported; no finding has it
	Info                    // legal and unusual, or a convention
	Warning                 // against what the documentation recommends, or misread by some
	Error                   // against what must hold: readers fail, lose data or crash
)

var severityNames = [...]string{AsRule: "", Off: "off", Info: "info", Warning: "warning", Error: "error"}

func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return "?"
}

// Severities lists those that a finding can have, the least first.
func Severities() []Severity { return []Severity{Info, Warning, Error} }

// ParseSeverity reads off, info, warning or error. The error wraps [layout.ErrRange].
func ParseSeverity(text string) (Severity, error) {
	for s := Off; s <= Error; s++ {
		if severityNames[s] == text {
			return s, nil
		}
	}
	return 0, layout.Faultf(layout.ErrRange, "no severity %q: it is one of %s", text, strings.Join(severityNames[Off:], ", "))
}
