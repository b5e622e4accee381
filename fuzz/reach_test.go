package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// A census counts what blocks show, under names of its own.
type census map[string]int

func (c census) see(what string, seen bool) {
	if seen {
		c[what]++
	} else if _, known := c[what]; !known {
		c[what] = 0
	}
}

// TestEveryCaseIsMade holds the generator to its promise: every type, every case
// of NumInstances and every field that can be given comes up.
func TestEveryCaseIsMade(t *testing.T) {
	t.Parallel()
	c := census{}
	for typ := range layout.CounterTypes() {
		c.see(typ.String(), false)
	}
	for seed := range uint64(seeds) {
		d := fuzz.DataBlock(fuzz.Seed(seed), fuzz.Config{})
		c.header(d)
		for _, o := range d.Objects {
			c.object(o, d.Objects)
		}
	}
	for what, n := range c {
		if n < 5 {
			t.Errorf("%s came up %d times in %d blocks", what, n, seeds)
		}
	}
	t.Logf("%d cases, all made", len(c))
}

func (c census) header(d builder.DataBlock) {
	c.see("no system name", d.SystemName == "")
	c.see("a system name", d.SystemName != "")
	c.see("SystemNameOffset", d.SystemNameOffset != 0)
	c.see("HeaderLength", d.HeaderLength != 0)
	c.see("SystemTime", d.SystemTime != layout.SystemTime{})
	_, err := d.SystemTime.Time()
	c.see("a date that no calendar has", d.SystemTime != layout.SystemTime{} && err != nil)
	c.see("no PerfTime100nSec", d.PerfTime100nSec == 0)
	c.see("PerfFreq", d.PerfFreq != 0)
	c.see("DefaultObject below 0", d.DefaultObject < 0)
	for n := range 5 {
		c.see(fmt.Sprintf("%d objects", n), len(d.Objects) == n)
	}
}

func (c census) object(o builder.Object, all []builder.Object) {
	c.see("NoHelp of an object", o.NoHelp)
	c.see("a help index of an object", o.ObjectHelpTitleIndex != 0)
	c.see("DetailLevel of an object", o.DetailLevel != 0)
	c.see("DefaultCounter -1", o.DefaultCounter != nil && *o.DefaultCounter == -1)
	c.see("DefaultCounter", o.DefaultCounter != nil && *o.DefaultCounter > 0)
	c.see("BlockLength", o.BlockLength != 0)
	c.see("CodePage", o.CodePage != 0)
	c.see("PerfTime of an object", o.PerfTime != 0)
	c.see("DuplicateNames", o.DuplicateNames)
	c.see("no counters", len(o.Counters) == 0)
	for n := range int32(4) {
		c.see(fmt.Sprintf("NumInstances %d", -n), o.NumInstances == -n && len(o.Instances) == 0)
	}
	for n := 1; n <= 6; n++ {
		c.see(fmt.Sprintf("%d instances", n), len(o.Instances) == n)
	}
	places := map[uint32]int{}
	for i, k := range o.Counters {
		c.see(k.CounterType.String(), true)
		c.see("a type without a name", !k.CounterType.Predefined())
		c.see("NoHelp of a counter", k.NoHelp)
		c.see("a help index of a counter", k.CounterHelpTitleIndex != 0)
		c.see("CounterSize of a number", k.CounterSize == 4 || k.CounterSize == 8)
		c.see("CounterSize of a text", k.CounterType.IsText() && k.CounterSize > 0)
		c.see("CounterOffset", k.CounterOffset != 0)
		c.see("CounterOffset off 4", k.CounterOffset%4 != 0)
		c.see("a base with a title", k.CounterType.IsBase() && k.CounterNameTitleIndex != 0)
		c.see("a base of a sample counter", i > 0 && k.CounterType.IsBase() && o.Counters[i-1].CounterType == layout.PERF_SAMPLE_COUNTER)
		places[k.CounterOffset]++
		c.see("two counters that are given one place", k.CounterOffset != 0 && places[k.CounterOffset] > 1)
	}
	for _, in := range o.Instances {
		c.see("no name", in.Name == "")
		c.see("a name that is not ASCII", layout.UTF16Len(in.Name) != 2*len(in.Name) && o.CodePage == 0)
		c.see("UniqueID 0", in.UniqueID != nil && *in.UniqueID == 0)
		c.see("NameOffset", in.NameOffset != 0 && in.Name != "")
		c.see("NameOffset without a name", in.NameOffset != 0 && in.Name == "")
		c.see("ByteLength", in.ByteLength != 0)
		c.see("BlockLength of one instance", in.BlockLength != 0)
		c.see("a stray parent position", in.ParentObjectTitleIndex == 0 && in.ParentObjectInstance != 0)
		c.see("texts", len(in.Texts) > 0)
		here := false
		for _, p := range all {
			here = here || in.ParentObjectTitleIndex != 0 && p.ObjectNameTitleIndex == in.ParentObjectTitleIndex
		}
		c.see("a parent in the block", here)
		c.see("a parent elsewhere", in.ParentObjectTitleIndex != 0 && !here)
		for residue := 0; residue < 8; residue += 2 {
			c.see(fmt.Sprintf("a name of %d bytes past 8", residue), o.CodePage == 0 && in.Name != "" && layout.UTF16Len(in.Name+"\x00")%8 == residue)
		}
	}
}

// A Config bounds what is made, and long input makes large blocks within it.
func TestConfig(t *testing.T) {
	t.Parallel()
	c := fuzz.Config{MaxObjects: 9, MaxCounters: 3, MaxInstances: 40, MaxText: 2}
	most := 0
	for seed := range uint64(400) {
		d := fuzz.DataBlock(fuzz.Seed(seed), c)
		if len(d.Objects) > 9 {
			t.Fatalf("%d objects", len(d.Objects))
		}
		for _, o := range d.Objects {
			most = max(most, len(o.Instances))
			if len(o.Counters) > 2*3 || len(o.Instances) > 40 {
				t.Fatalf("%d counters, %d instances", len(o.Counters), len(o.Instances))
			}
		}
	}
	if most < 20 {
		t.Errorf("at the most %d instances of 40", most)
	}
}
