package report

import (
	"slices"
	"strconv"

	"github.com/perfblock/perfblock/validate"
)

// count says how many there are of something: 1 error, 2 errors.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// severityCounts says how many findings there are of each severity that has any, the
// worst first.
func severityCounts(c validate.Counts) []string {
	var list []string
	for _, s := range slices.Backward(validate.Severities()) {
		if n := c.Of(s); n > 0 {
			list = append(list, count(n, s.String()))
		}
	}
	return list
}

// worst returns the worst severity that was found.
func worst(c validate.Counts) validate.Severity {
	for _, s := range slices.Backward(validate.Severities()) {
		if c.Of(s) > 0 {
			return s
		}
	}
	return validate.Off
}

// unlisted says how many findings were counted and are not among those listed.
func unlisted(r validate.Result) string {
	n := r.Counts.AtLeast(validate.Info) - len(r.Findings)
	if n == 1 {
		return "1 of them is not listed"
	}
	return strconv.Itoa(n) + " of them are not listed"
}
