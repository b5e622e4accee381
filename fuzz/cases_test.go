package fuzz_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A census counts cases of one thing that several fields make.
type census struct {
	*coverage
	of string
}

func (c census) see(what string, seen bool) { c.coverage.see(c.of, what, seen) }

// cases counts those of a model.
func (c *coverage) cases(m builder.Model) {
	switch m := m.(type) {
	case *builder.DataBlock:
		census{c, "data block"}.header(m)
		for i := range m.Objects {
			census{c, "object"}.object(&m.Objects[i], m.Objects)
		}
	case *builder.QueryData:
		census{c, "query data"}.clock(m.SystemTime)
		for i := range m.Results {
			census{c, "answer"}.result(&m.Results[i])
		}
	case *builder.InstanceList:
		census{c, "instance list"}.list(*m)
	case *builder.Identifiers:
		census{c, "identifiers"}.identifiers(*m)
	case *builder.CounterSetRegInfo:
		census{c, "registration"}.regSet(m)
	case *builder.CounterSetInfo:
		census{c, "template"}.template(m)
	case *builder.StringBuffer:
		census{c, "strings"}.strings(m)
	case *builder.GUIDs:
		census{c, "GUIDs"}.see("two that are one", len(*m) > 1 && (*m)[0] == (*m)[1])
	case *builder.CounterSetInstance:
		census{c, "instance of a provider"}.named(m.Name, 0)
	}
}

func (c census) header(d *builder.DataBlock) {
	c.clock(d.SystemTime)
	c.see("DefaultObject below 0", d.DefaultObject < 0)
	c.see("two objects of one title", len(d.Objects) > 1 && d.Objects[0].ObjectNameTitleIndex == d.Objects[1].ObjectNameTitleIndex)
	c.see("as many objects as there may be", len(d.Objects) == 4)
}

func (c census) clock(at layout.SystemTime) {
	_, err := at.Time()
	c.see("a date that no calendar has", at != layout.SystemTime{} && err != nil)
	c.see("a SystemTime that is not computed, of a calendar", at != layout.SystemTime{} && err == nil)
}

func (c census) object(o *builder.Object, all []builder.Object) {
	c.see("DefaultCounter -1", o.DefaultCounter != nil && *o.DefaultCounter == -1)
	c.see("DefaultCounter above 0", o.DefaultCounter != nil && *o.DefaultCounter > 0)
	c.see("no counters", len(o.Counters) == 0)
	c.see("as many instances as there may be", len(o.Instances) == 6)
	places := map[uint32]int{}
	for i, k := range o.Counters {
		places[k.CounterOffset]++
		c.see("CounterSize of a number", k.CounterSize == 4 || k.CounterSize == 8)
		c.see("CounterSize of a text", k.CounterType.IsText() && k.CounterSize > 0)
		c.see("CounterOffset off 4", k.CounterOffset%4 != 0)
		c.see("a base with a title", k.CounterType.IsBase() && k.CounterNameTitleIndex != 0)
		c.see("a base without one", k.CounterType.IsBase() && k.CounterNameTitleIndex == 0)
		c.see("a base of a sample counter", i > 0 && k.CounterType.IsBase() && o.Counters[i-1].CounterType == layout.PERF_SAMPLE_COUNTER)
		c.see("two counters that are given one place", k.CounterOffset != 0 && places[k.CounterOffset] > 1)
	}
	for i := range o.Instances {
		c.instance(&o.Instances[i], o, all)
	}
}

func (c census) instance(in *builder.Instance, o *builder.Object, all []builder.Object) {
	c.see("a name that is not ASCII", layout.UTF16Len(in.Name) != 2*len(in.Name) && o.CodePage == 0)
	c.see("a name of a code page", in.Name != "" && o.CodePage != 0)
	c.see("UniqueID 0", in.UniqueID != nil && *in.UniqueID == 0)
	c.see("neither a name nor a UniqueID", in.UniqueID == nil && in.Name == "")
	c.see("NameOffset with a name", in.NameOffset != 0 && in.Name != "")
	c.see("NameOffset without a name", in.NameOffset != 0 && in.Name == "")
	c.see("a stray parent position", in.ParentObjectTitleIndex == 0 && in.ParentObjectInstance != 0)
	here := false
	for i := range all {
		here = here || in.ParentObjectTitleIndex != 0 && all[i].ObjectNameTitleIndex == in.ParentObjectTitleIndex
	}
	c.see("a parent in the block", here)
	c.see("a parent elsewhere", in.ParentObjectTitleIndex != 0 && !here)
	if o.CodePage == 0 {
		c.residues(in.Name)
	}
}

// residues counts what is left of a name with its NUL when it is cut into pieces of 8
// bytes, which decides how much padding there is.
func (c census) residues(name string) {
	for n := 0; n < 8; n += 2 {
		c.see(fmt.Sprintf("a name of %d bytes past 8", n), name != "" && layout.UTF16Len(name+"\x00")%8 == n)
	}
}

func (c census) named(name string, size uint32) {
	c.see("no name", name == "")
	c.see("a name that is not ASCII", layout.UTF16Len(name) != 2*len(name))
	c.residues(name)
	if c.of != "instance of a provider" {
		c.see("a Size without a name", name == "" && size != 0)
		c.see("a Size with a name", name != "" && size != 0)
	}
}
