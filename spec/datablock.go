package spec

import (
	"fmt"
	"math"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

var dataBlockMapping = form.Mapping[builder.DataBlock]{
	What: "a data block", Record: &layout.PERF_DATA_BLOCK,
	Doc: "The block that a consumer gets: a PERF_DATA_BLOCK and objects.",
	Keys: []form.Key[builder.DataBlock]{
		{Name: "SystemName", Form: form.Text, Doc: "The name of the computer.", Field: func(d *builder.DataBlock) any { return &d.SystemName }},
		{Name: "SystemTime", Form: timeForm, Doc: "Default: PerfTime100nSec.", Field: func(d *builder.DataBlock) any { return &d.SystemTime }},
		{Name: "PerfTime", Form: clockForm, Field: func(d *builder.DataBlock) any { return form.Num(&d.PerfTime) }},
		{Name: "PerfFreq", Form: clockForm, Doc: "Default: 10000000.", Field: func(d *builder.DataBlock) any { return form.Num(&d.PerfFreq) }},
		{Name: "PerfTime100nSec", Form: clockForm, Doc: "Default: SystemTime. If there is no SystemTime, the default is the start of the year 2000.", Field: func(d *builder.DataBlock) any { return form.Num(&d.PerfTime100nSec) }},
		{Name: "DefaultObject", Form: longForm, Field: func(d *builder.DataBlock) any { return form.Num(&d.DefaultObject) }},
		{Name: "SystemNameOffset", Form: dwordForm, OwnDoc: true, Doc: offsetDoc(&layout.PERF_DATA_BLOCK), Field: func(d *builder.DataBlock) any { return form.Num(&d.SystemNameOffset) }},
		{Name: "HeaderLength", Form: dwordForm, Doc: "Default: the length that the name requires.", Field: func(d *builder.DataBlock) any { return form.Num(&d.HeaderLength) }},
		{Name: "objects", Form: objectsForm, Required: true, Doc: "The objects. [] is a block without objects.", Field: func(d *builder.DataBlock) any { return &d.Objects }},
	},
}

// offsetDoc returns the description of a key for the offset of a name. By default, the name follows the record r.
func offsetDoc(r *layout.Record) string {
	return fmt.Sprintf("The offset of the name. Default: %d, and 0 without a name.", r.Size)
}

var objectsMapping = form.Mapping[builder.Objects]{
	What: "a block of kind objects",
	Doc:  "The objects that a provider's Collect function writes, without a header.",
	Keys: []form.Key[builder.Objects]{
		{Name: "objects", Form: objectsForm, Required: true, Doc: "The objects.", Field: func(o *builder.Objects) any { return (*[]builder.Object)(o) }},
	},
}

var objectsForm = form.BlockList("objects", &objectMapping)

var objectMapping = form.Mapping[builder.Object]{
	Name: "object", What: "an object", Record: &layout.PERF_OBJECT_TYPE,
	Doc: "An object with its counters and instances, a PERF_OBJECT_TYPE.",
	Keys: []form.Key[builder.Object]{
		{Name: "name", Form: form.Text, Doc: "The name of the object in the title database. The block does not contain this name, but a dump made from the spec shows it.", Field: func(o *builder.Object) any { return &o.Name }},
		{Name: "ObjectNameTitleIndex", Form: dwordForm, Required: true, Field: func(o *builder.Object) any { return form.Num(&o.ObjectNameTitleIndex) }},
		{Name: "ObjectHelpTitleIndex", Form: helpForm, Doc: "Default: ObjectNameTitleIndex + 1. `none` writes 0.", Field: func(o *builder.Object) any { return helpIndex{&o.ObjectHelpTitleIndex, &o.NoHelp} }},
		{Name: "DetailLevel", Form: detailForm, OwnDoc: true, Doc: "Default: the lowest level of the counters.", Field: func(o *builder.Object) any { return form.Num(&o.DetailLevel) }},
		{Name: "DefaultCounter", Form: form.Integer("number", form.Span{Lo: -1, Hi: math.MaxInt32}), Doc: "The position or title index of a counter. Default: 0, and -1 if counter 0 is a base.", Field: func(o *builder.Object) any { return form.Opt(&o.DefaultCounter) }},
		{Name: "NumInstances", Form: instancesCountForm, OwnDoc: true, Doc: "Default: 0, which means that the number of instances is computed. PERF_NO_INSTANCES, -1, is for an object with values instead of instances. PERF_METADATA_MULTIPLE_INSTANCES, -2, and PERF_METADATA_NO_INSTANCES, -3, are for the response to a metadata query, which has no instances and no values.", Field: func(o *builder.Object) any { return form.Num(&o.NumInstances) }},
		{Name: "CodePage", Form: dwordForm, Field: func(o *builder.Object) any { return form.Num(&o.CodePage) }},
		{Name: "PerfTime", Form: clockForm, Doc: "Default: PerfTime100nSec of the header if a counter requires the clock.", Field: func(o *builder.Object) any { return form.Num(&o.PerfTime) }},
		{Name: "PerfFreq", Form: clockForm, Doc: "Default: 10000000 if a counter requires the clock.", Field: func(o *builder.Object) any { return form.Num(&o.PerfFreq) }},
		{Name: "blockLength", Form: dwordForm, Doc: "ByteLength of every counter block, a multiple of 8. Default: the length that the values require.", Field: func(o *builder.Object) any { return form.Num(&o.BlockLength) }},
		{Name: "duplicateNames", Form: form.Boolean, Doc: "Whether two instances may have the same name.", Field: func(o *builder.Object) any { return &o.DuplicateNames }},
		{Name: "counters", Form: countersForm, Doc: "The counters, in the order of their definitions.", Field: func(o *builder.Object) any { return o }},
		{Name: "instances", Form: instancesFormWithout(nil), Needs: []string{"CodePage", "counters"}, Without: instancesFormWithout, Doc: "The instances, in the order of the block.", Field: func(o *builder.Object) any { return o }},
		{Name: "values", Form: valuesForm, Needs: []string{"counters"}, Without: uncheckedValues, Doc: "The values of an object with PERF_NO_INSTANCES.", Field: func(o *builder.Object) any {
			return &valueList{counters: o.Counters, numbers: &o.Values, texts: &o.Texts}
		}},
	},
}

// A counterText is an item of the list "counters" in the text of a spec. If withBase is true, the item defines the
// counter and the base after it.
type counterText struct {
	builder.Counter
	withBase bool
}

var counterMapping = form.Mapping[counterText]{
	Name: "counter", What: "a counter", Record: &layout.PERF_COUNTER_DEFINITION,
	Doc: "The definition of a counter, a PERF_COUNTER_DEFINITION. If the type requires a base, the base must be the next counter.",
	Keys: []form.Key[counterText]{
		{Name: "name", Form: form.Text, Doc: "The name of the counter in the title database. The block does not contain this name, but a dump made from the spec shows it.", Field: func(c *counterText) any { return &c.Name }},
		{Name: "CounterNameTitleIndex", Form: dwordForm, Field: func(c *counterText) any { return form.Num(&c.CounterNameTitleIndex) }},
		{Name: "CounterHelpTitleIndex", Form: helpForm, Doc: "Default: CounterNameTitleIndex + 1, and 0 if CounterNameTitleIndex is 0. `none` writes 0.", Field: func(c *counterText) any { return helpIndex{&c.CounterHelpTitleIndex, &c.NoHelp} }},
		{Name: "DefaultScale", Form: form.Integer("signed number", form.Span{Lo: layout.MinScale, Hi: layout.MaxScale}), Field: func(c *counterText) any { return form.Num(&c.DefaultScale) }},
		{Name: "DetailLevel", Form: detailForm, Doc: "Default: PERF_DETAIL_NOVICE, and 0 for a base.", Field: func(c *counterText) any { return form.Num(&c.DetailLevel) }},
		{Name: "CounterType", Form: typeForm, Required: true, Field: func(c *counterText) any { return form.Num(&c.CounterType) }},
		{Name: "CounterSize", Form: dwordForm, Doc: "Default: the size of the type, and for text the size of the longest value.", Field: func(c *counterText) any { return form.Num(&c.CounterSize) }},
		{Name: "CounterOffset", Form: dwordForm, Doc: "Default: the next free offset after the previous counters, aligned to 4 bytes, or to 8 bytes for a value of 8 bytes.", Field: func(c *counterText) any { return form.Num(&c.CounterOffset) }},
		{Name: "withBase", Form: form.Boolean, Doc: "Adds the base that the type requires after this counter. In values, the value of the base follows the value of this counter.", Field: func(c *counterText) any { return &c.withBase }},
	},
}

var countersForm = &form.Form{
	Name:   "list of counters",
	Schema: form.ListSchema(form.Ref("counter")),
	Read: func(n *yaml.Node, to any) error {
		o := to.(*builder.Object)
		return form.ReadEach(n, func(_ int, n *yaml.Node) error {
			var c counterText
			if err := counterMapping.Read(n, &c); err != nil {
				return err
			}
			o.Define(c.Counter)
			if !c.withBase {
				return nil
			}
			base, ok := c.CounterType.Base()
			if !ok {
				return yamltext.On(yamltext.Child(n, "withBase"), "withBase: is not allowed, because %v does not require a base; write an optional base as a separate counter", c.CounterType)
			}
			o.Define(builder.Counter{CounterType: base})
			return nil
		})
	},
	Zero: func(from any) bool { return len(from.(*builder.Object).Counters) == 0 },
	Write: func(w *form.Writer, from any, indent string) error {
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
		return form.WriteEach(w, len(items), indent, "counter", func(i int) error { return counterMapping.WriteBraced(w, &items[i]) })
	},
}

// An instanceText is an instance with its object. One instanceText is used for many instances, to save allocations.
type instanceText struct {
	*builder.Instance
	of     *builder.Object
	faulty []string     // the keys of the object that have a fault
	name   instanceName // for nameField, which returns a pointer
	values valueList    // for valuesField
}

func (in *instanceText) nameField() any {
	in.name = instanceName{&in.Name, in.of.CodePage, slices.Contains(in.faulty, "CodePage")}
	return &in.name
}

func (in *instanceText) valuesField() any {
	in.values = valueList{counters: in.of.Counters, unchecked: slices.Contains(in.faulty, "counters"), numbers: &in.Values, texts: &in.Texts}
	return &in.values
}

var instanceMapping = form.Mapping[instanceText]{
	Name: "instance", What: "an instance", Record: &layout.PERF_INSTANCE_DEFINITION,
	Doc: "An instance with its values: a PERF_INSTANCE_DEFINITION and a PERF_COUNTER_BLOCK.",
	Keys: []form.Key[instanceText]{
		{Name: "name", Form: nameForm, Doc: "The name of the instance. Default: no name; such an instance should have a UniqueID.", Field: (*instanceText).nameField},
		{Name: "ParentObjectTitleIndex", Form: dwordForm, Field: func(in *instanceText) any { return form.Num(&in.ParentObjectTitleIndex) }},
		{Name: "ParentObjectInstance", Form: dwordForm, Field: func(in *instanceText) any { return form.Num(&in.ParentObjectInstance) }},
		{Name: "UniqueID", Form: longForm, Doc: "Default: -1.", Field: func(in *instanceText) any { return form.Opt(&in.UniqueID) }},
		{Name: "NameOffset", Form: dwordForm, OwnDoc: true, Doc: offsetDoc(&layout.PERF_INSTANCE_DEFINITION), Field: func(in *instanceText) any { return form.Num(&in.NameOffset) }},
		{Name: "ByteLength", Form: dwordForm, Doc: "Default: the length that the name requires.", Field: func(in *instanceText) any { return form.Num(&in.ByteLength) }},
		{Name: "blockLength", Form: dwordForm, Doc: "ByteLength of this instance's counter block, a multiple of 8. Default: blockLength of the object.", Field: func(in *instanceText) any { return form.Num(&in.BlockLength) }},
		{Name: "values", Form: valuesForm, Doc: "The values of the counters.", Field: (*instanceText).valuesField},
	},
}

// instancesFormWithout returns the form of the instances of an object. The keys in faulty are keys of the object that
// have a fault.
func instancesFormWithout(faulty []string) *form.Form {
	return instancesFormOf(&instanceMapping, func(o *builder.Object) (*[]builder.Instance, func(*builder.Instance) *instanceText) {
		one := instanceText{of: o, faulty: faulty}
		return &o.Instances, func(in *builder.Instance) *instanceText {
			one.Instance = in
			return &one
		}
	})
}
