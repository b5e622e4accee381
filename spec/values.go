package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// A valueList refers to the values of an instance, or of an object or a result without instances. If a spec
// has the line
//
//	values: [1, "a", 3]
//
// then numbers has 1, 0 and 3, with 0 in the place of the text, and texts has "a".
type valueList struct {
	counters []builder.Counter      // the counters of an object
	query    []builder.QueryCounter // the counters of a result
	// unchecked is true if the counters have a fault. Which values are valid is then unknown.
	unchecked bool
	numbers   *[]uint64
	texts     *[]string
}

func (v *valueList) formOf(i int) valueForm {
	switch {
	case i < len(v.query) && v.query[i].Bytes:
		return bytesValue
	case i >= len(v.counters):
		return numberValue // not a counter of an object, or a value without a counter, which the builder reports
	}
	t := v.counters[i].CounterType
	switch _, fixed := t.Width(); {
	case fixed:
		return numberValue
	case !t.IsText():
		return bytesValue
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		return unicodeText
	}
	return asciiText
}

// A valueForm is a way to write a value in the text.
type valueForm uint8

const (
	numberValue valueForm = iota
	unicodeText           // text encoded as UTF-16
	asciiText             // text encoded as its bytes
	bytesValue            // a value of variable length that is not text
)

// The forms of values. Values of V2 cannot be text.
var (
	valuesForm      = valuesFormOf(`list with a value for each counter, bases included: a number, text, or {hex: "…"}`, form.AnyOf(form.IntegerSchema(qword), form.Members{{"type", "string"}}, form.Ref("hex")))
	queryValuesForm = valuesFormOf(`list with a value for each counter: a number, or {hex: "…"} for a counter with bytes: true`, form.AnyOf(form.IntegerSchema(qword), form.Ref("hex")))
	slotsForm       = valuesFormOf(fmt.Sprintf("list of numbers, 0 to %d", qword.Hi), form.IntegerSchema(qword))
)

// valuesFormOf returns the form of a [valueList]. The parameters are the name of the form in the reference and the schema
// of the items.
func valuesFormOf(name string, item form.Members) *form.Form {
	return &form.Form{
		Name: name, Schema: form.ListSchema(item),
		Read: func(n *yaml.Node, to any) error {
			v := to.(*valueList)
			if v.unchecked {
				return readUnchecked(n, to)
			}
			if n.Kind == yaml.SequenceNode {
				*v.numbers = slices.Grow(*v.numbers, yamltext.Len(n))
				if numbers, ok := yamltext.Numbers(n); ok && v.readNumbers(numbers) {
					return nil
				}
			}
			return form.ReadEach(n, func(i int, n *yaml.Node) error { return yamltext.Under("values", n, v.readOne(i, n)) })
		},
		Zero: func(from any) bool { v := from.(*valueList); return len(*v.numbers) == 0 && len(*v.texts) == 0 },
		Write: func(w *form.Writer, from any, _ string) error {
			v, text := from.(*valueList), 0
			w.Add(" [")
			for i, n := range *v.numbers {
				w.Comma(i)
				if i%mostOnLine == 0 && i > 0 && len(*v.texts) > 0 {
					w.Add(valuesIndent)
				}
				form := v.formOf(i)
				if form == numberValue {
					w.B = strconv.AppendUint(w.B, n, 10)
					continue
				}
				if n != 0 {
					return fmt.Errorf("counter %d has %d in Values, must have 0 there and its value in Texts", i, n)
				}
				if text >= len(*v.texts) {
					return fmt.Errorf("counter %d has no value in Texts, must have one: Texts has %s", i, quote.Count(len(*v.texts), "value"))
				}
				w.B = appendValue(w.B, form, (*v.texts)[text])
				text++
			}
			if text < len(*v.texts) {
				return fmt.Errorf("%s for %s of variable length", quote.Count(len(*v.texts), "text"), quote.Count(text, "counter"))
			}
			w.Add("]")
			return nil
		},
	}
}

// uncheckedValues returns the form that reads values if their counters have a fault.
func uncheckedValues([]string) *form.Form { return &form.Form{Read: readUnchecked} }

// readUnchecked checks only that n is a list.
func readUnchecked(n *yaml.Node, _ any) error {
	return form.ReadEach(n, func(int, *yaml.Node) error { return nil })
}

// A list with texts has at most mostOnLine values on a line, because [Parse] limits the number of commas on a line. A
// list that has only numbers stays on one line: Parse then counts the whole list as one character.
const (
	mostOnLine   = 4096
	valuesIndent = "\n            " // deeper than any list of instances
)

// readNumbers appends the numbers of a list such as "1, 2, 3". If a number is not a valid value, it appends nothing
// and returns false.
func (v *valueList) readNumbers(list string) bool {
	out := *v.numbers
	for i := 0; list != ""; i++ {
		var number string
		number, list, _ = strings.Cut(list, ",")
		number = strings.Trim(number, " \t")
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil || number[0] == '0' && len(number) > 1 || v.formOf(i) != numberValue {
			return false
		}
		out = append(out, n)
	}
	*v.numbers = out
	return true
}

// readOne appends the value of counter i.
func (v *valueList) readOne(i int, n *yaml.Node) error {
	form := v.formOf(i)
	if form == numberValue {
		number, err := v.readNumber(i, n)
		*v.numbers = append(*v.numbers, number.Bits())
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
	case form == bytesValue:
		return fmt.Errorf("the value of counter %d %w", i, yamltext.Want(n, "bytes, {hex: \"…\"}"))
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str":
		return fmt.Errorf("the value of counter %d %w; put quotes around a text such as 5 or true", i, yamltext.Want(n, "a text"))
	case form == asciiText && !isASCII(n.Value):
		return fmt.Errorf("the value of counter %d is %s, must be ASCII; write other bytes as {hex: \"…\"}", i, quote.Short(n.Value))
	default:
		s = n.Value
	}
	*v.numbers, *v.texts = append(*v.numbers, 0), append(*v.texts, s)
	return nil
}

// readNumber reads the value of counter i. The value must be a number.
func (v *valueList) readNumber(i int, n *yaml.Node) (form.Number, error) {
	number, err := form.ParseNumber(n)
	switch {
	case err != nil && !yamltext.IsNumber(n) && i < len(v.counters):
		err = fmt.Errorf("the value of counter %d (%v) %w", i, v.counters[i].CounterType, err)
	case err != nil && !yamltext.IsNumber(n):
		err = fmt.Errorf("the value of counter %d %w", i, err)
	case err == nil && number.Negative:
		bits := v.bits(i)
		most := uint64(1)<<bits - 1
		err = layout.Faultf(layout.ErrRange, "%s is out of range, must be 0 to %d", number, most)
		if number.Magnitude <= 1<<(bits-1) {
			err = layout.Faultf(err, "%v; values are unsigned, write %s as 0x%x or %[3]d", err, number, number.Bits()&most)
		}
	}
	return number, err
}

// bits returns the width of the value of counter i in bits.
func (v *valueList) bits(i int) int {
	switch {
	case i < len(v.counters):
		if width, ok := v.counters[i].CounterType.Width(); ok && width > 0 {
			return 8 * int(width)
		}
	case i < len(v.query) && v.query[i].Size > 0 && v.query[i].Size < 8:
		return 8 * int(v.query[i].Size)
	}
	return 64
}

// appendValue appends a value of variable length: a text if possible, otherwise its bytes.
func appendValue(b []byte, as valueForm, s string) []byte {
	if as == asciiText && isASCII(s) || as == unicodeText && utf8.ValidString(s) {
		return form.AppendText(b, s)
	}
	return appendHex(b, s)
}
