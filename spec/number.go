package spec

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
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

// parseNumber reads a whole number. It reads the text of n and ignores the tag: versions of
// YAML differ about 010, and a number of more than 64 bits has the tag of a float.
func parseNumber(n *yaml.Node) (Number, error) {
	if !yamltext.IsNumber(n) {
		return Number{}, yamltext.Want(n, "a whole number")
	}
	digits := strings.TrimLeft(n.Value, "+-")
	if len(digits) > 1 && digits[0] == '0' && (digits[1] == '_' || '0' <= digits[1] && digits[1] <= '9') {
		return Number{}, fmt.Errorf("%s begins with 0, which some readers read as octal; remove the 0, or write 0o for octal", quote.Short(n.Value))
	}
	if strings.Contains(digits, "_") {
		return Number{}, fmt.Errorf("%s is not a whole number; remove the _ between its digits", quote.Short(n.Value))
	}
	v, err := strconv.ParseUint(digits, 0, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return Number{}, layout.Faultf(layout.ErrRange, "%s does not fit 64 bits", quote.Short(n.Value))
	case err != nil:
		return Number{}, fmt.Errorf("%s is not a whole number", quote.Short(n.Value))
	}
	return Number{Negative: n.Value[0] == '-' && v != 0, Magnitude: v}, nil
}

// A span is the range of a number.
type span struct {
	lo int64 // at most 0
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
		return n.Magnitude <= uint64(-s.lo) // correct for the smallest int64 too, whose negation is itself
	}
	return n.Magnitude <= s.hi
}

// read reads a number in the range.
func (s span) read(n *yaml.Node) (Number, error) {
	v, err := parseNumber(n)
	if err == nil && !s.holds(v) {
		return v, layout.Faultf(layout.ErrRange, "%s is out of range, must be %d to %d", v, s.lo, s.hi)
	}
	return v, err
}

var (
	dwordForm = integer("number", dword)
	longForm  = integer("signed number", long)
	clockForm = integer("number", clock)
	wordForm  = integer("number", span{0, math.MaxUint16})
)

// integer returns the form of a number in the range s. Every number of s must fit the field.
func integer(name string, s span) *form {
	return &form{
		name:   fmt.Sprintf("%s, %d to %d", name, s.lo, s.hi),
		schema: integerSchema(s),
		read: func(n *yaml.Node, to any) error {
			v, err := s.read(n)
			if err == nil {
				to.(intField).set(v)
			}
			return err
		},
		zero: isMissing,
		write: func(w *writer, from any, _ string) error {
			v, _ := from.(intField).get()
			w.b = strconv.AppendInt(append(w.b, ' '), v, 10)
			return nil
		},
	}
}

// An intField is a field of the model that is a number. Forms of numbers read and write it.
type intField interface {
	set(Number)
	// get returns the number. ok is false if the field has the value of a missing key.
	get() (v int64, ok bool)
}

// isMissing reports whether the key of the number is missing.
func isMissing(from any) bool {
	_, ok := from.(intField).get()
	return !ok
}

type integerType interface {
	~uint16 | ~uint32 | ~int32 | ~int64 | ~uint64
}

// num returns a field in which 0 is the same as a missing key.
func num[T integerType](field *T) intField { return numField[T]{field} }

// opt returns a field that is nil for a missing key.
func opt[T integerType](field **T) intField { return optField[T]{field} }

type numField[T integerType] struct{ p *T }

func (f numField[T]) set(n Number)       { *f.p = T(n.bits()) }
func (f numField[T]) get() (int64, bool) { return int64(*f.p), *f.p != 0 }

func (n *Number) set(v Number)       { *n = v }
func (n *Number) get() (int64, bool) { return int64(n.bits()), true }

type optField[T integerType] struct{ p **T }

func (f optField[T]) set(n Number) { *f.p = new(T(n.bits())) }

func (f optField[T]) get() (int64, bool) {
	if *f.p == nil {
		return 0, false
	}
	return int64(**f.p), true
}
