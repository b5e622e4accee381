package fuzz_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/validate"
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

// met reports whether the number in the Got of a finding meets the requirement in its Want. If Got or Want has no
// number, met returns false.
func met(f validate.Finding) bool {
	got := isNumber.FindStringSubmatch(f.Got)
	r, ok := parseRequirement(f.Want)
	if got == nil || !ok {
		return false
	}
	n, err := strconv.ParseInt(got[1], 10, 64)
	return err == nil && r.allows(n)
}

// TestMet checks that met reads each form of a requirement.
func TestMet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		got, want string
		met       bool
	}{
		{"Size is 16", "must be 16, the size that the name requires", true},
		{"Size is 16", "must be 24, the size that the name requires", false},
		{"Size is 16", "must be 16, because the number of bytes left is 20", true},
		{"Size is 16", "must be at least 16, and only 12 bytes are left", true},
		{"Size is 8", "must be at least 16", false},
		{"Size is 16", "must be at most 16", true},
		{"Size is 17", "must be at most 16", false},
		{"Size is 16", "must be 16 to 24, the number of bytes left", true},
		{"Size is 24", "must be 16 to 24, the number of bytes left", true},
		{"Size is 25", "must be 16 to 24, the number of bytes left", false},
		{"Size is 15", "must be 16 to 24, the number of bytes left", false},
		{"Size is 24", "must be a multiple of 8", true},
		{"Size is 12", "must be a multiple of 8", false},
		{"Size is 24", "must be a multiple of 8 from 16 to 24, the number of bytes left", true},
		{"Size is 20", "must be a multiple of 8 from 16 to 24, the number of bytes left", false},
		{"Size is 32", "must be a multiple of 8 from 16 to 24, the number of bytes left", false},
		{"Scale is -8", "must be -7 to 7", false},
		{"Scale is -7", "must be -7 to 7", true},
		{"the name is empty", "must be 16", false},
		{"Size is 16", "must be another size", false},
	} {
		if got := met(validate.Finding{Got: tt.got, Want: tt.want}); got != tt.met {
			t.Errorf("%s, %s: %v, want %v", tt.got, tt.want, got, tt.met)
		}
	}
}
