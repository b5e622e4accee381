package validate

import "github.com/perfblock/perfblock/layout"

// Options choose what is reported and how. The zero value is the default.
type Options struct {
	Profile   Profile
	Overrides []Override // if two have the same rule, the later one applies

	// MaxFindings is the largest number of findings of each severity to list. All
	// findings are counted. 0 means [DefaultMaxFindings], a negative number means no limit.
	MaxFindings int

	everyRule bool // disables the scan; tests compare its results with those of all rules
}

// DefaultMaxFindings is the default of [Options.MaxFindings].
const DefaultMaxFindings = 1000

// An Override gives a rule another severity.
type Override struct {
	Rule     string // ID or name
	Severity Severity
	Reason   string // copied to the findings
}

// An activeRule is a rule with the severity of its findings, which may be Off.
type activeRule struct {
	rule     *Rule
	severity Severity
	reason   string
}

// active returns all rules with their severities, sorted by ID.
func (o Options) active() ([]activeRule, error) {
	if int(o.Profile) >= len(profiles) {
		return nil, layout.Faultf(layout.ErrRange, "no profile %d", o.Profile)
	}
	list := make([]activeRule, len(rules))
	index := make(map[string]int, 2*len(rules))
	for i, r := range rules {
		list[i] = activeRule{rule: r, severity: r.In(o.Profile)}
		index[r.ID], index[r.Name] = i, i
	}
	for _, over := range o.Overrides {
		i, ok := index[over.Rule]
		switch {
		case !ok:
			return nil, layout.Faultf(layout.ErrRange, "no rule %q", over.Rule)
		case over.Severity > Error:
			return nil, layout.Faultf(layout.ErrRange, "rule %s: no severity %d", over.Rule, over.Severity)
		case over.Severity == AsRule:
			list[i].severity, list[i].reason = rules[i].In(o.Profile), over.Reason
		default:
			list[i].severity, list[i].reason = over.Severity, over.Reason
		}
	}
	return list, nil
}
