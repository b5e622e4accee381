package spec

import (
	"fmt"
	"math"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// dataBlockMapping has the keys of a text of kind data-block.
var dataBlockMapping = mapping[builder.DataBlock]{
	what: "a data block", record: &layout.PERF_DATA_BLOCK,
	doc: "The block that a consumer gets: a PERF_DATA_BLOCK and objects.",
	keys: []key[builder.DataBlock]{
		{name: "SystemName", form: textForm, doc: "The name of the computer.", field: func(d *builder.DataBlock) any { return &d.SystemName }},
		{name: "SystemTime", form: timeForm, doc: "Default: PerfTime100nSec.", field: func(d *builder.DataBlock) any { return &d.SystemTime }},
		{name: "PerfTime", form: clockForm, field: func(d *builder.DataBlock) any { return num(&d.PerfTime) }},
		{name: "PerfFreq", form: clockForm, doc: "Default: 10000000.", field: func(d *builder.DataBlock) any { return num(&d.PerfFreq) }},
		{name: "PerfTime100nSec", form: clockForm, doc: "Default: SystemTime, or the start of the year 2000 without a SystemTime.", field: func(d *builder.DataBlock) any { return num(&d.PerfTime100nSec) }},
		{name: "DefaultObject", form: longForm, field: func(d *builder.DataBlock) any { return num(&d.DefaultObject) }},
		{name: "SystemNameOffset", form: dwordForm, ownDoc: true, doc: offsetDoc(&layout.PERF_DATA_BLOCK), field: func(d *builder.DataBlock) any { return num(&d.SystemNameOffset) }},
		{name: "HeaderLength", form: dwordForm, doc: "Default: the length that the name requires.", field: func(d *builder.DataBlock) any { return num(&d.HeaderLength) }},
		{name: "objects", form: objectsForm, required: true, doc: "The objects. [] is a block without objects.", field: func(d *builder.DataBlock) any { return &d.Objects }},
	},
}

// offsetDoc returns the description of the offset of a name that follows record r.
func offsetDoc(r *layout.Record) string {
	return fmt.Sprintf("The offset of the name. Default: %d, and 0 without a name.", r.Size)
}

// objectsMapping has the keys of a text of kind objects.
var objectsMapping = mapping[builder.Objects]{
	what: "a block of kind objects",
	doc:  "The objects that a provider's Collect function writes, without a header.",
	keys: []key[builder.Objects]{
		{name: "objects", form: objectsForm, required: true, doc: "The objects.", field: func(o *builder.Objects) any { return (*[]builder.Object)(o) }},
	},
}

var objectsForm = blockListForm("objects", &objectMapping)

var objectMapping = mapping[builder.Object]{
	name: "object", what: "an object", record: &layout.PERF_OBJECT_TYPE,
	doc: "An object with its counters and instances, a PERF_OBJECT_TYPE.",
	keys: []key[builder.Object]{
		{name: "ObjectNameTitleIndex", form: dwordForm, required: true, field: func(o *builder.Object) any { return num(&o.ObjectNameTitleIndex) }},
		{name: "ObjectHelpTitleIndex", form: helpForm, doc: "Default: ObjectNameTitleIndex + 1. `none` writes 0.", field: func(o *builder.Object) any { return helpIndex{&o.ObjectHelpTitleIndex, &o.NoHelp} }},
		{name: "DetailLevel", form: detailForm, ownDoc: true, doc: "Default: the lowest level of the counters.", field: func(o *builder.Object) any { return num(&o.DetailLevel) }},
		{name: "DefaultCounter", form: integer("number", span{-1, math.MaxInt32}), doc: "The position or title index of a counter. Default: 0, and -1 if counter 0 is a base.", field: func(o *builder.Object) any { return opt(&o.DefaultCounter) }},
		{name: "NumInstances", form: instancesCountForm, ownDoc: true, doc: "Default: 0, which means that the number of instances is computed. PERF_NO_INSTANCES, -1, is for an object with values instead of instances. PERF_METADATA_MULTIPLE_INSTANCES, -2, and PERF_METADATA_NO_INSTANCES, -3, are for the response to a metadata query, which has no instances and no values.", field: func(o *builder.Object) any { return num(&o.NumInstances) }},
		{name: "CodePage", form: dwordForm, field: func(o *builder.Object) any { return num(&o.CodePage) }},
		{name: "PerfTime", form: clockForm, doc: "Default: PerfTime100nSec of the header if a counter requires the clock.", field: func(o *builder.Object) any { return num(&o.PerfTime) }},
		{name: "PerfFreq", form: clockForm, doc: "Default: 10000000 if a counter requires the clock.", field: func(o *builder.Object) any { return num(&o.PerfFreq) }},
		{name: "blockLength", form: dwordForm, doc: "ByteLength of every counter block, a multiple of 8. Default: the length that the values require.", field: func(o *builder.Object) any { return num(&o.BlockLength) }},
		{name: "duplicateNames", form: flagForm, doc: "Whether two instances may have the same name.", field: func(o *builder.Object) any { return &o.DuplicateNames }},
		{name: "counters", form: countersForm, doc: "The counters, in the order of their definitions.", field: func(o *builder.Object) any { return o }},
		{name: "instances", form: instancesForm, needs: []string{"CodePage", "counters"}, doc: "The instances, in the order of the block.", field: func(o *builder.Object) any { return o }},
		{name: "values", form: valuesForm, needs: []string{"counters"}, doc: "The values of an object with PERF_NO_INSTANCES.", field: func(o *builder.Object) any {
			return &valueList{counters: o.Counters, numbers: &o.Values, texts: &o.Texts}
		}},
	},
}

// A counterText is an item of the key counters: a counter, and whether its base follows.
type counterText struct {
	builder.Counter
	withBase bool
}

var counterMapping = mapping[counterText]{
	name: "counter", what: "a counter", record: &layout.PERF_COUNTER_DEFINITION,
	doc: "The definition of a counter, a PERF_COUNTER_DEFINITION. If the type requires a base, the base must be the next counter.",
	keys: []key[counterText]{
		{name: "CounterNameTitleIndex", form: dwordForm, field: func(c *counterText) any { return num(&c.CounterNameTitleIndex) }},
		{name: "CounterHelpTitleIndex", form: helpForm, doc: "Default: CounterNameTitleIndex + 1, and 0 if CounterNameTitleIndex is 0. `none` writes 0.", field: func(c *counterText) any { return helpIndex{&c.CounterHelpTitleIndex, &c.NoHelp} }},
		{name: "DefaultScale", form: integer("signed number", span{layout.MinScale, layout.MaxScale}), field: func(c *counterText) any { return num(&c.DefaultScale) }},
		{name: "DetailLevel", form: detailForm, doc: "Default: PERF_DETAIL_NOVICE, and 0 for a base.", field: func(c *counterText) any { return num(&c.DetailLevel) }},
		{name: "CounterType", form: typeForm, required: true, field: func(c *counterText) any { return num(&c.CounterType) }},
		{name: "CounterSize", form: dwordForm, doc: "Default: the size of the type, and for text the size of the longest value.", field: func(c *counterText) any { return num(&c.CounterSize) }},
		{name: "CounterOffset", form: dwordForm, doc: "Default: the next free offset after the previous counters, a multiple of 4, or of 8 for values of 8 bytes.", field: func(c *counterText) any { return num(&c.CounterOffset) }},
		{name: "withBase", form: flagForm, doc: "Adds the base that the type requires after this counter. In values, the value of the base follows the value of this counter.", field: func(c *counterText) any { return &c.withBase }},
	},
}

var countersForm = &form{
	name:   "list of counters",
	schema: listSchema(ref("counter")),
	read: func(n *yaml.Node, to any) error {
		o := to.(*builder.Object)
		return readEach(n, func(_ int, n *yaml.Node) error {
			var c counterText
			if err := counterMapping.read(n, &c); err != nil {
				return err
			}
			o.Define(c.Counter)
			if !c.withBase {
				return nil
			}
			base, ok := c.CounterType.Base()
			if !ok {
				return yamltext.On(yamltext.Child(n, "withBase"), "withBase: %v requires no base; write an optional base as a counter of its own", c.CounterType)
			}
			o.Define(builder.Counter{CounterType: base})
			return nil
		})
	},
	zero: func(from any) bool { return len(from.(*builder.Object).Counters) == 0 },
	write: func(w *writer, from any, indent string) error {
		var items []counterText
		for _, c := range from.(*builder.Object).Counters {
			if last := len(items) - 1; last >= 0 && !items[last].withBase {
				if base, ok := items[last].CounterType.Base(); ok && c == (builder.Counter{CounterType: base}) {
					items[last].withBase = true
					continue
				}
			}
			items = append(items, counterText{Counter: c})
		}
		return writeEach(w, len(items), indent, "counter", func(i int) error { return counterMapping.writeBraced(w, &items[i]) })
	},
}

// An instanceText is an instance and its object. nameField and valuesField return pointers to
// the fields name and values. One instanceText serves many instances, so these pointers cost no
// allocation.
type instanceText struct {
	*builder.Instance
	of     *builder.Object
	name   instanceName
	values valueList
}

func (in *instanceText) nameField() any {
	in.name = instanceName{&in.Name, in.of.CodePage}
	return &in.name
}

func (in *instanceText) valuesField() any {
	in.values = valueList{counters: in.of.Counters, numbers: &in.Values, texts: &in.Texts}
	return &in.values
}

var instanceMapping = mapping[instanceText]{
	name: "instance", what: "an instance", record: &layout.PERF_INSTANCE_DEFINITION,
	doc: "An instance with its values: a PERF_INSTANCE_DEFINITION and a PERF_COUNTER_BLOCK.",
	keys: []key[instanceText]{
		{name: "name", form: nameForm, doc: "The name of the instance. Default: no name; such an instance should have a UniqueID.", field: (*instanceText).nameField},
		{name: "ParentObjectTitleIndex", form: dwordForm, field: func(in *instanceText) any { return num(&in.ParentObjectTitleIndex) }},
		{name: "ParentObjectInstance", form: dwordForm, field: func(in *instanceText) any { return num(&in.ParentObjectInstance) }},
		{name: "UniqueID", form: longForm, doc: "Default: -1.", field: func(in *instanceText) any { return opt(&in.UniqueID) }},
		{name: "NameOffset", form: dwordForm, ownDoc: true, doc: offsetDoc(&layout.PERF_INSTANCE_DEFINITION), field: func(in *instanceText) any { return num(&in.NameOffset) }},
		{name: "ByteLength", form: dwordForm, doc: "Default: the length that the name requires.", field: func(in *instanceText) any { return num(&in.ByteLength) }},
		{name: "blockLength", form: dwordForm, doc: "ByteLength of this instance's counter block, a multiple of 8. Default: blockLength of the object.", field: func(in *instanceText) any { return num(&in.BlockLength) }},
		{name: "values", form: valuesForm, doc: "The values of the counters.", field: (*instanceText).valuesField},
	},
}

var instancesForm = instancesFormOf(&instanceMapping, func(o *builder.Object) (*[]builder.Instance, func(*builder.Instance) *instanceText) {
	one := instanceText{of: o}
	return &o.Instances, func(in *builder.Instance) *instanceText {
		one.Instance = in
		return &one
	}
})
