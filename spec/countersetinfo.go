package spec

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// templateMapping is the text of a block of kind template.
var templateMapping = mapping[builder.CounterSetInfo]{
	what: "a template", record: &layout.PERF_COUNTERSET_INFO,
	doc: "A counter set and its counters, as a provider passes them to PerfSetCounterSetInfo.",
	keys: []key[builder.CounterSetInfo]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(t *builder.CounterSetInfo) any { return &t.CounterSetGuid }},
		{name: "ProviderGuid", form: guidForm, required: true, field: func(t *builder.CounterSetInfo) any { return &t.ProviderGuid }},
		{name: "InstanceType", form: instanceTypeForm, doc: oneDoc, field: func(t *builder.CounterSetInfo) any { return num(&t.InstanceType) }},
		{name: "counters", form: listForm("counters", &templateCounterMapping), required: true, doc: setCounterDoc + " There must be at least one.", field: func(t *builder.CounterSetInfo) any { return &t.Counters }},
	},
}

var templateCounterMapping = mapping[builder.CounterInfo]{
	name: "templateCounter", what: "a counter", record: &layout.PERF_COUNTER_INFO,
	doc: "A counter of a template, a PERF_COUNTER_INFO.",
	keys: []key[builder.CounterInfo]{
		{name: "CounterId", form: dwordForm, field: func(c *builder.CounterInfo) any { return num(&c.CounterId) }},
		{name: "Type", form: typeForm, required: true, field: func(c *builder.CounterInfo) any { return &c.Type }},
		{name: "Attrib", form: attribForm, doc: "Default: no flags.", field: func(c *builder.CounterInfo) any { return &c.Attrib }},
		{name: "Size", form: dwordForm, ownDoc: true, doc: "The bytes of the value. Default: the size of the type.", field: func(c *builder.CounterInfo) any { return num(&c.Size) }},
		{name: "DetailLevel", form: detailForm, doc: noviceDoc, field: func(c *builder.CounterInfo) any { return num(&c.DetailLevel) }},
		{name: "Scale", form: longForm, field: func(c *builder.CounterInfo) any { return num(&c.Scale) }},
		{name: "Offset", form: dwordForm, field: func(c *builder.CounterInfo) any { return num(&c.Offset) }},
	},
}

// setInstanceMapping is the text of a block of kind instance-block.
var setInstanceMapping = mapping[builder.CounterSetInstance]{
	what: "a block of kind instance-block", record: &layout.PERF_COUNTERSET_INSTANCE,
	doc: "An instance of a provider, as PerfCreateInstance makes it.",
	keys: []key[builder.CounterSetInstance]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(in *builder.CounterSetInstance) any { return &in.CounterSetGuid }},
		{name: "InstanceId", form: dwordForm, field: func(in *builder.CounterSetInstance) any { return num(&in.InstanceId) }},
		{name: "name", form: textForm, doc: nameDoc, field: func(in *builder.CounterSetInstance) any { return &in.Name }},
		{name: "values", form: slotsForm, doc: "8 bytes for each counter of the set: the value, or the address where the provider keeps the value.", field: func(in *builder.CounterSetInstance) any { return &valuesOf{numbers: &in.Values, texts: new([]string)} }},
	},
}
