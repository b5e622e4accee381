package spec

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// A Number is a whole number of up to 64 bits, with or without sign.
type Number struct {
	Negative  bool // false for 0
	Magnitude uint64
}

func (n Number) String() string {
	if n.Negative {
		return "-" + strconv.FormatUint(n.Magnitude, 10)
	}
	return strconv.FormatUint(n.Magnitude, 10)
}

// bits returns the number in two's complement.
func (n Number) bits() uint64 {
	if n.Negative {
		return -n.Magnitude
	}
	return n.Magnitude
}

// isNumber reports whether n is a scalar that begins like a number and is no text.
func isNumber(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Style&quoted != 0 || n.Value == "" {
		return false
	}
	c := n.Value[0]
	return '0' <= c && c <= '9' || (c == '-' || c == '+') && len(n.Value) > 1 && '0' <= n.Value[1] && n.Value[1] <= '9'
}

// parseNumber reads a whole number as it stands in the text. It goes by the text,
// not by what YAML makes of it: YAML has more than one mind about 010, and reads
// what does not fit 64 bits as a float.
func parseNumber(n *yaml.Node) (Number, error) {
	if !isNumber(n) {
		return Number{}, fmt.Errorf("wants a whole number, not %s", describe(n))
	}
	digits := strings.TrimLeft(n.Value, "+-")
	if len(digits) > 1 && digits[0] == '0' && (digits[1] == '_' || '0' <= digits[1] && digits[1] <= '9') {
		return Number{}, fmt.Errorf("%s begins with a 0, which some read as octal: write 0o for octal, or leave the 0 out", quote.Short(n.Value))
	}
	if strings.Contains(digits, "_") {
		return Number{}, fmt.Errorf("%s is no whole number: no _ stands between digits", quote.Short(n.Value))
	}
	v, err := strconv.ParseUint(digits, 0, 64)
	switch e := err.(type) {
	case nil:
	case *strconv.NumError:
		if e.Err == strconv.ErrRange {
			return Number{}, layout.Faultf(layout.ErrRange, "%s does not fit 64 bits", quote.Short(n.Value))
		}
		return Number{}, fmt.Errorf("%s is no whole number", quote.Short(n.Value))
	}
	return Number{Negative: n.Value[0] == '-' && v != 0, Magnitude: v}, nil
}

// A span is the range of a number.
type span struct {
	lo int64 // not above 0
	hi uint64
}

var (
	dword = span{0, math.MaxUint32}
	long  = span{math.MinInt32, math.MaxInt32}
	clock = span{0, math.MaxInt64}
	qword = span{0, math.MaxUint64}
)

// holds reports whether the number is in the range.
func (s span) holds(n Number) bool {
	if n.Negative {
		return n.Magnitude <= uint64(-s.lo) // also of the lowest int64, which is its own negative
	}
	return n.Magnitude <= s.hi
}

// read reads a number in the range.
func (s span) read(n *yaml.Node) (Number, error) {
	v, err := parseNumber(n)
	if err == nil && !s.holds(v) {
		return v, layout.Faultf(layout.ErrRange, "%s is not %d to %d", v, s.lo, s.hi)
	}
	return v, err
}

// describe says in a message what n is.
func describe(n *yaml.Node) string {
	if n.Tag == numbersTag { // where its list should have had something else
		first, _, _ := strings.Cut(n.Value, ",")
		n = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: first}
	}
	return yamltext.Describe(n)
}
