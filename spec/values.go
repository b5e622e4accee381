package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// valuesOf is the model's Values and Texts, which the text form has in one list.
type valuesOf struct {
	counters []builder.Counter      // of V1
	query    []builder.QueryCounter // of V2
	numbers  *[]uint64
	texts    *[]string
}

// sortOf says what the value of counter i is written as; a position behind the
// last counter has a number, so that builder can count.
func (v *valuesOf) sortOf(i int) valueSort {
	switch {
	case i < len(v.query) && v.query[i].Bytes:
		return someBytes
	case i >= len(v.counters):
		return aNumber
	}
	t := v.counters[i].CounterType
	switch _, fixed := t.Width(); {
	case fixed:
		return aNumber
	case !t.IsText():
		return someBytes
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		return unicodeText
	}
	return asciiText
}

type valueSort uint8

const (
	aNumber     valueSort = iota
	unicodeText           // text that is written as UTF-16
	asciiText             // text that is written as it is
	someBytes             // a value of variable length that is no text
)

var valuesForm = &form{
	name:   `list with a value for each counter, bases included: a number, text, or {hex: "…"}`,
	schema: listSchema(anyOf(integerSchema(qword), members{{"type", "string"}}, ref("hex"))),
	read: func(n *yaml.Node, to any) error {
		v := to.(*valuesOf)
		if n.Kind != yaml.SequenceNode {
			return fmt.Errorf("wants a list, not %s", describe(n))
		}
		*v.numbers = slices.Grow(*v.numbers, countItems(n))
		if numbers := numbersOf(n); numbers != nil && v.readPlain(numbers.Value) {
			return nil
		}
		for i, n := range items(n) {
			if err := v.readOne(i, n); err != nil {
				return under("values", n, err)
			}
		}
		return nil
	},
	zero: func(from any) bool { v := from.(*valuesOf); return len(*v.numbers) == 0 && len(*v.texts) == 0 },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		v, text := from.(*valuesOf), 0
		b = append(b, " ["...)
		for i, n := range *v.numbers {
			b = append(b, comma(i == 0)...)
			if i%mostOnLine == 0 && i > 0 && len(*v.texts) > 0 {
				b = append(b, valuesIndent...)
			}
			if sort := v.sortOf(i); sort == aNumber {
				b = strconv.AppendUint(b, n, 10)
			} else {
				if n != 0 || text >= len(*v.texts) {
					return nil, fmt.Errorf("no text for counter %d, or a number beside it", i)
				}
				b = appendValue(b, sort, (*v.texts)[text])
				text++
			}
		}
		if text < len(*v.texts) {
			return nil, fmt.Errorf("%d texts for %d counters of variable length", len(*v.texts), text)
		}
		return append(b, ']'), nil
	},
}

// The same where no value is a text, and where all are numbers.
var (
	queryValuesForm = narrowed(valuesForm, `list with a value for each counter: a number, or {hex: "…"} for one whose bytes is true`, anyOf(integerSchema(qword), ref("hex")))
	slotsForm       = narrowed(valuesForm, fmt.Sprintf("list of numbers, 0 to %d", qword.hi), integerSchema(qword))
)

// narrowed returns a form of lists of which fewer values are said to be possible.
func narrowed(f *form, name string, item any) *form {
	one := *f
	one.name, one.schema = name, listSchema(item)
	return &one
}

// A list of values that are not all numbers is written mostOnLine on a line, which is
// far from more marks than a line may have. One of numbers stands on one line, however
// long, as that is what [numberList] is for.
const (
	mostOnLine   = 4096
	valuesIndent = "\n            " // farther in than any list of instances
)

// readPlain appends the numbers of a list, and reports whether there is nothing to say
// against one. Where there is, it appends nothing: [valuesOf.readOne] knows what.
func (v *valuesOf) readPlain(list string) bool {
	out := *v.numbers
	for i := 0; list != ""; i++ {
		var number string
		number, list, _ = strings.Cut(list, ",")
		number = strings.Trim(number, " \t")
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil || number[0] == '0' && len(number) > 1 || v.sortOf(i) != aNumber {
			return false
		}
		out = append(out, n)
	}
	*v.numbers = out
	return true
}

// readOne appends the value of counter i.
func (v *valuesOf) readOne(i int, n *yaml.Node) error {
	sort := v.sortOf(i)
	if sort == aNumber {
		number, err := qword.read(n)
		*v.numbers = append(*v.numbers, number.bits())
		if err != nil && i < len(v.counters) && !isNumber(n) {
			err = fmt.Errorf("counter %d is a %v and %w", i, v.counters[i].CounterType, err)
		}
		return err
	}
	digits, err := hexMapping(n)
	if err != nil {
		return err
	}
	var s string
	switch {
	case digits != nil:
		b, err := readHex(digits)
		if err != nil {
			return err
		}
		s = string(b)
	case sort == someBytes:
		return fmt.Errorf("counter %d has bytes for a value, {hex: \"…\"}, not %s", i, describe(n))
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str":
		return fmt.Errorf("counter %d has a text for a value, not %s; a text that looks like something else stands in quotes", i, describe(n))
	case sort == asciiText && !isASCII(n.Value):
		return fmt.Errorf("%s is not ASCII, as the text of counter %d is: write its bytes, {hex: \"…\"}", quote.Short(n.Value), i)
	default:
		s = n.Value
	}
	*v.numbers, *v.texts = append(*v.numbers, 0), append(*v.texts, s)
	return nil
}

// appendValue appends a value of variable length.
func appendValue(b []byte, sort valueSort, s string) []byte {
	if sort == asciiText && isASCII(s) || sort == unicodeText && utf8.ValidString(s) {
		return appendText(b, s)
	}
	return appendHex(b, s)
}
