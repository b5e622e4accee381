package fuzz_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (c census) result(r *builder.Result) {
	c.see("ShortIDs and values", r.ShortIDs && r.Type == layout.PERF_MULTIPLE_COUNTERS)
	c.see("ShortIDs and instances", r.ShortIDs && len(r.Instances) > 0)
	c.see("ShortIDs and no instances", r.ShortIDs && r.Type == layout.PERF_COUNTERSET && len(r.Instances) == 0)
	c.see("an odd number of ids as usual", !r.ShortIDs && r.Type == layout.PERF_COUNTERSET && len(r.Counters)%2 == 1)
	c.see("no ids and no values", r.Type == layout.PERF_MULTIPLE_COUNTERS && len(r.Counters) == 0)
	c.see("instances without values", len(r.Instances) > 0 && len(r.Counters) == 0)
	c.see("as many instances as there may be", len(r.Instances) == 6)
	for t := range numbered[layout.PerfCounterDataType] {
		c.see(fmt.Sprintf("%v, status 0", t), r.Type == t && r.Status == 0)
		c.see(fmt.Sprintf("%v with a status", t), r.Type == t && r.Status != 0)
		if t == layout.PERF_ERROR_RETURN {
			continue // which has no counters
		}
		for _, k := range r.Counters {
			c.see(fmt.Sprintf("%v of 4 bytes", t), r.Type == t && k.Size == 4)
			c.see(fmt.Sprintf("%v of 8 bytes", t), r.Type == t && k.Size == 0 && !k.Bytes)
			c.see(fmt.Sprintf("%v of any bytes", t), r.Type == t && k.Bytes)
		}
	}
	for i, k := range r.Counters {
		c.see("two counters of one id", i > 0 && k.CounterId == r.Counters[i-1].CounterId && k.CounterId != 0)
		c.see("the largest id", k.CounterId == layout.PERF_WILDCARD_COUNTER-1)
	}
	c.texts(r.Texts)
	for i, in := range r.Instances {
		c.named(in.Name, in.Size)
		c.texts(in.Texts)
		c.see("two instances of one name and id", i > 0 && in.Name == r.Instances[i-1].Name && in.InstanceId == r.Instances[i-1].InstanceId)
		c.see("an id that asks for all", in.InstanceId == 0xFFFFFFFF)
		for _, v := range in.Values {
			c.see("the largest value of 32 bits", v == 1<<32-1)
			c.see("the largest value of 64 bits", v == 1<<64-1)
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

func (c census) list(list builder.InstanceList) {
	c.see("as many instances as there may be", len(list) == 6)
	for _, in := range list {
		c.named(in.Name, in.Size)
	}
}

func (c census) identifiers(ids builder.Identifiers) {
	c.see("as many as there may be", len(ids) == 4)
	for _, id := range ids {
		c.named(id.Name, id.Size)
		c.see("all counters", id.CounterId == layout.PERF_WILDCARD_COUNTER)
		c.see("one counter", id.CounterId != layout.PERF_WILDCARD_COUNTER)
		c.see("all instances", id.Name == layout.PERF_WILDCARD_INSTANCE)
		c.see("an instance of the aggregate", id.Name == layout.PERF_AGGREGATE_INSTANCE)
	}
}
