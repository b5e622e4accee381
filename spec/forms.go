package spec

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// The forms of single values. They read into a field of the model.

var (
	dwordForm = integer("number", dword)
	longForm  = integer("signed number", long)
	clockForm = integer("number", clock)
)

// integer returns the form of a number in a range.
func integer(name string, s span) *form {
	return &form{
		name:   fmt.Sprintf("%s, %d to %d", name, s.lo, s.hi),
		schema: integerSchema(s),
		read: func(n *yaml.Node, to any) error {
			v, err := s.read(n)
			if err == nil {
				setInteger(to, v)
			}
			return err
		},
		zero: func(from any) bool { v, set := integerOf(from); return !set || v == 0 && !isOptional(from) },
		write: func(b []byte, from any, _ string) ([]byte, error) {
			v, _ := integerOf(from)
			return strconv.AppendInt(append(b, ' '), v, 10), nil
		},
	}
}

// setInteger sets a field of the model to a number that fits it.
func setInteger(to any, v Number) {
	switch to := to.(type) {
	case *uint32:
		*to = uint32(v.bits())
	case *int32:
		*to = int32(v.bits())
	case *int64:
		*to = int64(v.bits())
	case *uint16:
		*to = uint16(v.bits())
	case **int32:
		*to = new(int32(v.bits()))
	case **uint32:
		*to = new(uint32(v.bits()))
	case *layout.DetailLevel:
		*to = layout.DetailLevel(v.bits())
	case *layout.PerfCounterDataType:
		*to = layout.PerfCounterDataType(v.bits())
	case *layout.InstanceType:
		*to = layout.InstanceType(v.bits())
	case *layout.AggregateFunc:
		*to = layout.AggregateFunc(v.bits())
	}
}

// integerOf returns the number in a field of the model, and whether there is one.
func integerOf(from any) (int64, bool) {
	switch from := from.(type) {
	case *uint32:
		return int64(*from), true
	case *int32:
		return int64(*from), true
	case *int64:
		return *from, true
	case *uint16:
		return int64(*from), true
	case **int32:
		if *from == nil {
			return 0, false
		}
		return int64(**from), true
	case **uint32:
		if *from == nil {
			return 0, false
		}
		return int64(**from), true
	case *layout.DetailLevel:
		return int64(*from), true
	case *layout.PerfCounterDataType:
		return int64(*from), true
	case *layout.InstanceType:
		return int64(*from), true
	case *layout.AggregateFunc:
		return int64(*from), true
	}
	return 0, false
}

// isOptional reports whether 0 in the field is not the same as nothing.
func isOptional(from any) bool {
	switch from.(type) {
	case **int32, **uint32:
		return true
	}
	return false
}

// named returns the form of a number that goes by names, besides the plain form.
func named(what string, plain *form, names []string, value func(string) (int64, bool), name func(int64) string) *form {
	f := *plain
	f.name = "one of " + strings.Join(names, ", ") + "; or a " + plain.name
	f.schema = anyOf(enumSchema(names...), plain.schema)
	f.read = func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || isNumber(n) || n.Tag == "!!null" {
			return plain.read(n, to)
		}
		v, ok := value(n.Value)
		if !ok {
			return layout.Faultf(layout.ErrRange, "%s is no %s%s", quote.Short(n.Value), what, meantOf(n.Value, names))
		}
		setInteger(to, Number{v < 0, uint64(max(v, -v))})
		return nil
	}
	f.write = func(b []byte, from any, indent string) ([]byte, error) {
		if v, _ := integerOf(from); name(v) != "" {
			return append(append(b, ' '), name(v)...), nil
		}
		return plain.write(b, from, indent)
	}
	return &f
}

// statusForm is of a Win32 error.
var statusForm = named("status that has a name", dwordForm, statusNames(),
	func(s string) (int64, bool) { v, err := layout.ParseStatus(s); return int64(v), err == nil },
	func(v int64) string { return layout.StatusName(uint32(v)) })

func statusNames() []string {
	var names []string
	for status := range layout.Statuses() {
		names = append(names, layout.StatusName(status))
	}
	return names
}

var detailLevels = []layout.DetailLevel{layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD}

// An enumeration is a number of the format whose values have names.
type enumeration interface {
	~uint32
	fmt.Stringer
	Valid() bool
}

// enumForm returns the form of an enumeration with those values.
func enumForm[T enumeration](what string, values []T, parse func(string) (T, error)) *form {
	return named(what, dwordForm, stringsOf(values),
		func(s string) (int64, bool) { v, err := parse(s); return int64(v), err == nil },
		func(v int64) string {
			if e := T(v); e.Valid() {
				return e.String()
			}
			return ""
		})
}

var detailForm = enumForm("detail level", detailLevels, layout.ParseDetailLevel)

var instanceCounts = []int32{layout.PERF_NO_INSTANCES, layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES}

var instancesCountForm = named("number of instances that has a name", integer("number", span{int64(layout.PERF_METADATA_NO_INSTANCES), 0}), countNames(),
	func(s string) (int64, bool) {
		for _, n := range instanceCounts {
			if layout.InstancesName(n) == s {
				return int64(n), true
			}
		}
		return 0, false
	},
	func(v int64) string { return layout.InstancesName(int32(max(v, math.MinInt32))) })

func countNames() []string {
	var names []string
	for _, n := range instanceCounts {
		names = append(names, layout.InstancesName(n))
	}
	return names
}

// stringsOf returns the text of each value.
func stringsOf[T fmt.Stringer](values []T) []string {
	var names []string
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

var flagForm = &form{
	name:   "true or false",
	schema: members{{"type", "boolean"}},
	read: func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			return fmt.Errorf("wants true or false, not %s", describe(n))
		}
		*to.(*bool) = strings.EqualFold(n.Value, "true")
		return nil
	},
	zero:  func(from any) bool { return !*from.(*bool) },
	write: func(b []byte, _ any, _ string) ([]byte, error) { return append(b, " true"...), nil },
}

// help is the index of a help text, or none.
type help struct {
	index *uint32
	none  *bool
}

var helpForm = &form{
	name:   "none, or a number, 0 to 4294967295",
	schema: anyOf(enumSchema("none"), integerSchema(dword)),
	read: func(n *yaml.Node, to any) error {
		h := to.(help)
		if n.Kind == yaml.ScalarNode && n.Value == "none" {
			*h.none = true
			return nil
		}
		v, err := dword.read(n)
		*h.index = uint32(v.Magnitude)
		return err
	},
	zero: func(from any) bool { h := from.(help); return *h.index == 0 && !*h.none },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		switch h := from.(help); {
		case *h.none && *h.index != 0:
			return nil, fmt.Errorf("%d, although NoHelp is set", *h.index)
		case *h.none:
			return append(b, " none"...), nil
		default:
			return strconv.AppendUint(append(b, ' '), uint64(*h.index), 10), nil
		}
	},
}

var attribForm = &form{
	name:   "one of " + strings.Join(attribNames, ", ") + "; a number; or several of them joined by |",
	schema: anyOf(enumSchema(attribNames...), flagsSchema("PERF_ATTRIB_"), members{{"type", "string"}, {"pattern", `^0[xX][0-9A-Fa-f]{1,16}$`}}, integerSchema(qword)),
	read: func(n *yaml.Node, to any) (err error) {
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			return fmt.Errorf("wants flags, not %s", describe(n))
		}
		if *to.(*layout.Attrib), err = layout.ParseAttrib(n.Value); err != nil {
			return layout.Faultf(err, "%v%s", err, didYouMean(n.Value, attribNames))
		}
		return nil
	},
	zero: func(from any) bool { return *from.(*layout.Attrib) == 0 },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		return append(append(b, ' '), from.(*layout.Attrib).String()...), nil
	},
}

var attribNames = stringsOf([]layout.Attrib{layout.PERF_ATTRIB_BY_REFERENCE, layout.PERF_ATTRIB_NO_DISPLAYABLE, layout.PERF_ATTRIB_NO_GROUP_SEPARATOR, layout.PERF_ATTRIB_DISPLAY_AS_REAL, layout.PERF_ATTRIB_DISPLAY_AS_HEX})

var typeForm = &form{
	name:   "a name of winperf.h, a number, or several of them joined by |",
	schema: typeSchema(),
	read: func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			return fmt.Errorf("wants a counter type, not %s", describe(n))
		}
		t, err := parseType(n.Value)
		*to.(*layout.CounterType) = t
		return err
	},
	zero: func(from any) bool { return *from.(*layout.CounterType) == 0 },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		return append(append(b, ' '), from.(*layout.CounterType).String()...), nil
	},
}

// parseType reads a counter type; its error names the word at fault.
func parseType(s string) (layout.CounterType, error) {
	t, err := layout.ParseCounterType(s)
	if err == nil {
		return t, nil
	}
	for word := range strings.SplitSeq(s, "|") {
		word = strings.TrimSpace(word)
		if _, bad := layout.ParseCounterType(word); bad != nil {
			return 0, layout.Faultf(layout.ErrRange, "no counter type %s: it is a name of winperf.h or a number of 32 bits%s", quote.Short(word), didYouMean(word, typeNames()))
		}
	}
	return 0, err
}

// typeNames returns the C names of the predefined types.
func typeNames() []string {
	var names []string
	for t := range layout.CounterTypes() {
		names = append(names, t.String())
	}
	return append(names, "PERF_PRECISION_TIMESTAMP") // the second name of PERF_LARGE_RAW_BASE
}
