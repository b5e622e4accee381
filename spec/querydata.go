package spec

import (
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

type (
	queryDataKey     = key[builder.QueryData]
	resultKey        = key[builder.Result]
	queryCounterKey  = key[builder.QueryCounter]
	queryInstanceKey = key[queryInstanceText]
)

// queryDataMapping is the text of a block of kind query-data.
var queryDataMapping = mapping[builder.QueryData]{
	what: "query data", record: &layout.PERF_DATA_HEADER,
	doc: "What PerfQueryCounterData returns: a PERF_DATA_HEADER, and an answer to each counter or counter set that was added to the query.",
	keys: []queryDataKey{
		{name: "SystemTime", form: timeForm, doc: "Left out: PerfTime100NSec.", field: func(q *builder.QueryData) any { return &q.SystemTime }},
		{name: "PerfTimeStamp", form: clockForm, field: func(q *builder.QueryData) any { return &q.PerfTimeStamp }},
		{name: "PerfFreq", form: clockForm, doc: "Left out: 10000000.", field: func(q *builder.QueryData) any { return &q.PerfFreq }},
		{name: "PerfTime100NSec", form: clockForm, doc: "Left out: SystemTime, and the first moment of the year 2000 where that is left out too.", field: func(q *builder.QueryData) any { return &q.PerfTime100NSec }},
		{name: "results", form: resultsForm, required: true, doc: "The answers. There may be none: [].", field: func(q *builder.QueryData) any { return &q.Results }},
	},
}

var dataTypeForm = enumForm("type of an answer", []layout.PerfCounterDataType{layout.PERF_ERROR_RETURN, layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET}, layout.ParsePerfCounterDataType)

var resultMapping = mapping[builder.Result]{
	name: "result", what: "a result", record: &layout.PERF_COUNTER_HEADER,
	doc: "The answer to one counter or counter set, a PERF_COUNTER_HEADER with what follows it.",
	keys: []resultKey{
		{name: "Type", form: dataTypeForm, required: true, doc: "What there is: PERF_SINGLE_COUNTER, one value; PERF_MULTIPLE_COUNTERS, counters and values; PERF_MULTIPLE_INSTANCES, instances with one value each; PERF_COUNTERSET, counters, and instances with values; PERF_ERROR_RETURN, none of these.", field: func(r *builder.Result) any { return &r.Type }},
		{name: "Status", form: statusForm, doc: "The Win32 error of a PERF_ERROR_RETURN, such as ERROR_WMI_INSTANCE_NOT_FOUND, 4201, where there are no instances. Left out: 0.", field: func(r *builder.Result) any { return &r.Status }},
		{name: "counters", form: queryCountersForm, doc: "The counters, in the order of the values. Left out, PERF_SINGLE_COUNTER and PERF_MULTIPLE_INSTANCES have the one that they can have, of 8 bytes.", field: func(r *builder.Result) any { return r }},
		{name: "shortIDs", form: flagForm, doc: "Whether the dwSize of an odd number of ids leaves out the padding behind them, which is there all the same.", field: func(r *builder.Result) any { return &r.ShortIDs }},
		{name: "instances", form: queryInstancesForm, doc: "The instances of PERF_MULTIPLE_INSTANCES and PERF_COUNTERSET. There may be none.", field: func(r *builder.Result) any { return r }},
		{name: "values", form: queryValuesForm, doc: "The values of PERF_SINGLE_COUNTER and PERF_MULTIPLE_COUNTERS.", field: func(r *builder.Result) any { return &valuesOf{query: r.Counters, numbers: &r.Values, texts: &r.Texts} }},
	},
}

var resultsForm = func() *form {
	f := blockListForm("results", &resultMapping)
	list := f.read
	f.read = func(n *yaml.Node, to any) error {
		if err := list(n, to); err != nil {
			return err
		}
		for i, r := range *to.(*[]builder.Result) {
			if hasOneCounter(r.Type) && child(n.Content[i], "counters") == nil {
				(*to.(*[]builder.Result))[i].Define(builder.QueryCounter{})
			}
		}
		return nil
	}
	return f
}()

// hasOneCounter reports whether an answer of that type has one counter, without an id.
func hasOneCounter(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_SINGLE_COUNTER || t == layout.PERF_MULTIPLE_INSTANCES
}

var queryCounterMapping = mapping[builder.QueryCounter]{
	name: "queryCounter", what: "a counter",
	doc: "A counter of an answer. One of 8 bytes may be its CounterId alone.",
	keys: []queryCounterKey{
		{name: "CounterId", form: dwordForm, doc: "That of the counter in its set. PERF_SINGLE_COUNTER and PERF_MULTIPLE_INSTANCES have none.", field: func(c *builder.QueryCounter) any { return &c.CounterId }},
		{name: "Size", form: dwordForm, doc: "Bytes of a value: 4 or 8. Left out: 8.", field: func(c *builder.QueryCounter) any { return &c.Size }},
		{name: "bytes", form: flagForm, doc: "Whether values are bytes, {hex: \"…\"}, each as long as it is. Windows has numbers alone.", field: func(c *builder.QueryCounter) any { return &c.Bytes }},
	},
}

var queryCountersForm = &form{
	name:   "list of ids or counters",
	schema: listSchema(anyOf(integerSchema(dword), ref("queryCounter"))),
	read: func(n *yaml.Node, to any) error {
		r := to.(*builder.Result)
		return readEach(n, func(i int, one *yaml.Node) error {
			if i == 0 {
				r.Counters = make([]builder.QueryCounter, 0, countItems(n))
			}
			var c builder.QueryCounter
			var err error
			if isNumber(one) {
				err = under("counters", one, dwordForm.read(one, &c.CounterId))
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
	write: func(b []byte, from any, indent string) ([]byte, error) {
		counters := from.(*builder.Result).Counters
		if isIDs(counters) {
			b = append(b, " ["...)
			for i, c := range counters {
				b = strconv.AppendUint(append(b, comma(i == 0)...), uint64(c.CounterId), 10)
			}
			return append(b, ']'), nil
		}
		for i := range counters {
			var err error
			b = append(append(b, indent...), "- {"...)
			if b, err = queryCounterMapping.write(b, &counters[i], "", comma); err != nil {
				return nil, fmt.Errorf("counter %d: %w", i, err)
			}
			b = append(b, '}')
		}
		return b, nil
	},
}

// isIDs reports whether the counters are told by their ids.
func isIDs(counters []builder.QueryCounter) bool {
	for _, c := range counters {
		if c != (builder.QueryCounter{CounterId: c.CounterId}) {
			return false
		}
	}
	return true
}
