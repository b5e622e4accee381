package spec

import (
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/layout"
)

var templateMapping = form.Mapping[builder.CounterSetInfo]{
	What: "a template", Record: &layout.PERF_COUNTERSET_INFO,
	Doc: "A counter set and its counters, as a provider passes them to PerfSetCounterSetInfo.",
	Keys: []form.Key[builder.CounterSetInfo]{
		{Name: "CounterSetGuid", Form: form.GUID, Required: true, Field: func(t *builder.CounterSetInfo) any { return &t.CounterSetGuid }},
		{Name: "ProviderGuid", Form: form.GUID, Required: true, Field: func(t *builder.CounterSetInfo) any { return &t.ProviderGuid }},
		{Name: "InstanceType", Form: instanceTypeForm, Doc: oneDoc, Field: func(t *builder.CounterSetInfo) any { return form.Num(&t.InstanceType) }},
		{Name: "counters", Form: form.BracedList("counters", &templateCounterMapping), Required: true, Doc: setCounterDoc + " There must be at least one.", Field: func(t *builder.CounterSetInfo) any { return &t.Counters }},
	},
}

var templateCounterMapping = form.Mapping[builder.CounterInfo]{
	Name: "templateCounter", What: "a counter", Record: &layout.PERF_COUNTER_INFO,
	Doc: "A counter of a template, a PERF_COUNTER_INFO.",
	Keys: []form.Key[builder.CounterInfo]{
		{Name: "CounterId", Form: dwordForm, Field: func(c *builder.CounterInfo) any { return form.Num(&c.CounterId) }},
		{Name: "Type", Form: typeForm, Required: true, Field: func(c *builder.CounterInfo) any { return form.Num(&c.Type) }},
		{Name: "Attrib", Form: attribForm, Doc: "Default: no flags.", Field: func(c *builder.CounterInfo) any { return form.Num(&c.Attrib) }},
		{Name: "Size", Form: dwordForm, OwnDoc: true, Doc: "The size of the value in bytes. Default: the size of the type.", Field: func(c *builder.CounterInfo) any { return form.Num(&c.Size) }},
		{Name: "DetailLevel", Form: detailForm, Doc: noviceDoc, Field: func(c *builder.CounterInfo) any { return form.Num(&c.DetailLevel) }},
		{Name: "Scale", Form: longForm, Field: func(c *builder.CounterInfo) any { return form.Num(&c.Scale) }},
		{Name: "Offset", Form: dwordForm, Field: func(c *builder.CounterInfo) any { return form.Num(&c.Offset) }},
	},
}

var setInstanceMapping = form.Mapping[builder.CounterSetInstance]{
	What: "a block of kind instance-block", Record: &layout.PERF_COUNTERSET_INSTANCE,
	Doc: "An instance of a provider, as PerfCreateInstance makes it.",
	Keys: []form.Key[builder.CounterSetInstance]{
		{Name: "CounterSetGuid", Form: form.GUID, Required: true, Field: func(in *builder.CounterSetInstance) any { return &in.CounterSetGuid }},
		{Name: "InstanceId", Form: dwordForm, Field: func(in *builder.CounterSetInstance) any { return form.Num(&in.InstanceId) }},
		{Name: "name", Form: form.Text, Doc: nameDoc, Field: func(in *builder.CounterSetInstance) any { return &in.Name }},
		{Name: "values", Form: slotsForm, Doc: "8 bytes for each counter of the set: the value, or the address where the provider keeps the value.", Field: func(in *builder.CounterSetInstance) any { return &valueList{numbers: &in.Values, texts: new([]string)} }},
	},
}

const (
	noviceDoc     = "Default: PERF_DETAIL_NOVICE."
	oneDoc        = "Default: PERF_COUNTERSET_SINGLE_INSTANCE."
	noneDoc       = "Default: `none`, no reference. 0 is a valid id."
	setCounterDoc = "The counters of the set. All CounterIds must differ."
)

// referenceForm is the form of a reference to another counter. In the model, nil means no
// reference.
var referenceForm = func() *form.Form {
	f := *noneForm
	f.Read = func(n *yaml.Node, to any) error {
		if n.Kind == yaml.ScalarNode && n.Value == "none" {
			return nil // the reference is nil already
		}
		return noneForm.Read(n, to)
	}
	f.Write = dwordForm.Write
	return &f
}()

var regSetMapping = form.Mapping[builder.CounterSetRegInfo]{
	What: "a block of kind reg-set", Record: &layout.PERF_COUNTERSET_REG_INFO,
	Doc: "The registration of a counter set and its counters, as PerfQueryCounterSetRegistrationInfo returns it.",
	Keys: []form.Key[builder.CounterSetRegInfo]{
		{Name: "CounterSetGuid", Form: form.GUID, Required: true, Field: func(s *builder.CounterSetRegInfo) any { return &s.CounterSetGuid }},
		{Name: "DetailLevel", Form: detailForm, Doc: noviceDoc, Field: func(s *builder.CounterSetRegInfo) any { return form.Num(&s.DetailLevel) }},
		{Name: "InstanceType", Form: instanceTypeForm, Doc: oneDoc, Field: func(s *builder.CounterSetRegInfo) any { return form.Num(&s.InstanceType) }},
		{Name: "counters", Form: form.BracedList("counters", &regCounterMapping), Doc: setCounterDoc, Field: func(s *builder.CounterSetRegInfo) any { return &s.Counters }},
	},
}

var regCounterMapping = form.Mapping[builder.CounterRegInfo]{
	Name: "regCounter", What: "a counter", Record: &layout.PERF_COUNTER_REG_INFO,
	Doc: "The registration of a counter, a PERF_COUNTER_REG_INFO. It refers to other counters of the set by CounterId.",
	Keys: []form.Key[builder.CounterRegInfo]{
		{Name: "CounterId", Form: dwordForm, Field: func(c *builder.CounterRegInfo) any { return form.Num(&c.CounterId) }},
		{Name: "Type", Form: typeForm, Required: true, Field: func(c *builder.CounterRegInfo) any { return form.Num(&c.Type) }},
		{Name: "Attrib", Form: attribForm, Doc: "Default: no flags.", Field: func(c *builder.CounterRegInfo) any { return form.Num(&c.Attrib) }},
		{Name: "DetailLevel", Form: detailForm, Doc: noviceDoc, Field: func(c *builder.CounterRegInfo) any { return form.Num(&c.DetailLevel) }},
		{Name: "DefaultScale", Form: longForm, Field: func(c *builder.CounterRegInfo) any { return form.Num(&c.DefaultScale) }},
		{Name: "BaseCounterId", Form: referenceForm, OwnDoc: true, Doc: "The base of the counter. " + noneDoc, Field: func(c *builder.CounterRegInfo) any { return form.Opt(&c.BaseCounterId) }},
		{Name: "PerfTimeId", Form: referenceForm, OwnDoc: true, Doc: "The counter with the clock of this counter. " + noneDoc, Field: func(c *builder.CounterRegInfo) any { return form.Opt(&c.PerfTimeId) }},
		{Name: "PerfFreqId", Form: referenceForm, OwnDoc: true, Doc: "The counter with the frequency of that clock. " + noneDoc, Field: func(c *builder.CounterRegInfo) any { return form.Opt(&c.PerfFreqId) }},
		{Name: "MultiId", Form: referenceForm, OwnDoc: true, Doc: "The counter with the number of items. " + noneDoc, Field: func(c *builder.CounterRegInfo) any { return form.Opt(&c.MultiId) }},
		{Name: "AggregateFunc", Form: aggregateForm, Doc: "Default: PERF_AGGREGATE_UNDEFINED.", Field: func(c *builder.CounterRegInfo) any { return form.Num(&c.AggregateFunc) }},
	},
}

var oneRegCounterMapping = form.Mapping[builder.CounterRegInfo]{
	What: "a block of kind reg-counter", Record: regCounterMapping.Record,
	Doc:  "The registration of one counter, as PerfQueryCounterSetRegistrationInfo returns it.",
	Keys: regCounterMapping.Keys,
}
