package main

import (
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// lint says what is wrong with the block that the spec at path became. The error is
// errFindings where that fails it.
func (c *buildCommand) lint(path string, s *spec.Spec, b []byte) error {
	name := inputName(path)
	v, err := c.judge.block(path, s.Kind(), b)
	switch {
	case err != nil:
		return fmt.Errorf("%s: not linted: %w", name, err)
	case len(s.Patches) > 0:
		complain(fmt.Errorf("%s: %s", name, onPurpose(v.Result)))
		return nil
	case v.fails() == 0:
		return nil
	}
	listed := 0
	for _, f := range v.Findings {
		if f.Severity >= v.config.Threshold() {
			complain(fmt.Errorf("%s: %v", name, f))
			listed++
		}
	}
	switch more := v.fails() - listed; {
	case more == 1:
		complain(fmt.Errorf("%s: 1 finding more is not listed", name))
	case more > 1:
		complain(fmt.Errorf("%s: %d findings more are not listed", name, more))
	}
	return errFindings
}

// onPurpose says what was found in a block that patches changed, so that whoever
// wrote them sees that the fault is there.
func onPurpose(r validate.Result) string {
	var rules []string
	of := map[string]int{}
	for _, f := range r.Findings {
		if of[f.Rule.Name]++; of[f.Rule.Name] == 1 {
			rules = append(rules, f.Rule.Name)
		}
	}
	for i, name := range rules {
		if n := of[name]; n > 1 && len(rules) > 1 {
			rules[i] = fmt.Sprintf("%s (%d)", name, n)
		}
	}
	n := r.Counts.AtLeast(validate.Info)
	if more := n - len(r.Findings); more > 0 {
		rules = append(rules, fmt.Sprintf("and %d not listed", more))
	}
	switch text := strings.Join(rules, ", "); n {
	case 0:
		return "patched, and lint finds nothing wrong"
	case 1:
		return "patched, and lint has 1 finding: " + text
	default:
		return fmt.Sprintf("patched, and lint has %d findings: %s", n, text)
	}
}
