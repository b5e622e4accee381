package fuzz_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A requirement is the set of numbers that a finding allows: the multiples from least to most.
type requirement struct {
	multiple, least, most int64
	others                bool // the finding allows other numbers too, from a second bound
}

var (
	isNumber = regexp.MustCompile(` is (-?\d+)$`)
	mustBe   = regexp.MustCompile(`^must be (?:a multiple of (\d+)|(at most) (-?\d+)|(at least) (-?\d+)|(-?\d+))(?: (?:from )?(-?\d+)? ?to (\d+))?(?:$|[,:]| to s| \()`)
)

// parseRequirement reads the Want of a finding. It returns false if Want has no number.
func parseRequirement(want string) (requirement, bool) {
	m := mustBe.FindStringSubmatch(want)
	if m == nil {
		return requirement{}, false
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(m[i], 10, 64)
		return n
	}
	r := requirement{1, math.MinInt64, math.MaxInt64, strings.Contains(want, ", or at least ")}
	switch {
	case m[2] != "":
		r.most = number(3)
	case m[4] != "":
		r.least = number(5)
	case m[1] != "":
		r.multiple = number(1)
		if m[8] != "" {
			r.least, r.most = number(7), number(8)
		}
	case m[8] != "":
		r.least, r.most = number(6), number(8)
	default:
		r.least, r.most = number(6), number(6)
	}
	return r, true
}

// ends returns the smallest and the largest number, if they exist.
func (r requirement) ends() []int64 {
	var list []int64
	if r.least != math.MinInt64 {
		list = append(list, r.least)
	}
	if r.most != math.MaxInt64 && r.most != r.least {
		list = append(list, r.most)
	}
	return list
}

// allows reports whether n is in the set.
func (r requirement) allows(n int64) bool {
	return n >= r.least && n <= r.most && n%r.multiple == 0
}

// narrows reports whether r can be a second requirement for a field, after other: other allows several numbers, and the
// numbers that both allow are fewer. A multiple that other does not require is a contradiction.
func (r requirement) narrows(other requirement) bool {
	if r.least == r.most {
		return other.least != other.most && other.allows(r.least)
	}
	return r != other && (r.multiple == 1 || r.multiple == other.multiple) && max(r.least, other.least) <= min(r.most, other.most)
}
