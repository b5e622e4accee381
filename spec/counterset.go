package spec

import (
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// templateMapping has the keys of a text of kind template.
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
		{name: "Type", form: typeForm, required: true, field: func(c *builder.CounterInfo) any { return num(&c.Type) }},
		{name: "Attrib", form: attribForm, doc: "Default: no flags.", field: func(c *builder.CounterInfo) any { return num(&c.Attrib) }},
		{name: "Size", form: dwordForm, ownDoc: true, doc: "The size of the value in bytes. Default: the size of the type.", field: func(c *builder.CounterInfo) any { return num(&c.Size) }},
		{name: "DetailLevel", form: detailForm, doc: noviceDoc, field: func(c *builder.CounterInfo) any { return num(&c.DetailLevel) }},
		{name: "Scale", form: longForm, field: func(c *builder.CounterInfo) any { return num(&c.Scale) }},
		{name: "Offset", form: dwordForm, field: func(c *builder.CounterInfo) any { return num(&c.Offset) }},
	},
}

// setInstanceMapping has the keys of a text of kind instance-block.
var setInstanceMapping = mapping[builder.CounterSetInstance]{
	what: "a block of kind instance-block", record: &layout.PERF_COUNTERSET_INSTANCE,
	doc: "An instance of a provider, as PerfCreateInstance makes it.",
	keys: []key[builder.CounterSetInstance]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(in *builder.CounterSetInstance) any { return &in.CounterSetGuid }},
		{name: "InstanceId", form: dwordForm, field: func(in *builder.CounterSetInstance) any { return num(&in.InstanceId) }},
		{name: "name", form: textForm, doc: nameDoc, field: func(in *builder.CounterSetInstance) any { return &in.Name }},
		{name: "values", form: slotsForm, doc: "8 bytes for each counter of the set: the value, or the address where the provider keeps the value.", field: func(in *builder.CounterSetInstance) any { return &valueList{numbers: &in.Values, texts: new([]string)} }},
	},
}

const (
	noviceDoc     = "Default: PERF_DETAIL_NOVICE."
	oneDoc        = "Default: PERF_COUNTERSET_SINGLE_INSTANCE."
	noneDoc       = "Default: `none`, no reference. 0 is a valid id."
	setCounterDoc = "The counters of the set. Each must have a CounterId of its own."
)

// referenceForm is the form of a reference to another counter. In the model, nil means no
// reference.
var referenceForm = func() *form {
	f := *noneForm
	f.read = func(n *yaml.Node, to any) error {
		if n.Kind == yaml.ScalarNode && n.Value == "none" {
			return nil // the reference is nil already
		}
		return noneForm.read(n, to)
	}
	f.write = dwordForm.write
	return &f
}()

// regSetMapping has the keys of a text of kind reg-set.
var regSetMapping = mapping[builder.CounterSetRegInfo]{
	what: "a block of kind reg-set", record: &layout.PERF_COUNTERSET_REG_INFO,
	doc: "The registration of a counter set and its counters, as PerfQueryCounterSetRegistrationInfo returns it.",
	keys: []key[builder.CounterSetRegInfo]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(s *builder.CounterSetRegInfo) any { return &s.CounterSetGuid }},
		{name: "DetailLevel", form: detailForm, doc: noviceDoc, field: func(s *builder.CounterSetRegInfo) any { return num(&s.DetailLevel) }},
		{name: "InstanceType", form: instanceTypeForm, doc: oneDoc, field: func(s *builder.CounterSetRegInfo) any { return num(&s.InstanceType) }},
		{name: "counters", form: listForm("counters", &regCounterMapping), doc: setCounterDoc, field: func(s *builder.CounterSetRegInfo) any { return &s.Counters }},
	},
}

var regCounterMapping = mapping[builder.CounterRegInfo]{
	name: "regCounter", what: "a counter", record: &layout.PERF_COUNTER_REG_INFO,
	doc: "The registration of a counter, a PERF_COUNTER_REG_INFO. It refers to other counters of the set by CounterId.",
	keys: []key[builder.CounterRegInfo]{
		{name: "CounterId", form: dwordForm, field: func(c *builder.CounterRegInfo) any { return num(&c.CounterId) }},
		{name: "Type", form: typeForm, required: true, field: func(c *builder.CounterRegInfo) any { return num(&c.Type) }},
		{name: "Attrib", form: attribForm, doc: "Default: no flags.", field: func(c *builder.CounterRegInfo) any { return num(&c.Attrib) }},
		{name: "DetailLevel", form: detailForm, doc: noviceDoc, field: func(c *builder.CounterRegInfo) any { return num(&c.DetailLevel) }},
		{name: "DefaultScale", form: longForm, field: func(c *builder.CounterRegInfo) any { return num(&c.DefaultScale) }},
		{name: "BaseCounterId", form: referenceForm, ownDoc: true, doc: "The base of the counter. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return opt(&c.BaseCounterId) }},
		{name: "PerfTimeId", form: referenceForm, ownDoc: true, doc: "The counter with the clock of this counter. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return opt(&c.PerfTimeId) }},
		{name: "PerfFreqId", form: referenceForm, ownDoc: true, doc: "The counter with the frequency of that clock. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return opt(&c.PerfFreqId) }},
		{name: "MultiId", form: referenceForm, ownDoc: true, doc: "The counter with the number of items. " + noneDoc, field: func(c *builder.CounterRegInfo) any { return opt(&c.MultiId) }},
		{name: "AggregateFunc", form: aggregateForm, doc: "Default: PERF_AGGREGATE_UNDEFINED.", field: func(c *builder.CounterRegInfo) any { return num(&c.AggregateFunc) }},
	},
}

// oneRegCounterMapping has the keys of a text of kind reg-counter.
var oneRegCounterMapping = mapping[builder.CounterRegInfo]{
	what: "a block of kind reg-counter", record: regCounterMapping.record,
	doc:  "The registration of one counter, as PerfQueryCounterSetRegistrationInfo returns it.",
	keys: regCounterMapping.keys,
}
