package spec

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

var instanceTypeForm = enumForm("instance type", []layout.InstanceType{
	layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_MULTI_INSTANCES, layout.PERF_COUNTERSET_SINGLE_AGGREGATE,
	layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE,
}, layout.ParseInstanceType)

var aggregateForm = enumForm("function", []layout.AggregateFunc{
	layout.PERF_AGGREGATE_UNDEFINED, layout.PERF_AGGREGATE_TOTAL, layout.PERF_AGGREGATE_AVG, layout.PERF_AGGREGATE_MIN, layout.PERF_AGGREGATE_MAX,
}, layout.ParseAggregateFunc)

const (
	noviceDoc     = "Left out: PERF_DETAIL_NOVICE."
	oneDoc        = "Left out: PERF_COUNTERSET_SINGLE_INSTANCE."
	noneDoc       = "Left out: none, which may be said too. 0 is an id like any other."
	setCounterDoc = "The counters of the set. No two have one CounterId."
)

// referenceForm is of a reference of the model, which is nil where there is none.
var referenceForm = func() *form {
	f := *noneForm
	f.read = func(n *yaml.Node, to any) error {
		if n.Kind == yaml.ScalarNode && n.Value == "none" {
			return nil // as which it begins
		}
		return noneForm.read(n, to)
	}
	f.write = dwordForm.write
	return &f
}()

// regSetMapping is the text of a block of kind reg-set.
var regSetMapping = mapping[builder.CounterSetRegInfo]{
	what: "a block of kind reg-set", record: &layout.PERF_COUNTERSET_REG_INFO,
	doc: "What is registered of a counter set and its counters, as PerfQueryCounterSetRegistrationInfo returns it.",
	keys: []key[builder.CounterSetRegInfo]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(s *builder.CounterSetRegInfo) any { return &s.CounterSetGuid }},
		{name: "DetailLevel", form: detailForm, doc: noviceDoc, field: func(s *builder.CounterSetRegInfo) any { return &s.DetailLevel }},
		{name: "InstanceType", form: instanceTypeForm, doc: oneDoc, field: func(s *builder.CounterSetRegInfo) any { return &s.InstanceType }},
		{name: "counters", form: listForm("counters", &regCounterMapping), doc: setCounterDoc, field: func(s *builder.CounterSetRegInfo) any { return &s.Counters }},
	},
}

var regCounterMapping = mapping[builder.CounterRegInfo]{
	name: "regCounter", what: "a counter", record: &layout.PERF_COUNTER_REG_INFO,
	doc: "What is registered of a counter, a PERF_COUNTER_REG_INFO. Another counter of the set that it refers to is told by its CounterId.",
	keys: []key[builder.CounterRegInfo]{
		{name: "CounterId", form: dwordForm, field: func(c *builder.CounterRegInfo) any { return &c.CounterId }},
		{name: "Type", form: typeForm, required: true, field: func(c *builder.CounterRegInfo) any { return &c.Type }},
		{name: "Attrib", form: attribForm, doc: "Left out: no flag.", field: func(c *builder.CounterRegInfo) any { return &c.Attrib }},
		{name: "DetailLevel", form: detailForm, doc: noviceDoc, field: func(c *builder.CounterRegInfo) any { return &c.DetailLevel }},
		{name: "DefaultScale", form: longForm, field: func(c *builder.CounterRegInfo) any { return &c.DefaultScale }},
		{name: "BaseCounterId", form: referenceForm, ownDoc: true, doc: "The counter's base. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return &c.BaseCounterId }},
		{name: "PerfTimeId", form: referenceForm, ownDoc: true, doc: "The counter with its clock. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return &c.PerfTimeId }},
		{name: "PerfFreqId", form: referenceForm, ownDoc: true, doc: "The counter with the ticks of that in a second. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return &c.PerfFreqId }},
		{name: "MultiId", form: referenceForm, ownDoc: true, doc: "The counter with the number of items. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return &c.MultiId }},
		{name: "AggregateFunc", form: aggregateForm, doc: "Left out: PERF_AGGREGATE_UNDEFINED.", field: func(c *builder.CounterRegInfo) any { return &c.AggregateFunc }},
	},
}

// oneRegCounterMapping is the text of a block of kind reg-counter.
var oneRegCounterMapping = mapping[builder.CounterRegInfo]{
	what: "a block of kind reg-counter", record: regCounterMapping.record,
	doc:  "What is registered of one counter, as PerfQueryCounterSetRegistrationInfo returns it.",
	keys: regCounterMapping.keys,
}

// templateMapping is the text of a block of kind template.
var templateMapping = mapping[builder.CounterSetInfo]{
	what: "a template", record: &layout.PERF_COUNTERSET_INFO,
	doc: "What a provider gives to PerfSetCounterSetInfo: a counter set and its counters.",
	keys: []key[builder.CounterSetInfo]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(t *builder.CounterSetInfo) any { return &t.CounterSetGuid }},
		{name: "ProviderGuid", form: guidForm, required: true, field: func(t *builder.CounterSetInfo) any { return &t.ProviderGuid }},
		{name: "InstanceType", form: instanceTypeForm, doc: oneDoc, field: func(t *builder.CounterSetInfo) any { return &t.InstanceType }},
		{name: "counters", form: listForm("counters", &templateCounterMapping), required: true, doc: setCounterDoc + " There is one at least.", field: func(t *builder.CounterSetInfo) any { return &t.Counters }},
	},
}

var templateCounterMapping = mapping[builder.CounterInfo]{
	name: "templateCounter", what: "a counter", record: &layout.PERF_COUNTER_INFO,
	doc: "A counter of a template, a PERF_COUNTER_INFO.",
	keys: []key[builder.CounterInfo]{
		{name: "CounterId", form: dwordForm, field: func(c *builder.CounterInfo) any { return &c.CounterId }},
		{name: "Type", form: typeForm, required: true, field: func(c *builder.CounterInfo) any { return &c.Type }},
		{name: "Attrib", form: attribForm, doc: "Left out: no flag.", field: func(c *builder.CounterInfo) any { return &c.Attrib }},
		{name: "Size", form: dwordForm, ownDoc: true, doc: "Bytes of the value. Left out: what the type says.", field: func(c *builder.CounterInfo) any { return &c.Size }},
		{name: "DetailLevel", form: detailForm, doc: noviceDoc, field: func(c *builder.CounterInfo) any { return &c.DetailLevel }},
		{name: "Scale", form: longForm, field: func(c *builder.CounterInfo) any { return &c.Scale }},
		{name: "Offset", form: dwordForm, field: func(c *builder.CounterInfo) any { return &c.Offset }},
	},
}

// setInstanceMapping is the text of a block of kind instance-block.
var setInstanceMapping = mapping[builder.CounterSetInstance]{
	what: "a block of kind instance-block", record: &layout.PERF_COUNTERSET_INSTANCE,
	doc: "An instance of a provider, as PerfCreateInstance makes it.",
	keys: []key[builder.CounterSetInstance]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(in *builder.CounterSetInstance) any { return &in.CounterSetGuid }},
		{name: "InstanceId", form: dwordForm, field: func(in *builder.CounterSetInstance) any { return &in.InstanceId }},
		{name: "name", form: textForm, doc: nameDoc, field: func(in *builder.CounterSetInstance) any { return &in.Name }},
		{name: "values", form: slotsForm, doc: "8 bytes for each counter of the set: its value, or the address where the provider keeps that.", field: func(in *builder.CounterSetInstance) any { return &valuesOf{numbers: &in.Values, texts: new([]string)} }},
	},
}
