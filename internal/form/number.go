package form

import (
	"errors"
	"fmt"
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

// Bits returns the number in two's complement.
func (n Number) Bits() uint64 {
	if n.Negative {
		return -n.Magnitude
	}
	return n.Magnitude
}

// ParseNumber reads a whole number from the text of n.
func ParseNumber(n *yaml.Node) (Number, error) {
	if !yamltext.IsNumber(n) {
		return Number{}, yamltext.Want(n, "a whole number")
	}
	// The code reads the text of the number, not the tag, for two reasons. Versions of YAML disagree about 010. A
	// number of more than 64 bits has the tag of a float.
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

// A Span is the range of a number.
type Span struct {
	Lo int64 // at most 0
	Hi uint64
}

// Holds reports whether the number is in the range.
func (s Span) Holds(n Number) bool {
	if n.Negative {
		return n.Magnitude <= uint64(-s.Lo) // correct for the smallest int64 too, whose negation is itself
	}
	return n.Magnitude <= s.Hi
}

// Read reads a number. A number that is not in the range is an error.
func (s Span) Read(n *yaml.Node) (Number, error) {
	v, err := ParseNumber(n)
	if err == nil && !s.Holds(v) {
		return v, layout.Faultf(layout.ErrRange, "%s is out of range, must be %d to %d", v, s.Lo, s.Hi)
	}
	return v, err
}

// Integer returns the form of a number in the range s. The field must be able to store every number in s.
func Integer(name string, s Span) *Form {
	return &Form{
		Name:   fmt.Sprintf("%s, %d to %d", name, s.Lo, s.Hi),
		Schema: IntegerSchema(s),
		Read: func(n *yaml.Node, to any) error {
			v, err := s.Read(n)
			if err == nil {
				to.(IntField).Set(v)
			}
			return err
		},
		Zero: isMissing,
		Write: func(w *Writer, from any, _ string) error {
			v, _ := from.(IntField).Get()
			w.B = strconv.AppendInt(append(w.B, ' '), v, 10)
			return nil
		},
	}
}

// An IntField is a field of the model that holds a number. The form of a number calls Set after it has read a number,
// and Get before it writes one.
type IntField interface {
	Set(Number)
	// Get returns the number. ok is false if the key is missing.
	Get() (v int64, ok bool)
}

// isMissing reports whether the [IntField] has no number.
func isMissing(from any) bool {
	_, ok := from.(IntField).Get()
	return !ok
}

// An IntegerType is a type of a number in a model.
type IntegerType interface {
	~uint16 | ~uint32 | ~int32 | ~int64 | ~uint64
}

// Num returns a field in which 0 is the same as a missing key.
func Num[T IntegerType](field *T) IntField { return numField[T]{field} }

// Opt returns an IntField for a pointer. The pointer is nil if the key is missing.
func Opt[T IntegerType](field **T) IntField { return optField[T]{field} }

type numField[T IntegerType] struct{ p *T }

func (f numField[T]) Set(n Number)       { *f.p = T(n.Bits()) }
func (f numField[T]) Get() (int64, bool) { return int64(*f.p), *f.p != 0 }

func (n *Number) Set(v Number)       { *n = v }
func (n *Number) Get() (int64, bool) { return int64(n.Bits()), true }

type optField[T IntegerType] struct{ p **T }

func (f optField[T]) Set(n Number) { *f.p = new(T(n.Bits())) }

func (f optField[T]) Get() (int64, bool) {
	if *f.p == nil {
		return 0, false
	}
	return int64(**f.p), true
}
