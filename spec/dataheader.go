package spec

import (
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// queryDataMapping has the keys of a text of kind query-data.
var queryDataMapping = mapping[builder.QueryData]{
	what: "query data", record: &layout.PERF_DATA_HEADER,
	doc: "The block that PerfQueryCounterData returns: a PERF_DATA_HEADER, and a result for each counter or counter set of the query.",
	keys: []key[builder.QueryData]{
		{name: "SystemTime", form: timeForm, doc: "Default: PerfTime100NSec.", field: func(q *builder.QueryData) any { return &q.SystemTime }},
		{name: "PerfTimeStamp", form: clockForm, field: func(q *builder.QueryData) any { return num(&q.PerfTimeStamp) }},
		{name: "PerfFreq", form: clockForm, doc: "Default: 10000000.", field: func(q *builder.QueryData) any { return num(&q.PerfFreq) }},
		{name: "PerfTime100NSec", form: clockForm, doc: "Default: SystemTime, or the start of the year 2000 without a SystemTime.", field: func(q *builder.QueryData) any { return num(&q.PerfTime100NSec) }},
		{name: "results", form: resultsForm, required: true, doc: "The results. [] is query data without results.", field: func(q *builder.QueryData) any { return &q.Results }},
	},
}

var resultMapping = mapping[builder.Result]{
	name: "result", what: "a result", record: &layout.PERF_COUNTER_HEADER,
	doc: "The result for one counter or counter set: a PERF_COUNTER_HEADER and its payload.",
	keys: []key[builder.Result]{
		{name: "Type", form: dataTypeForm, required: true, doc: "The payload. PERF_SINGLE_COUNTER: one value. PERF_MULTIPLE_COUNTERS: counters and values. PERF_MULTIPLE_INSTANCES: instances with one value each. PERF_COUNTERSET: counters, and instances with values. PERF_ERROR_RETURN: none.", field: func(r *builder.Result) any { return num(&r.Type) }},
		{name: "Status", form: statusForm, doc: "The Win32 error of a PERF_ERROR_RETURN, such as ERROR_WMI_INSTANCE_NOT_FOUND, 4201, if there are no instances. Default: 0.", field: func(r *builder.Result) any { return num(&r.Status) }},
		{name: "counters", form: queryCountersForm, doc: "The counters, in the order of the values. Default for PERF_SINGLE_COUNTER and PERF_MULTIPLE_INSTANCES: the one counter that they have, of 8 bytes.", field: func(r *builder.Result) any { return r }},
		{name: "shortIDs", form: flagForm, doc: "Whether dwSize of a list with an odd number of ids excludes the padding after the ids. The padding is always written.", field: func(r *builder.Result) any { return &r.ShortIDs }},
		{name: "instances", form: queryInstancesForm, needs: []string{"counters"}, doc: "The instances of PERF_MULTIPLE_INSTANCES and PERF_COUNTERSET. Default: no instances.", field: func(r *builder.Result) any { return r }},
		{name: "values", form: queryValuesForm, needs: []string{"counters"}, doc: "The values of PERF_SINGLE_COUNTER and PERF_MULTIPLE_COUNTERS.", field: func(r *builder.Result) any { return &valueList{query: r.Counters, numbers: &r.Values, texts: &r.Texts} }},
	},
}

// resultsForm is the form of a list of results. If a result with one counter has no key
// counters, resultsForm adds the counter.
var resultsForm = func() *form {
	f := blockListForm("results", &resultMapping)
	list := f.read
	f.read = func(n *yaml.Node, to any) error {
		if err := list(n, to); err != nil {
			return err
		}
		for i, r := range *to.(*[]builder.Result) {
			if hasOneCounter(r.Type) && yamltext.Child(n.Content[i], "counters") == nil {
				(*to.(*[]builder.Result))[i].Define(builder.QueryCounter{})
			}
		}
		return nil
	}
	return f
}()

// hasOneCounter reports whether a result of type t has exactly one counter, which has no id.
func hasOneCounter(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_SINGLE_COUNTER || t == layout.PERF_MULTIPLE_INSTANCES
}

var queryCounterMapping = mapping[builder.QueryCounter]{
	name: "queryCounter", what: "a counter",
	doc: "A counter of a result. A counter of 8 bytes can be written as its CounterId alone.",
	keys: []key[builder.QueryCounter]{
		{name: "CounterId", form: dwordForm, doc: "The id of the counter in its set. It must be 0 for PERF_SINGLE_COUNTER and PERF_MULTIPLE_INSTANCES, which have no ids.", field: func(c *builder.QueryCounter) any { return num(&c.CounterId) }},
		{name: "Size", form: dwordForm, doc: "The size of a value in bytes: 4 or 8. Default: 8.", field: func(c *builder.QueryCounter) any { return num(&c.Size) }},
		{name: "bytes", form: flagForm, doc: "Whether each value is written as bytes, {hex: \"…\"}, and may have any length. In Windows all values are numbers.", field: func(c *builder.QueryCounter) any { return &c.Bytes }},
	},
}

var queryCountersForm = &form{
	name:   "list of ids or counters",
	schema: listSchema(anyOf(integerSchema(dword), ref("queryCounter"))),
	read: func(n *yaml.Node, to any) error {
		r := to.(*builder.Result)
		return readEach(n, func(i int, one *yaml.Node) error {
			if i == 0 {
				r.Counters = make([]builder.QueryCounter, 0, yamltext.Len(n))
			}
			var c builder.QueryCounter
			var err error
			if yamltext.IsNumber(one) {
				err = yamltext.Under("counters", one, dwordForm.read(one, num(&c.CounterId)))
			} else {
				err = queryCounterMapping.read(one, &c)
			}
			r.Define(c)
			return err
		})
	},
	zero: func(from any) bool {
		r := from.(*builder.Result)
		if hasOneCounter(r.Type) {
			return len(r.Counters) == 1 && r.Counters[0] == builder.QueryCounter{}
		}
		return len(r.Counters) == 0
	},
	write: func(w *writer, from any, indent string) error {
		counters := from.(*builder.Result).Counters
		if !onlyIDs(counters) {
			return writeEach(w, len(counters), indent, "counter", func(i int) error { return queryCounterMapping.writeBraced(w, &counters[i]) })
		}
		w.add(" [")
		for i, c := range counters {
			w.comma(i)
			w.addf("%d", c.CounterId)
		}
		w.add("]")
		return nil
	},
}

// onlyIDs reports whether no counter has a field other than CounterId.
func onlyIDs(counters []builder.QueryCounter) bool {
	for _, c := range counters {
		if c != (builder.QueryCounter{CounterId: c.CounterId}) {
			return false
		}
	}
	return true
}
