package spec

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A queryInstanceText is an instance and its result. valuesField returns a pointer to the field
// values. One queryInstanceText serves many instances, so this pointer costs no allocation.
type queryInstanceText struct {
	*builder.QueryInstance
	of     *builder.Result
	values valueList
}

func (in *queryInstanceText) valuesField() any {
	in.values = valueList{query: in.of.Counters, numbers: &in.Values, texts: &in.Texts}
	return &in.values
}

const (
	nameDoc       = "The name of the instance. Default: an empty name."
	sizeOfNameDoc = "Default: the size that the name requires. A larger size must be a multiple of 8."
)

var queryInstanceMapping = mapping[queryInstanceText]{
	name: "queryInstance", what: "an instance", record: &layout.PERF_INSTANCE_HEADER,
	doc: "An instance of a result with its values: a PERF_INSTANCE_HEADER and a PERF_COUNTER_DATA for each counter.",
	keys: []key[queryInstanceText]{
		{name: "name", form: textForm, doc: nameDoc, field: func(in *queryInstanceText) any { return &in.Name }},
		{name: "InstanceId", form: dwordForm, field: func(in *queryInstanceText) any { return num(&in.InstanceId) }},
		{name: "Size", form: dwordForm, ownDoc: true, doc: sizeOfNameDoc, field: func(in *queryInstanceText) any { return num(&in.Size) }},
		{name: "values", form: queryValuesForm, doc: "The values of the counters.", field: (*queryInstanceText).valuesField},
	},
}

var queryInstancesForm = instancesFormOf(&queryInstanceMapping, func(r *builder.Result) (*[]builder.QueryInstance, func(*builder.QueryInstance) *queryInstanceText) {
	one := queryInstanceText{of: r}
	return &r.Instances, func(in *builder.QueryInstance) *queryInstanceText {
		one.QueryInstance = in
		return &one
	}
})

// instanceListMapping has the keys of a text of kind instances.
var instanceListMapping = mapping[builder.InstanceList]{
	what: "a block of kind instances",
	doc:  "The instances of a counter set without values, as PerfEnumerateCounterSetInstances returns them.",
	keys: []key[builder.InstanceList]{
		{name: "instances", form: listForm("instances", &listedInstanceMapping), required: true, doc: "The instances. [] is a block without instances.", field: func(l *builder.InstanceList) any { return (*[]builder.InstanceHeader)(l) }},
	},
}

var listedInstanceMapping = mapping[builder.InstanceHeader]{
	name: "listedInstance", what: "an instance", record: &layout.PERF_INSTANCE_HEADER,
	doc: "An instance without values, a PERF_INSTANCE_HEADER.",
	keys: []key[builder.InstanceHeader]{
		{name: "name", form: textForm, doc: nameDoc, field: func(in *builder.InstanceHeader) any { return &in.Name }},
		{name: "InstanceId", form: dwordForm, field: func(in *builder.InstanceHeader) any { return num(&in.InstanceId) }},
		{name: "Size", form: dwordForm, ownDoc: true, doc: sizeOfNameDoc, field: func(in *builder.InstanceHeader) any { return num(&in.Size) }},
	},
}
