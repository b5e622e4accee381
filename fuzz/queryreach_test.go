package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestEveryQueryCaseIsMade is TestEveryCaseIsMade for what perflib.h describes.
func TestEveryQueryCaseIsMade(t *testing.T) {
	t.Parallel()
	c := census{}
	for seed := range uint64(seeds) {
		q := fuzz.QueryData(fuzz.Seed(seed), fuzz.Config{})
		c.see("PerfFreq", q.PerfFreq != 0)
		c.see("SystemTime", q.SystemTime != layout.SystemTime{})
		_, err := q.SystemTime.Time()
		c.see("a date that no calendar has", q.SystemTime != layout.SystemTime{} && err != nil)
		c.see("no PerfTime100NSec", q.PerfTime100NSec == 0)
		for n := range 5 {
			c.see(fmt.Sprintf("%d answers", n), len(q.Results) == n)
		}
		for _, r := range q.Results {
			c.result(r)
		}
		c.lists(fuzz.InstanceList(fuzz.Seed(seed), fuzz.Config{}), fuzz.Identifiers(fuzz.Seed(seed), fuzz.Config{}))
	}
	for what, n := range c {
		if n < 5 {
			t.Errorf("%s came up %d times in %d", what, n, seeds)
		}
	}
	t.Logf("%d cases, all made", len(c))
}

func (c census) result(r builder.Result) {
	c.see(fmt.Sprintf("%v, status 0", r.Type), r.Status == 0)
	c.see(fmt.Sprintf("%v with a status", r.Type), r.Status != 0)
	c.see("ShortIDs and values", r.ShortIDs && r.Type == layout.PERF_MULTIPLE_COUNTERS)
	c.see("ShortIDs and instances", r.ShortIDs && len(r.Instances) > 0)
	c.see("ShortIDs and no instances", r.ShortIDs && r.Type == layout.PERF_COUNTERSET && len(r.Instances) == 0)
	c.see("an odd number of ids as usual", !r.ShortIDs && r.Type == layout.PERF_COUNTERSET && len(r.Counters)%2 == 1)
	c.see("no ids and no values", r.Type == layout.PERF_MULTIPLE_COUNTERS && len(r.Counters) == 0)
	c.see("instances without values", len(r.Instances) > 0 && len(r.Counters) == 0)
	for n := range 7 {
		c.see(fmt.Sprintf("%d instances", n), len(r.Instances) == n)
	}
	for i, k := range r.Counters {
		c.see(fmt.Sprintf("%v of 4 bytes", r.Type), k.Size == 4)
		c.see(fmt.Sprintf("%v of 8 bytes", r.Type), k.Size == 0 && !k.Bytes)
		c.see(fmt.Sprintf("%v of any bytes", r.Type), k.Bytes)
		c.see("two counters of one id", i > 0 && k.CounterId == r.Counters[i-1].CounterId && k.CounterId != 0)
		c.see("the largest id", k.CounterId == layout.PERF_WILDCARD_COUNTER-1)
	}
	c.texts(r.Texts)
	for i, in := range r.Instances {
		c.named("instance", in.Name, in.Size)
		c.texts(in.Texts)
		c.see("two instances of one name and id", i > 0 && in.Name == r.Instances[i-1].Name && in.InstanceId == r.Instances[i-1].InstanceId)
		c.see("an id that asks for all", in.InstanceId == 0xFFFFFFFF)
		for _, v := range in.Values {
			c.see("a value of 32 bits", v == 1<<32-1)
			c.see("a value of 64 bits", v == 1<<64-1)
		}
	}
}

func (c census) texts(texts []string) {
	for _, s := range texts {
		for _, n := range []int{0, 1, 4, 7, 8, 9} {
			c.see(fmt.Sprintf("a value of %d of any bytes", n), len(s) == n)
		}
	}
}

func (c census) named(what, name string, size uint32) {
	c.see(what+" without a name", name == "" && size == 0)
	c.see(what+" without a name, of a Size", name == "" && size != 0)
	c.see(what+" of a Size", name != "" && size != 0)
	for residue := 0; residue < 8; residue += 2 {
		c.see(fmt.Sprintf("%s with a name of %d bytes past 8", what, residue), name != "" && layout.UTF16Len(name+"\x00")%8 == residue)
	}
}

func (c census) lists(list builder.InstanceList, ids builder.Identifiers) {
	c.see("no list", len(list) == 0)
	c.see("the longest list", len(list) == 6)
	for _, in := range list {
		c.named("listed instance", in.Name, in.Size)
	}
	c.see("no identifiers", len(ids) == 0)
	c.see("the most identifiers", len(ids) == 4)
	for _, id := range ids {
		c.named("identifier", id.Name, id.Size)
		c.see("a status", id.Status != 0)
		c.see("an Index", id.Index != 0)
		c.see("all counters", id.CounterId == layout.PERF_WILDCARD_COUNTER)
		c.see("one counter", id.CounterId != layout.PERF_WILDCARD_COUNTER)
		c.see("all instances", id.Name == layout.PERF_WILDCARD_INSTANCE)
	}
}

// A Config bounds what is made, and a spent source makes the plainest.
func TestQueryConfig(t *testing.T) {
	t.Parallel()
	c := fuzz.Config{MaxObjects: 2, MaxCounters: 3, MaxInstances: 9, MaxText: 2}
	for seed := range uint64(400) {
		q, list, ids := fuzz.QueryData(fuzz.Seed(seed), c), fuzz.InstanceList(fuzz.Seed(seed), c), fuzz.Identifiers(fuzz.Seed(seed), c)
		if len(q.Results) > 2 || len(list) > 9 || len(ids) > 2 {
			t.Fatalf("%d answers, %d instances, %d identifiers", len(q.Results), len(list), len(ids))
		}
		for _, r := range q.Results {
			if len(r.Counters) > 3 || len(r.Instances) > 9 {
				t.Fatalf("%d counters, %d instances", len(r.Counters), len(r.Instances))
			}
		}
	}
	if q := fuzz.QueryData(fuzz.FromBytes(nil), fuzz.Config{}); q.Results != nil || q.PerfTimeStamp != 0 {
		t.Errorf("no bytes made %+v", q)
	}
}
