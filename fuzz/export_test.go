package fuzz

import "slices"

// MayBreak returns the rules that the breaker of a rule may break as well.
func MayBreak(rule string) []string {
	i := slices.IndexFunc(breakers, func(b breaker) bool { return b.rule == rule })
	return breakers[i].may
}
