package validate

import "github.com/perfblock/perfblock/layout"

// Options choose what is reported and how. The zero value is the default.
type Options struct {
	Profile   Profile
	Overrides []Override // of two for a rule, the later one holds

	// MaxFindings bounds how many findings of each severity are listed; all are
	// counted. 0 is [DefaultMaxFindings], less than 0 is no bound.
	MaxFindings int

	everyRule bool // the scan calls nothing plain: what it is proven against
}

// DefaultMaxFindings is how many findings of each severity are listed.
const DefaultMaxFindings = 1000

// An Override gives a rule another severity.
type Override struct {
	Rule     string // ID or name
	Severity Severity
	Reason   string // which findings repeat
}

// An activeRule is a rule with the severity under which it reports, which may be Off.
type activeRule struct {
	rule     *Rule
	severity Severity
	reason   string
}

// active returns each rule with its severity, in the order of rules.
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
