package spec

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// A namedNumber is a number of the format and its name.
type namedNumber struct {
	value int64
	name  string
}

// withNames returns a form that reads a number or one of the names of values. The parameter what is
// the noun for a name in messages, such as "a detail level".
func withNames(what string, plain *form, values []namedNumber) *form {
	var names []string
	for _, v := range values {
		names = append(names, v.name)
	}
	f := *plain
	f.name = "one of " + strings.Join(names, ", ") + "; or a " + plain.name
	f.schema = anyOf(enumSchema(names...), plain.schema)
	f.read = func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || yamltext.IsNumber(n) || yamltext.IsNull(n) {
			return plain.read(n, to)
		}
		i := slices.Index(names, n.Value)
		if i < 0 {
			return layout.Faultf(layout.ErrRange, "%s is not %s%s", quote.Short(n.Value), what, suggestOrList(n.Value, names))
		}
		v := values[i].value
		to.(intField).set(Number{v < 0, uint64(max(v, -v))})
		return nil
	}
	f.write = func(w *writer, from any, indent string) error {
		v, _ := from.(intField).get()
		if i := slices.IndexFunc(values, func(one namedNumber) bool { return one.value == v }); i >= 0 {
			w.addf(" %s", names[i])
			return nil
		}
		return plain.write(w, from, indent)
	}
	return &f
}

// suggestOrList returns the end of the message about an unknown word: the most similar name, or
// a list of all names if no name is similar.
func suggestOrList(word string, names []string) string {
	if end := suggest.Key(word, names); end != "" || len(names) < 2 {
		return end
	}
	return fmt.Sprintf(": it must be one of %s, or a number", strings.Join(names, ", "))
}

// wordOrNumber returns the form of a number of 32 bits. In the text, the number value can be
// written as word.
func wordOrNumber(value uint32, word string) *form {
	f := withNames("a number or "+word, dwordForm, []namedNumber{{int64(value), word}})
	f.name = word + ", or a " + dwordForm.name
	return f
}

var (
	counterIDForm  = wordOrNumber(layout.PERF_WILDCARD_COUNTER, "PERF_WILDCARD_COUNTER")
	instanceIDForm = wordOrNumber(math.MaxUint32, "any")
	noneForm       = wordOrNumber(math.MaxUint32, "none") // in patches
)

// enumForm returns the form of a type whose values have names. The parameter what is as in withNames.
func enumForm[T interface {
	~uint32
	fmt.Stringer
}](what string, values []T) *form {
	var named []namedNumber
	for _, v := range values {
		named = append(named, namedNumber{int64(v), v.String()})
	}
	return withNames(what, dwordForm, named)
}

var (
	detailForm = enumForm("a detail level", []layout.DetailLevel{
		layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD,
	})
	dataTypeForm = enumForm("a result type", []layout.PerfCounterDataType{
		layout.PERF_ERROR_RETURN, layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET,
	})
	instanceTypeForm = enumForm("an instance type", []layout.InstanceType{
		layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_MULTI_INSTANCES, layout.PERF_COUNTERSET_SINGLE_AGGREGATE,
		layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE,
	})
	aggregateForm = enumForm("an aggregate function", []layout.AggregateFunc{
		layout.PERF_AGGREGATE_UNDEFINED, layout.PERF_AGGREGATE_TOTAL, layout.PERF_AGGREGATE_AVG, layout.PERF_AGGREGATE_MIN, layout.PERF_AGGREGATE_MAX,
	})
)

// stringsOf returns the text of each value.
func stringsOf[T fmt.Stringer](values []T) []string {
	var names []string
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

// statusForm is the form of a Win32 error.
var statusForm = withNames("the name of a known status", dwordForm, statuses())

func statuses() (named []namedNumber) {
	for _, s := range cname.Statuses {
		named = append(named, namedNumber{int64(s.Value), s.Name})
	}
	return named
}

var instancesCountForm = withNames("the name of a number of instances", integer("number", span{int64(layout.PERF_METADATA_NO_INSTANCES), 0}), []namedNumber{
	{int64(layout.PERF_NO_INSTANCES), "PERF_NO_INSTANCES"},
	{int64(layout.PERF_METADATA_MULTIPLE_INSTANCES), "PERF_METADATA_MULTIPLE_INSTANCES"},
	{int64(layout.PERF_METADATA_NO_INSTANCES), "PERF_METADATA_NO_INSTANCES"},
})

var flagForm = &form{
	name:   "true or false",
	schema: members{{"type", "boolean"}},
	read: func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			return yamltext.Want(n, "true or false")
		}
		*to.(*bool) = strings.EqualFold(n.Value, "true")
		return nil
	},
	zero:  func(from any) bool { return !*from.(*bool) },
	write: func(w *writer, _ any, _ string) error { w.add(" true"); return nil },
}

// A helpIndex is the index of a help text. The field none is true if there is no help text.
type helpIndex struct {
	index *uint32
	none  *bool
}

var helpForm = &form{
	name:   "none, or a " + dwordForm.name,
	schema: anyOf(enumSchema("none"), integerSchema(dword)),
	read: func(n *yaml.Node, to any) error {
		h := to.(helpIndex)
		if n.Kind == yaml.ScalarNode && n.Value == "none" {
			*h.none = true
			return nil
		}
		return dwordForm.read(n, num(h.index))
	},
	zero: func(from any) bool { h := from.(helpIndex); return *h.index == 0 && !*h.none },
	write: func(w *writer, from any, _ string) error {
		switch h := from.(helpIndex); {
		case *h.none && *h.index != 0:
			return fmt.Errorf("is %d, must be 0 if NoHelp is set", *h.index)
		case *h.none:
			w.add(" none")
		default:
			w.addf(" %d", *h.index)
		}
		return nil
	},
}

var attribNames = stringsOf([]layout.Attrib{
	layout.PERF_ATTRIB_BY_REFERENCE, layout.PERF_ATTRIB_NO_DISPLAYABLE, layout.PERF_ATTRIB_NO_GROUP_SEPARATOR,
	layout.PERF_ATTRIB_DISPLAY_AS_REAL, layout.PERF_ATTRIB_DISPLAY_AS_HEX,
})

var (
	attribForm = bitsForm("flags", "one of "+strings.Join(attribNames, ", ")+"; a number; or several of them joined by |",
		anyOf(enumSchema(attribNames...), flagsSchema("PERF_ATTRIB_"), members{{"type", "string"}, {"pattern", `^0[xX][0-9A-Fa-f]{1,16}$`}}, integerSchema(qword)),
		func(s string) (layout.Attrib, error) {
			a, err := layout.ParseAttrib(s)
			if err != nil {
				err = layout.Faultf(err, "%v%s", err, suggest.Key(s, attribNames))
			}
			return a, err
		})
	typeForm = bitsForm("a counter type", "a name of winperf.h, a number, or several of them joined by |", typeSchema(), parseType)
)

// bitsForm returns the form of a number whose bits have names. The parameter what is the noun in
// messages, and name the description in the reference.
func bitsForm[T integerType](what, name string, schema any, parse func(string) (T, error)) *form {
	return &form{
		name: name, schema: schema, zero: isMissing,
		read: func(n *yaml.Node, to any) error {
			if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
				return yamltext.Want(n, what)
			}
			v, err := parse(n.Value)
			to.(intField).set(Number{Magnitude: uint64(v)})
			return err
		},
		write: func(w *writer, from any, _ string) error {
			v, _ := from.(intField).get()
			w.addf(" %v", T(v))
			return nil
		},
	}
}

// parseType reads a counter type. The error quotes the word that is not a type or flag.
func parseType(s string) (layout.CounterType, error) {
	t, err := layout.ParseCounterType(s)
	if err == nil {
		return t, nil
	}
	for word := range strings.SplitSeq(s, "|") {
		word = strings.TrimSpace(word)
		if _, bad := layout.ParseCounterType(word); bad != nil {
			return 0, layout.Faultf(layout.ErrRange, "%s is not a counter type: it must be a name of winperf.h or a number of 32 bits%s", quote.Short(word), suggest.Key(word, typeNames()))
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
