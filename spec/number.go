package spec

import (
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
)

// A Number is a whole number of up to 64 bits, with or without sign.
type Number struct {
	Negative  bool // false for 0
	Magnitude uint64
}

func (n Number) String() string { return form.Number(n).String() }

var (
	dword = form.Span{Hi: math.MaxUint32}
	long  = form.Span{Lo: math.MinInt32, Hi: math.MaxInt32}
	clock = form.Span{Hi: math.MaxInt64}
	qword = form.Span{Hi: math.MaxUint64}
)

var (
	dwordForm = form.Integer("number", dword)
	longForm  = form.Integer("signed number", long)
	clockForm = form.Integer("number", clock)
	wordForm  = form.Integer("number", form.Span{Hi: math.MaxUint16})
)

// wordOrNumber returns the form of a number of 32 bits. A text may have the given word in place of the number
// `value`.
func wordOrNumber(value uint32, word string) *form.Form {
	f := form.Named("a number or "+word, dwordForm, []form.NamedNumber{{Value: int64(value), Name: word}})
	f.Name = word + ", or a " + dwordForm.Name
	return f
}

var (
	counterIDForm  = wordOrNumber(layout.PERF_WILDCARD_COUNTER, "PERF_WILDCARD_COUNTER")
	instanceIDForm = wordOrNumber(math.MaxUint32, "any")
	noneForm       = wordOrNumber(math.MaxUint32, "none") // in patches
)

// enumForm returns the form of a type with named values. The parameter noun is the word for a value in messages, such
// as "a detail level".
func enumForm[T interface {
	~uint32
	fmt.Stringer
}](noun string, values ...T) *form.Form {
	var named []form.NamedNumber
	for _, v := range values {
		named = append(named, form.NamedNumber{Value: int64(v), Name: v.String()})
	}
	return form.Named(noun, dwordForm, named)
}

var (
	detailForm   = enumForm("a detail level", layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD)
	dataTypeForm = enumForm("a result type",
		layout.PERF_ERROR_RETURN, layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET)
	instanceTypeForm = enumForm("an instance type",
		layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_MULTI_INSTANCES, layout.PERF_COUNTERSET_SINGLE_AGGREGATE,
		layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE)
	aggregateForm = enumForm("an aggregate function",
		layout.PERF_AGGREGATE_UNDEFINED, layout.PERF_AGGREGATE_TOTAL, layout.PERF_AGGREGATE_AVG, layout.PERF_AGGREGATE_MIN, layout.PERF_AGGREGATE_MAX)
)

func stringsOf[T fmt.Stringer](values []T) []string {
	var names []string
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

var statusForm = form.Named("the name of a known status", dwordForm, statuses())

func statuses() (named []form.NamedNumber) {
	for _, s := range cname.Statuses {
		named = append(named, form.NamedNumber{Value: int64(s.Value), Name: s.Name})
	}
	return named
}

var instancesCountForm = form.Named("a name for NumInstances", form.Integer("number", form.Span{Lo: int64(layout.PERF_METADATA_NO_INSTANCES)}), []form.NamedNumber{
	{Value: int64(layout.PERF_NO_INSTANCES), Name: "PERF_NO_INSTANCES"},
	{Value: int64(layout.PERF_METADATA_MULTIPLE_INSTANCES), Name: "PERF_METADATA_MULTIPLE_INSTANCES"},
	{Value: int64(layout.PERF_METADATA_NO_INSTANCES), Name: "PERF_METADATA_NO_INSTANCES"},
})

// A helpIndex points to two fields of a model: the index of a help text, and the flag NoHelp.
type helpIndex struct {
	index  *uint32
	noHelp *bool
}

var helpForm = &form.Form{
	Name:   "none, or a " + dwordForm.Name,
	Schema: form.AnyOf(form.EnumSchema("none"), form.IntegerSchema(dword)),
	Read: func(n *yaml.Node, to any) error {
		h := to.(helpIndex)
		if n.Kind == yaml.ScalarNode && n.Value == "none" {
			*h.noHelp = true
			return nil
		}
		return dwordForm.Read(n, form.Num(h.index))
	},
	Zero: func(from any) bool { h := from.(helpIndex); return *h.index == 0 && !*h.noHelp },
	Write: func(w *form.Writer, from any, _ string) error {
		switch h := from.(helpIndex); {
		case *h.noHelp && *h.index != 0:
			return fmt.Errorf("is %d, must be 0 if NoHelp is set", *h.index)
		case *h.noHelp:
			w.Add(" none")
		default:
			w.Addf(" %d", *h.index)
		}
		return nil
	},
}

var attribNames = stringsOf([]layout.Attrib{
	layout.PERF_ATTRIB_BY_REFERENCE, layout.PERF_ATTRIB_NO_DISPLAYABLE, layout.PERF_ATTRIB_NO_GROUP_SEPARATOR,
	layout.PERF_ATTRIB_DISPLAY_AS_REAL, layout.PERF_ATTRIB_DISPLAY_AS_HEX,
})

var (
	attribForm = form.Bits("flags", "one of "+strings.Join(attribNames, ", ")+"; a number; or several of them joined by |",
		flagsSchema(attribNames, "PERF_ATTRIB_", 16, qword),
		func(s string) (layout.Attrib, error) {
			a, err := layout.ParseAttrib(s)
			if err != nil {
				err = layout.Faultf(err, "%v%s", err, suggest.Key(s, attribNames))
			}
			return a, err
		})
	typeForm = form.Bits("a counter type", "a name of winperf.h, a number, or several of them joined by |", flagsSchema(typeNames(), "PERF_", 8, dword), parseType)
)

// flagsSchema returns the schema of a number that can be written as flags with vertical bars between them. A flag is a
// number, or a name that starts with prefix. The list of names is for completion in editors. The parameter digits is the
// largest number of hexadecimal digits of a single number.
func flagsSchema(names []string, prefix string, digits int, s form.Span) form.Members {
	word := "(" + prefix + "[A-Z0-9_]+|0[xX][0-9A-Fa-f]+|[0-9]+)"
	return form.AnyOf(
		form.EnumSchema(names...),
		form.PatternSchema(`^\s*`+word+`(\s*\|\s*`+word+`)+\s*$`),
		form.PatternSchema(fmt.Sprintf("^0[xX][0-9A-Fa-f]{1,%d}$", digits)),
		form.IntegerSchema(s),
	)
}

// parseType reads a counter type. The error quotes the first word that is not a type or a flag.
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
