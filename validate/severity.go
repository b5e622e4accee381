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

// A Profile chooses the severities of rules by what a block is held against.
type Profile uint8

const (
	Strict  Profile = iota // the documentation, every must and should of it
	Windows                // what Perflib tests at its level 1, and what Windows' own objects keep to
	NT4                    // the documentation of before Windows 2000, which knows no alignment to 8
)

var profiles = [...]struct{ name, doc string }{
	Strict:  {"strict", "every must and should of the documentation"},
	Windows: {"windows", "what Perflib tests, and what Windows' own objects keep to"},
	NT4:     {"nt4", "as strict, but for blocks from before Windows 2000: nothing is aligned to 8"},
}

// Profiles lists every profile. The first is the one to use unless asked otherwise.
func Profiles() []Profile { return []Profile{Strict, Windows, NT4} }

func (p Profile) String() string {
	if int(p) < len(profiles) {
		return profiles[p].name
	}
	return "?"
}

// Doc says in half a sentence what a block is held against.
func (p Profile) Doc() string {
	if int(p) < len(profiles) {
		return profiles[p].doc
	}
	return ""
}

// ParseProfile reads a profile as [Profile.String] writes it. The error wraps [layout.ErrRange].
func ParseProfile(text string) (Profile, error) {
	var names []string
	for p, known := range profiles {
		if known.name == text {
			return Profile(p), nil
		}
		names = append(names, known.name)
	}
	return 0, layout.Faultf(layout.ErrRange, "no profile %q: it is one of %s", text, strings.Join(names, ", "))
}
