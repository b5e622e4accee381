package validate

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A Rule is one requirement for a block, with its description.
type Rule struct {
	ID       string   // such as PERF1404; an ID is never reused for another rule
	Name     string   // such as inst-length-align
	Severity Severity // under the profile strict
	Windows  Severity // under the profile windows; AsRule means Severity
	NT4      Severity // under the profile nt4; AsRule means Severity
	Since    string   // first version of perfblock that has the rule
	Doc      string   // the requirement, one sentence without a full stop
	Why      string   // what goes wrong in a block that breaks the rule
	Fix      string   // what to change, one line
	Sources  []Source // documents that state the rule, the most important one first
	Event    int      // event that Perflib logs, 0 if none is known: see [Events]
	Misread  []string // consumers known to misread such a block, and how
	Needs    string   // part of the [Context] that the rule requires, "" for none

	check check
}

// A Source is a document that states a rule.
type Source struct {
	Clause string // "PERF_INSTANCE_DEFINITION, ByteLength"
	URL    string
}

// Rules returns all rules, sorted by ID. The caller must not modify the rules.
func Rules() []*Rule { return slices.Clone(rules) }

var rules = sorted(slices.Concat(
	dataBlockRules, systemNameRules, clockRules, titleRules, objectLengthRules, bodyRules, counterDefinitionRules,
	counterValueRules, baseRules, instanceDefinitionRules, instanceNameRules, duplicateRules, parentRules,
	counterBlockRules,
	inputRules, dataHeaderRules, counterHeaderRules, multiCountersRules, multiInstancesRules, instanceHeaderRules,
	counterDataRules, counterIdentifierRules, guidsRules, stringBufferRules, stringCounterRules,
	counterSetRegInfoRules, counterRegInfoRules, referenceRules, counterSetInfoRules, counterInfoRules,
	counterSetInstanceRules,
))

func sorted(list []*Rule) []*Rule {
	slices.SortFunc(list, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// FindRule returns the rule with the given ID or name. If there is none, the error wraps
// [layout.ErrRange].
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

// Kinds returns the kinds of block in which the rule can have findings.
func (r *Rule) Kinds() []layout.Kind {
	if r.check == nil { // a rule that the caller made
		return nil
	}
	return r.check.kinds()
}
