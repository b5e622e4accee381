package fuzz

import (
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/validate"
)

// MayBreak returns the other rules that the breaker of a rule may break.
func MayBreak(rule string) []string {
	i := slices.IndexFunc(breakers, func(b breaker) bool { return b.rule == rule })
	return breakers[i].may
}

// QueryContext returns a Context for query data. It has the identifiers of a query that returns these results, and a
// registration for each counter set. Each result has its own counter set.
func QueryContext(data builder.QueryData) (validate.Context, error) {
	return join(new(Source), Config{}, data).Context()
}
