package spec

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

var queryDataMapping = form.Mapping[builder.QueryData]{
	What: "query data", Record: &layout.PERF_DATA_HEADER,
	Doc: "The block that PerfQueryCounterData returns: a PERF_DATA_HEADER, and a result for each counter or counter set of the query.",
	Keys: []form.Key[builder.QueryData]{
		{Name: "SystemTime", Form: timeForm, Doc: "Default: PerfTime100NSec.", Field: func(q *builder.QueryData) any { return &q.SystemTime }},
		{Name: "PerfTimeStamp", Form: clockForm, Field: func(q *builder.QueryData) any { return form.Num(&q.PerfTimeStamp) }},
		{Name: "PerfFreq", Form: clockForm, Doc: "Default: 10000000.", Field: func(q *builder.QueryData) any { return form.Num(&q.PerfFreq) }},
		{Name: "PerfTime100NSec", Form: clockForm, Doc: "Default: SystemTime. If there is no SystemTime, the default is the start of the year 2000.", Field: func(q *builder.QueryData) any { return form.Num(&q.PerfTime100NSec) }},
		{Name: "results", Form: resultsForm, Required: true, Doc: "The results. [] is query data without results.", Field: func(q *builder.QueryData) any { return &q.Results }},
	},
}

var resultMapping = form.Mapping[builder.Result]{
	Name: "result", What: "a result", Record: &layout.PERF_COUNTER_HEADER,
	Doc: "The result for one counter or counter set: a PERF_COUNTER_HEADER and its payload.",
	Keys: []form.Key[builder.Result]{
		{Name: "Type", Form: dataTypeForm, Required: true, Doc: "The payload. PERF_SINGLE_COUNTER: one value. PERF_MULTIPLE_COUNTERS: counters and values. PERF_MULTIPLE_INSTANCES: instances with one value each. PERF_COUNTERSET: counters, and instances with values. PERF_ERROR_RETURN: none.", Field: func(r *builder.Result) any { return form.Num(&r.Type) }},
		{Name: "Status", Form: statusForm, Doc: "The Win32 error of a PERF_ERROR_RETURN, such as ERROR_WMI_INSTANCE_NOT_FOUND, 4201, if there are no instances. Default: 0.", Field: func(r *builder.Result) any { return form.Num(&r.Status) }},
		{Name: "counters", Form: queryCountersForm, Doc: "The counters, in the order of the values. Default for PERF_SINGLE_COUNTER and PERF_MULTIPLE_INSTANCES: one counter of 8 bytes.", Field: func(r *builder.Result) any { return r }},
		{Name: "shortIDs", Form: form.Boolean, Doc: "Whether dwSize excludes the padding after an odd number of ids. The padding is always written.", Field: func(r *builder.Result) any { return &r.ShortIDs }},
		{Name: "instances", Form: queryInstancesFormWithout(nil), Needs: []string{"counters"}, Without: queryInstancesFormWithout, Doc: "The instances of PERF_MULTIPLE_INSTANCES and PERF_COUNTERSET. Default: no instances.", Field: func(r *builder.Result) any { return r }},
		{Name: "values", Form: queryValuesForm, Needs: []string{"counters"}, Without: uncheckedValues, Doc: "The values of PERF_SINGLE_COUNTER and PERF_MULTIPLE_COUNTERS.", Field: func(r *builder.Result) any { return &valueList{query: r.Counters, numbers: &r.Values, texts: &r.Texts} }},
	},
}

var resultsForm = func() *form.Form {
	f := form.BlockList("results", &resultMapping)
	list := f.Read
	f.Read = func(n *yaml.Node, to any) error {
		if err := list(n, to); err != nil {
			return err
		}
		for i, r := range *to.(*[]builder.Result) {
			// A text may leave out the list of counters if the result has exactly one counter. The value of this
			// counter then has 8 bytes.
			if hasOneCounter(r.Type) && yamltext.Child(n.Content[i], "counters") == nil {
				(*to.(*[]builder.Result))[i].Define(builder.QueryCounter{})
			}
		}
		return nil
	}
	return f
}()

// hasOneCounter reports whether a result of type t has exactly one counter. This counter has no id.
func hasOneCounter(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_SINGLE_COUNTER || t == layout.PERF_MULTIPLE_INSTANCES
}

var queryCounterMapping = form.Mapping[builder.QueryCounter]{
	Name: "queryCounter", What: "a counter",
	Doc: "A counter of a result. A counter of 8 bytes can be written as its CounterId alone.",
	Keys: []form.Key[builder.QueryCounter]{
		{Name: "CounterId", Form: dwordForm, Doc: "The id of the counter in its set. It must be 0 for PERF_SINGLE_COUNTER and PERF_MULTIPLE_INSTANCES, which have no ids.", Field: func(c *builder.QueryCounter) any { return form.Num(&c.CounterId) }},
		{Name: "Size", Form: dwordForm, Doc: "The size of a value in bytes: 4 or 8. Default: 8.", Field: func(c *builder.QueryCounter) any { return form.Num(&c.Size) }},
		{Name: "bytes", Form: form.Boolean, Doc: "Whether each value is written as bytes, {hex: \"…\"}, and may have any length. In Windows all values are numbers.", Field: func(c *builder.QueryCounter) any { return &c.Bytes }},
	},
}

var queryCountersForm = &form.Form{
	Name:   "list of ids or counters",
	Schema: form.ListSchema(form.AnyOf(form.IntegerSchema(dword), form.Ref("queryCounter"))),
	Read: func(n *yaml.Node, to any) error {
		r := to.(*builder.Result)
		return form.ReadEach(n, func(i int, one *yaml.Node) error {
			if i == 0 {
				r.Counters = make([]builder.QueryCounter, 0, yamltext.Len(n))
			}
			var c builder.QueryCounter
			var err error
			if yamltext.IsNumber(one) {
				err = yamltext.Under("counters", one, dwordForm.Read(one, form.Num(&c.CounterId)))
			} else {
				err = queryCounterMapping.Read(one, &c)
			}
			r.Define(c)
			return err
		})
	},
	Zero: func(from any) bool {
		r := from.(*builder.Result)
		if hasOneCounter(r.Type) {
			return len(r.Counters) == 1 && r.Counters[0] == builder.QueryCounter{}
		}
		return len(r.Counters) == 0
	},
	Write: func(w *form.Writer, from any, indent string) error {
		counters := from.(*builder.Result).Counters
		if !onlyIDs(counters) {
			return form.WriteEach(w, len(counters), indent, "counter", func(i int) error { return queryCounterMapping.WriteBraced(w, &counters[i]) })
		}
		w.Add(" [")
		for i, c := range counters {
			w.Comma(i)
			w.Addf("%d", c.CounterId)
		}
		w.Add("]")
		return nil
	},
}

// onlyIDs reports whether all fields of the counters except CounterId are zero.
func onlyIDs(counters []builder.QueryCounter) bool {
	return !slices.ContainsFunc(counters, func(c builder.QueryCounter) bool { return c != builder.QueryCounter{CounterId: c.CounterId} })
}

// A queryInstanceText is an instance with its result. One queryInstanceText is used for many instances, to save
// allocations.
type queryInstanceText struct {
	*builder.QueryInstance
	of     *builder.Result
	faulty []string  // the keys of the result that have a fault
	values valueList // for valuesField, which returns a pointer
}

func (in *queryInstanceText) valuesField() any {
	in.values = valueList{query: in.of.Counters, unchecked: slices.Contains(in.faulty, "counters"), numbers: &in.Values, texts: &in.Texts}
	return &in.values
}

const (
	nameDoc       = "The name of the instance. Default: an empty name."
	sizeOfNameDoc = "Default: the size that the name requires. A larger size must be a multiple of 8."
)

var queryInstanceMapping = form.Mapping[queryInstanceText]{
	Name: "queryInstance", What: "an instance", Record: &layout.PERF_INSTANCE_HEADER,
	Doc: "An instance of a result with its values: a PERF_INSTANCE_HEADER and a PERF_COUNTER_DATA for each counter.",
	Keys: []form.Key[queryInstanceText]{
		{Name: "name", Form: form.Text, Doc: nameDoc, Field: func(in *queryInstanceText) any { return &in.Name }},
		{Name: "InstanceId", Form: dwordForm, Field: func(in *queryInstanceText) any { return form.Num(&in.InstanceId) }},
		{Name: "Size", Form: dwordForm, OwnDoc: true, Doc: sizeOfNameDoc, Field: func(in *queryInstanceText) any { return form.Num(&in.Size) }},
		{Name: "values", Form: queryValuesForm, Doc: "The values of the counters.", Field: (*queryInstanceText).valuesField},
	},
}

// queryInstancesFormWithout returns the form of the instances of a result. The keys in faulty are keys of the result
// that have a fault.
func queryInstancesFormWithout(faulty []string) *form.Form {
	return instancesFormOf(&queryInstanceMapping, func(r *builder.Result) (*[]builder.QueryInstance, func(*builder.QueryInstance) *queryInstanceText) {
		one := queryInstanceText{of: r, faulty: faulty}
		return &r.Instances, func(in *builder.QueryInstance) *queryInstanceText {
			one.QueryInstance = in
			return &one
		}
	})
}

var instanceListMapping = form.Mapping[builder.InstanceList]{
	What: "a block of kind instances",
	Doc:  "The instances of a counter set, as PerfEnumerateCounterSetInstances returns them. An instance has a name and an id, but no values.",
	Keys: []form.Key[builder.InstanceList]{
		{Name: "instances", Form: form.BracedList("instances", &listedInstanceMapping), Required: true, Doc: "The instances. [] is a block without instances.", Field: func(l *builder.InstanceList) any { return (*[]builder.InstanceHeader)(l) }},
	},
}

var listedInstanceMapping = form.Mapping[builder.InstanceHeader]{
	Name: "listedInstance", What: "an instance", Record: &layout.PERF_INSTANCE_HEADER,
	Doc: "An instance without values: a PERF_INSTANCE_HEADER.",
	Keys: []form.Key[builder.InstanceHeader]{
		{Name: "name", Form: form.Text, Doc: nameDoc, Field: func(in *builder.InstanceHeader) any { return &in.Name }},
		{Name: "InstanceId", Form: dwordForm, Field: func(in *builder.InstanceHeader) any { return form.Num(&in.InstanceId) }},
		{Name: "Size", Form: dwordForm, OwnDoc: true, Doc: sizeOfNameDoc, Field: func(in *builder.InstanceHeader) any { return form.Num(&in.Size) }},
	},
}

// instancesFormOf returns the form of a list of instances. The type parameters are:
//   - O, the type that has the list: an object or a result
//   - E, an instance
//   - T, a struct with pointers to an instance and to its O
//
// instancesOf(o) returns the list of instances of o, and the function text. text(e) returns the T of the instance e. It
// may return the same T in each call.
func instancesFormOf[O, E, T any](mapping *form.Mapping[T], instancesOf func(*O) (list *[]E, text func(*E) *T)) *form.Form {
	return &form.Form{
		Name:   "list of instances",
		Schema: form.ListSchema(form.Ref(mapping.Name)),
		Read: func(n *yaml.Node, to any) error {
			list, text := instancesOf(to.(*O))
			return form.ReadEach(n, func(i int, one *yaml.Node) error {
				if i == 0 { // one allocation, because a list can have many instances
					*list = make([]E, yamltext.Len(n))
				}
				return mapping.Read(one, text(&(*list)[i]))
			})
		},
		Zero: func(from any) bool { list, _ := instancesOf(from.(*O)); return len(*list) == 0 },
		Write: func(w *form.Writer, from any, indent string) error {
			list, text := instancesOf(from.(*O))
			return form.WriteEach(w, len(*list), indent, "instance", func(i int) error { return mapping.WriteBraced(w, text(&(*list)[i])) })
		},
	}
}

var identifiersMapping = form.Mapping[builder.Identifiers]{
	What: "a block of kind identifiers",
	Doc:  "The identifiers that PerfAddCounters and PerfDeleteCounters take, and that PerfQueryCounterInfo returns.",
	Keys: []form.Key[builder.Identifiers]{
		{Name: "identifiers", Form: form.BracedList("identifiers", &identifierMapping), Required: true, Doc: "The identifiers. [] is a block without identifiers.", Field: func(l *builder.Identifiers) any { return (*[]builder.CounterIdentifier)(l) }},
	},
}

// identifierSizeDoc is the description of the key Size. An empty name takes 8 bytes: its NUL and padding.
var identifierSizeDoc = fmt.Sprintf("Default: the size that the name requires, and %d without a name. A larger size must be a multiple of 8. An identifier of at least %d bytes has a name, which may be empty.",
	layout.PERF_COUNTER_IDENTIFIER.Size, layout.PERF_COUNTER_IDENTIFIER.Size+8)

var identifierMapping = form.Mapping[builder.CounterIdentifier]{
	Name: "identifier", What: "an identifier", Record: &layout.PERF_COUNTER_IDENTIFIER,
	Doc: "An identifier, a PERF_COUNTER_IDENTIFIER. It selects counters and instances of a counter set for a query.",
	Keys: []form.Key[builder.CounterIdentifier]{
		{Name: "CounterSetGuid", Form: form.GUID, Required: true, Field: func(id *builder.CounterIdentifier) any { return &id.CounterSetGuid }},
		{Name: "Status", Form: statusForm, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.Status) }},
		{Name: "Size", Form: dwordForm, OwnDoc: true, Doc: identifierSizeDoc, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.Size) }},
		{Name: "CounterId", Form: counterIDForm, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.CounterId) }},
		{Name: "InstanceId", Form: instanceIDForm, OwnDoc: true, Doc: "`any` is 0xffffffff, which selects instances of any id.", Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.InstanceId) }},
		{Name: "Index", Form: dwordForm, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.Index) }},
		{Name: "name", Form: form.Text, Doc: "The name of an instance, or a pattern such as *. Default: no name, as for a counter set with a single instance.", Field: func(id *builder.CounterIdentifier) any { return &id.Name }},
	},
}
