package validate

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A Rule is one thing that must hold of a block, and all there is to say of it.
type Rule struct {
	ID       string   // PERF1404; never used again for another rule
	Name     string   // inst-length-align
	Severity Severity // under the profile strict
	Windows  Severity // under windows, AsRule for the same
	NT4      Severity // under nt4, AsRule for the same
	Since    string   // the version of perfblock that has it first
	Doc      string   // what must hold, one sentence without a full stop
	Why      string   // what goes wrong where it does not hold
	Fix      string   // what to change, one line
	Sources  []Source // where it is written, the first one first
	Event    int      // that Perflib logs for it, 0 for none that is known: see [Events]
	Misread  []string // consumers known to go wrong on it, and how
	Needs    string   // what of the [Context] it cannot do without, "" for nothing

	check check
}

// A Source is where something is written.
type Source struct {
	Clause string // "PERF_INSTANCE_DEFINITION, ByteLength"
	URL    string
}

// Rules returns every rule in the order of its ID. The rules are not to be changed.
func Rules() []*Rule { return slices.Clone(rules) }

var rules = sorted(slices.Concat(
	dataBlockRules, systemNameRules, clockRules, titleRules, objectLengthRules, bodyRules, counterDefinitionRules,
	counterValueRules, baseRules, instanceDefinitionRules, instanceNameRules, duplicateRules, parentRules,
	counterBlockRules,
	inputRules, dataHeaderRules, counterHeaderRules, multiCountersRules, multiInstancesRules, instanceHeaderRules,
	counterDataRules, counterIdentifierRules, identifierNameRules, guidsRules, stringBufferRules, stringCounterRules,
	counterSetRegInfoRules, counterRegInfoRules, referenceRules, counterSetInfoRules, counterInfoRules,
	counterSetInstanceRules,
))

func sorted(list []*Rule) []*Rule {
	slices.SortFunc(list, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// FindRule returns the rule of that ID or name. The error wraps [layout.ErrRange].
func FindRule(idOrName string) (*Rule, error) {
	for _, r := range rules {
		if r.ID == idOrName || r.Name == idOrName {
			return r, nil
		}
	}
	return nil, layout.Faultf(layout.ErrRange, "no rule %q", idOrName)
}

// In returns the severity the rule has under a profile.
func (r *Rule) In(p Profile) Severity {
	s := AsRule
	switch p {
	case Windows:
		s = r.Windows
	case NT4:
		s = r.NT4
	}
	if s == AsRule {
		return r.Severity
	}
	return s
}

// Kinds lists the kinds of block in which the rule can have findings.
func (r *Rule) Kinds() []layout.Kind {
	if r.check == nil { // a rule that is not one of Rules
		return nil
	}
	return r.check.kinds()
}
