package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// The functions of this file choose records in the block of a Base. The kind of the block belongs to V2, such as query data.

// encodeOrTake encodes a model that has no fault. With a Base, it copies the block of the Base instead.
func (f *faultyBlock) encodeOrTake(m builder.Model) *faultyBlock {
	if f.base == nil {
		return f.encodeValid(m)
	}
	f.takeCopy(m.Kind())
	return f
}

// takeCopy copies the block of f.base into the current block and returns a copy of the model. The block must be of the
// given kind.
func (f *faultyBlock) takeCopy(kind layout.Kind) builder.Model {
	m, err := builder.NewModel(kind)
	if err != nil || f.base.model.Kind() != kind {
		f.endAttempt("a block of kind %v", kind)
	}
	if err := m.UnmarshalBinary(f.base.block); err != nil {
		f.endAttempt("a block that decodes: %v", err)
	}
	f.take(m)
	return m
}

// baseQuery returns the model of f.base. It calls endAttempt if the block is not query data.
func (f *faultyBlock) baseQuery() *builder.QueryData {
	q, is := f.base.model.(*builder.QueryData)
	if !is {
		f.endAttempt("a block of kind %v", layout.QueryDataKind)
	}
	return q
}

// resultOfBase chooses a result of f.base with the given type, and returns the result. If the type has a list of ids,
// the result has at least min(counters, 2) ids. If the type has a list of instances, the result has at least
// min(instances, 1) instances.
func (f *faultyBlock) resultOfBase(t layout.PerfCounterDataType, counters, instances int) *builder.Result {
	q := f.baseQuery()
	f.chosen["result"] = f.oneOf(len(q.Results), func(i int) bool {
		r := &q.Results[i]
		return r.Type == t && (!listsIDs(t) || len(r.Counters) >= min(counters, 2)) && (!listsInstances(t) || len(r.Instances) >= min(instances, 1))
	}, missingRecord{"a result of type", t.String()})
	return &q.Results[f.chosen["result"]]
}

// useResult copies the query data of f.base into the current block. resultOfBase has already chosen the result.
func (f *faultyBlock) useResult() *faultyBlock {
	q := f.takeCopy(layout.QueryDataKind).(*builder.QueryData)
	i := f.chosen["result"]
	f.chooseIn(&q.Results[i], i)
	return f
}

// instancesOfBase returns all instances of f.base if f.base is an instance list. Otherwise it chooses a result and
// returns all instances of this result. If there are fewer than n instances, it ends the attempt.
func (f *faultyBlock) instancesOfBase(n int) (all builder.InstanceList) {
	if list, is := f.base.model.(*builder.InstanceList); is {
		all = slices.Clone(*list)
	} else {
		q := f.baseQuery()
		f.chosen["result"] = f.oneOf(len(q.Results), func(i int) bool { return len(q.Results[i].Instances) >= n }, missingRecord{what: fmt.Sprintf("%d instances", n)})
		for _, in := range q.Results[f.chosen["result"]].Instances {
			all = append(all, builder.InstanceHeader{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
		}
	}
	if len(all) < n {
		f.endAttempt("%d instances", n)
	}
	return all
}

// setOfBase copies the registration of f.base into the current block. It finds a counter that sets the same reference
// fields as c, such as MultiId, and stores the position of this counter in f.chosen. It ends the attempt if no counter
// is found, or if the registration has fewer than n counters.
func (f *faultyBlock) setOfBase(c *builder.CounterRegInfo, n int) *faultyBlock {
	set := f.takeCopy(layout.RegSetKind).(*builder.CounterSetRegInfo)
	f.chosen["counter"] = f.oneOf(len(set.Counters), func(i int) bool {
		return len(set.Counters) >= n && referencesOf(&set.Counters[i]) == referencesOf(c)
	}, missingRecord{fmt.Sprintf("a set of at least %d counters that contains a counter with", n), referencesOf(c)})
	return f
}

// referencesOf names the fields with which a counter refers to other counters.
func referencesOf(c *builder.CounterRegInfo) string {
	var names []string
	for i, id := range []*uint32{c.BaseCounterId, c.PerfTimeId, c.PerfFreqId, c.MultiId} {
		if id != nil {
			names = append(names, [...]string{"BaseCounterId", "PerfTimeId", "PerfFreqId", "MultiId"}[i])
		}
	}
	if len(names) == 0 {
		return "no reference to another counter"
	}
	return strings.Join(names, " and ")
}
