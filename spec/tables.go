package spec

import (
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// The tables of the mappings that become the model. A row's doc stands behind that
// of the format's field of that name.

type (
	objectKey   = key[builder.Object]
	counterKey  = key[counterText]
	instanceKey = key[instanceText]
)

var objectMapping = mapping[builder.Object]{
	name: "object", what: "an object", record: &layout.PERF_OBJECT_TYPE,
	doc: "An object with its counters and instances, a PERF_OBJECT_TYPE.",
	keys: []objectKey{
		{name: "ObjectNameTitleIndex", form: dwordForm, required: true, field: func(o *builder.Object) any { return &o.ObjectNameTitleIndex }},
		{name: "ObjectHelpTitleIndex", form: helpForm, doc: "Left out: the number after ObjectNameTitleIndex. `none` writes 0.", field: func(o *builder.Object) any { return help{&o.ObjectHelpTitleIndex, &o.NoHelp} }},
		{name: "DetailLevel", form: detailForm, doc: "Left out: that.", field: func(o *builder.Object) any { return &o.DetailLevel }},
		{name: "DefaultCounter", form: integer("number", span{-1, math.MaxInt32}), doc: "Its position or its title index. Left out: 0, and -1 where that is a base.", field: func(o *builder.Object) any { return &o.DefaultCounter }},
		{name: "NumInstances", form: instancesCountForm, ownDoc: true, doc: "Left out or 0: how many instances there are, so no number above 0 is given. -1 PERF_NO_INSTANCES goes with values in place of instances; -2 PERF_METADATA_MULTIPLE_INSTANCES and -3 PERF_METADATA_NO_INSTANCES answer a metadata query, and go with neither.", field: func(o *builder.Object) any { return &o.NumInstances }},
		{name: "CodePage", form: dwordForm, field: func(o *builder.Object) any { return &o.CodePage }},
		{name: "PerfTime", form: clockForm, doc: "Left out: the header's PerfTime100nSec where a counter needs it.", field: func(o *builder.Object) any { return &o.PerfTime }},
		{name: "PerfFreq", form: clockForm, doc: "Left out: 10000000 where a counter needs it.", field: func(o *builder.Object) any { return &o.PerfFreq }},
		{name: "blockLength", form: dwordForm, doc: "ByteLength of every counter block, a multiple of 8. Left out: as long as the values need.", field: func(o *builder.Object) any { return &o.BlockLength }},
		{name: "duplicateNames", form: flagForm, doc: "Whether two instances may have one name.", field: func(o *builder.Object) any { return &o.DuplicateNames }},
		{name: "counters", form: countersForm, doc: "The counters, in the order of their definitions.", field: func(o *builder.Object) any { return o }},
		{name: "instances", form: instancesForm, doc: "The instances, in the order of the block.", field: func(o *builder.Object) any { return o }},
		{name: "values", form: valuesForm, doc: "The values of an object of PERF_NO_INSTANCES.", field: func(o *builder.Object) any {
			return &valuesOf{counters: o.Counters, numbers: &o.Values, texts: &o.Texts}
		}},
	},
}

// A counterText is what one item of counters says: a counter, and whether its
// base follows.
type counterText struct {
	builder.Counter
	withBase bool
}

var counterMapping = mapping[counterText]{
	name: "counter", what: "a counter", record: &layout.PERF_COUNTER_DEFINITION,
	doc: "The definition of a counter, a PERF_COUNTER_DEFINITION. A type that requires a base has the base right behind it.",
	keys: []counterKey{
		{name: "CounterNameTitleIndex", form: dwordForm, field: func(c *counterText) any { return &c.CounterNameTitleIndex }},
		{name: "CounterHelpTitleIndex", form: helpForm, doc: "Left out: the number after CounterNameTitleIndex, and 0 if that is 0. `none` writes 0.", field: func(c *counterText) any { return help{&c.CounterHelpTitleIndex, &c.NoHelp} }},
		{name: "DefaultScale", form: integer("signed number", span{layout.MinScale, layout.MaxScale}), field: func(c *counterText) any { return &c.DefaultScale }},
		{name: "DetailLevel", form: detailForm, doc: "Left out: PERF_DETAIL_NOVICE, and 0 for a base.", field: func(c *counterText) any { return &c.DetailLevel }},
		{name: "CounterType", form: typeForm, required: true, field: func(c *counterText) any { return &c.CounterType }},
		{name: "CounterSize", form: dwordForm, doc: "Left out: what the type says, and for text what the longest needs.", field: func(c *counterText) any { return &c.CounterSize }},
		{name: "CounterOffset", form: dwordForm, doc: "Left out: the next place behind the counters before, on a multiple of 4, or of 8 for values of 8 bytes.", field: func(c *counterText) any { return &c.CounterOffset }},
		{name: "withBase", form: flagForm, doc: "Adds the definition of the base that the type requires behind this one. Its value follows this counter's in values.", field: func(c *counterText) any { return &c.withBase }},
	},
}

// An instanceText is an instance and the object whose counters its values are of.
// There are many instances, and one of these for all of an object, so it has room for
// what their fields are read into.
type instanceText struct {
	*builder.Instance
	of     *builder.Object
	name   nameOf
	values valuesOf
}

func (in *instanceText) nameField() any {
	in.name = nameOf{&in.Name, in.of.CodePage}
	return &in.name
}

func (in *instanceText) valuesField() any {
	in.values = valuesOf{counters: in.of.Counters, numbers: &in.Values, texts: &in.Texts}
	return &in.values
}

var instanceMapping = mapping[instanceText]{
	name: "instance", what: "an instance", record: &layout.PERF_INSTANCE_DEFINITION,
	doc: "An instance with its values: a PERF_INSTANCE_DEFINITION and a PERF_COUNTER_BLOCK.",
	keys: []instanceKey{
		{name: "name", form: nameForm, doc: "The instance's name. Left out: an unnamed instance, which should have a UniqueID.", field: (*instanceText).nameField},
		{name: "ParentObjectTitleIndex", form: dwordForm, field: func(in *instanceText) any { return &in.ParentObjectTitleIndex }},
		{name: "ParentObjectInstance", form: dwordForm, field: func(in *instanceText) any { return &in.ParentObjectInstance }},
		{name: "UniqueID", form: longForm, doc: "Left out: -1.", field: func(in *instanceText) any { return &in.UniqueID }},
		{name: "NameOffset", form: dwordForm, doc: "Left out: 24, and 0 for an unnamed instance.", field: func(in *instanceText) any { return &in.NameOffset }},
		{name: "ByteLength", form: dwordForm, doc: "Left out: as long as the name needs.", field: func(in *instanceText) any { return &in.ByteLength }},
		{name: "blockLength", form: dwordForm, doc: "ByteLength of this instance's counter block, a multiple of 8. Left out: the object's blockLength.", field: func(in *instanceText) any { return &in.BlockLength }},
		{name: "values", form: valuesForm, doc: "The values of the counters.", field: (*instanceText).valuesField},
	},
}
