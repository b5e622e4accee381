package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestEverySetCaseIsMade is TestEveryCaseIsMade for registrations and what providers make.
func TestEverySetCaseIsMade(t *testing.T) {
	t.Parallel()
	c := census{}
	for typ := range layout.CounterTypes() {
		c.see(fmt.Sprintf("%v registered", typ), false)
		c.see(fmt.Sprintf("%v in a template", typ), false)
	}
	for seed := range uint64(seeds) {
		s := func() *fuzz.Source { return fuzz.Seed(seed) }
		c.regSet(fuzz.RegSet(s(), fuzz.Config{}))
		c.template(fuzz.SetTemplate(s(), fuzz.Config{}))
		c.strings(fuzz.Strings(s(), fuzz.Config{}))
		in, ids, text := fuzz.SetInstance(s(), fuzz.Config{}), fuzz.GUIDs(s(), fuzz.Config{}), fuzz.RegString(s(), fuzz.Config{})
		c.see("an instance without values", len(in.Values) == 0)
		c.see("an instance of 10 values", len(in.Values) == 10)
		c.see("an instance of a provider without a name", in.Name == "")
		for residue := 0; residue < 8; residue += 2 {
			c.see(fmt.Sprintf("one with a name of %d bytes past 8", residue), in.Name != "" && layout.UTF16Len(in.Name+"\x00")%8 == residue)
		}
		c.see("no GUIDs", len(ids) == 0)
		c.see("4 GUIDs", len(ids) == 4)
		c.see("two GUIDs that are one", len(ids) > 1 && ids[0] == ids[1])
		c.see("no text", text == "")
		c.see("a text", text != "")
	}
	for what, n := range c {
		if n < 5 {
			t.Errorf("%s came up %d times in %d", what, n, seeds)
		}
	}
	t.Logf("%d cases, all made", len(c))
}

func (c census) regSet(s builder.RegSet) {
	for _, typ := range []layout.InstanceType{0, 2, 4, 6, 12, 22} {
		c.see(fmt.Sprintf("a registration of %v", typ), s.InstanceType == typ)
	}
	c.see("DetailLevel of a set", s.DetailLevel != 0)
	c.see("a set without counters", len(s.Counters) == 0)
	at := map[uint32]int{}
	for i, k := range s.Counters {
		at[k.CounterId] = i
	}
	for i, k := range s.Counters {
		c.typed("registered", k.Type)
		c.attrib(k.Attrib)
		c.see("DetailLevel of a counter", k.DetailLevel != 0)
		c.see("scale -10", k.DefaultScale == -10)
		c.see("scale 10", k.DefaultScale == 10)
		c.see("id 0", k.CounterId == 0)
		c.see("the largest id", k.CounterId == layout.PERF_WILDCARD_COUNTER-1)
		for f := range layout.AggregateFunc(5) {
			c.see(f.String(), k.AggregateFunc == f)
		}
		for name, id := range map[string]*uint32{"base": k.BaseCounterId, "time": k.PerfTimeId, "frequency": k.PerfFreqId, "items": k.MultiId} {
			c.see("no "+name, id == nil)
			c.see("a reference to 0", id != nil && *id == 0)
			c.see("a "+name+" behind its counter", id != nil && at[*id] > i)
			c.see("a "+name+" before it", id != nil && at[*id] < i)
		}
		c.see("a base that the type does not use", k.BaseCounterId != nil && !k.Type.NeedsBase())
		c.see("a multi timer with a base", k.BaseCounterId != nil && k.Type == layout.PERF_COUNTER_MULTI_TIMER_INV)
		c.see("a multi timer without one", k.BaseCounterId == nil && k.Type == layout.PERF_COUNTER_MULTI_TIMER_INV)
		c.see("one clock for both", k.PerfTimeId != nil && k.PerfFreqId != nil && *k.PerfTimeId == *k.PerfFreqId)
		c.see("two clocks", k.PerfTimeId != nil && k.PerfFreqId != nil && *k.PerfTimeId != *k.PerfFreqId)
		c.see("half a clock", k.PerfTimeId != nil && k.PerfFreqId == nil)
	}
}

func (c census) template(s builder.SetTemplate) {
	c.see("a template of one counter", len(s.Counters) == 1)
	c.see("a template of 10", len(s.Counters) == 10)
	for _, k := range s.Counters {
		c.typed("in a template", k.Type)
		c.attrib(k.Attrib)
		c.see("Size", k.Size != 0)
		c.see("Size 32", k.Size == 32)
		c.see("Offset", k.Offset != 0)
		c.see("Scale", k.Scale != 0)
	}
}

func (c census) typed(where string, t layout.CounterType) {
	if t.Predefined() {
		c.see(fmt.Sprintf("%v %s", t, where), true)
	}
	c.see("a type without a name, "+where, !t.Predefined())
}

func (c census) attrib(a layout.Attrib) {
	for bit := range 5 {
		c.see(layout.Attrib(1<<bit).String(), a&(1<<bit) != 0)
	}
	c.see("no attributes", a == 0)
}

func (c census) strings(s builder.Strings) {
	c.see("FromEntries", s.FromEntries)
	c.see("no strings", len(s.Entries) == 0)
	none := len(s.Entries) > 0
	for i, e := range s.Entries {
		none = none && e.None
		c.see("None", e.None)
		c.see("None after a text", e.None && i > 0 && !s.Entries[i-1].None)
		c.see("an empty text", !e.None && e.Text == "")
		c.see("two strings of one id", i > 0 && e.CounterId == s.Entries[i-1].CounterId)
	}
	c.see("None alone", none)
	n, err := s.EncodedLen()
	c.see("strings", err == nil && n > 8)
}

// A Config bounds what is made, and a spent source makes the plainest.
func TestSetConfig(t *testing.T) {
	t.Parallel()
	c := fuzz.Config{MaxObjects: 2, MaxCounters: 3, MaxInstances: 9, MaxText: 2}
	for seed := range uint64(400) {
		set, template, texts := fuzz.RegSet(fuzz.Seed(seed), c), fuzz.SetTemplate(fuzz.Seed(seed), c), fuzz.Strings(fuzz.Seed(seed), c)
		in, ids := fuzz.SetInstance(fuzz.Seed(seed), c), fuzz.GUIDs(fuzz.Seed(seed), c)
		if len(set.Counters) > 3*5 || len(template.Counters) > 3 || len(texts.Entries) > 3 || len(in.Values) > 3 || len(ids) > 2 {
			t.Fatalf("%d, %d, %d, %d and %d", len(set.Counters), len(template.Counters), len(texts.Entries), len(in.Values), len(ids))
		}
	}
	for _, kind := range perflibKinds {
		plain, err := fuzz.Model(kind, fuzz.FromBytes(nil), fuzz.Config{}).EncodedLen()
		fatal(t, err)
		if plain > 48+40 {
			t.Errorf("no bytes made a %v of %d", kind, plain)
		}
	}
	if m := fuzz.Model(layout.Kind(len(layout.Kinds())), fuzz.Seed(1), c); m != nil {
		t.Errorf("%v is of no kind", m)
	}
}
