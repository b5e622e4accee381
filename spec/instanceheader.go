package spec

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
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

var queryInstancesForm = instancesFormOf(&queryInstanceMapping, func(r *builder.Result) (*[]builder.QueryInstance, func(*builder.QueryInstance) *queryInstanceText) {
	one := queryInstanceText{of: r}
	return &r.Instances, func(in *builder.QueryInstance) *queryInstanceText {
		one.QueryInstance = in
		return &one
	}
})

// instanceListMapping has the keys of a text of kind instances.
var instanceListMapping = form.Mapping[builder.InstanceList]{
	What: "a block of kind instances",
	Doc:  "The instances of a counter set without values, as PerfEnumerateCounterSetInstances returns them.",
	Keys: []form.Key[builder.InstanceList]{
		{Name: "instances", Form: form.BracedList("instances", &listedInstanceMapping), Required: true, Doc: "The instances. [] is a block without instances.", Field: func(l *builder.InstanceList) any { return (*[]builder.InstanceHeader)(l) }},
	},
}

var listedInstanceMapping = form.Mapping[builder.InstanceHeader]{
	Name: "listedInstance", What: "an instance", Record: &layout.PERF_INSTANCE_HEADER,
	Doc: "An instance without values, a PERF_INSTANCE_HEADER.",
	Keys: []form.Key[builder.InstanceHeader]{
		{Name: "name", Form: form.Text, Doc: nameDoc, Field: func(in *builder.InstanceHeader) any { return &in.Name }},
		{Name: "InstanceId", Form: dwordForm, Field: func(in *builder.InstanceHeader) any { return form.Num(&in.InstanceId) }},
		{Name: "Size", Form: dwordForm, OwnDoc: true, Doc: sizeOfNameDoc, Field: func(in *builder.InstanceHeader) any { return form.Num(&in.Size) }},
	},
}
