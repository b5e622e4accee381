package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// The functions of this file choose records of a base of perflib.h, for the methods that make records if there is no base.

// encodeOrTake encodes a model that has no fault, or makes a base of the same kind the current block.
func (f *faultyBlock) encodeOrTake(m builder.Model) *faultyBlock {
	if f.base == nil {
		return f.encodeValid(m)
	}
	f.takeCopy(m.Kind())
	return f
}

// takeCopy makes the base the current block and returns a copy of its model. The base must have the kind.
func (f *faultyBlock) takeCopy(kind layout.Kind) builder.Model {
	m, err := builder.NewModel(kind)
	if err != nil || f.base.model.Kind() != kind {
		f.lack("a block of kind %v", kind)
	}
	if err := m.UnmarshalBinary(f.base.block); err != nil {
		f.lack("a block that decodes: %v", err)
	}
	f.take(m)
	return m
}

// baseQuery returns the model of the base. If the base is not query data, the attempt ends.
func (f *faultyBlock) baseQuery() *builder.QueryData {
	q, is := f.base.model.(*builder.QueryData)
	if !is {
		f.lack("a block of kind %v", layout.QueryDataKind)
	}
	return q
}

// resultOfBase chooses and returns a result of the base that has the type. If counters or instances are required, the
// result has at least one instance and one or two counters.
func (f *faultyBlock) resultOfBase(t layout.PerfCounterDataType, counters, instances int) *builder.Result {
	q := f.baseQuery()
	f.at["result"] = f.oneOf(len(q.Results), func(i int) bool {
		r := &q.Results[i]
		return r.Type == t && (!listsIDs(t) || len(r.Counters) >= min(counters, 2)) && (!listsInstances(t) || len(r.Instances) >= min(instances, 1))
	}, lack{"a result of type", t.String()})
	return &q.Results[f.at["result"]]
}

// useResult makes query data the current block, with the result of the base that is already chosen.
func (f *faultyBlock) useResult() *faultyBlock {
	q := *f.baseQuery()
	q.Results = slices.Clone(q.Results)
	f.take(&q)
	i := f.at["result"]
	f.choose(&q.Results[i], i)
	return f
}

// cloneResult returns a result that shares nothing with r.
func cloneResult(r builder.Result) builder.Result {
	r.Counters, r.Values, r.Texts, r.Instances = slices.Clone(r.Counters), slices.Clone(r.Values), slices.Clone(r.Texts), slices.Clone(r.Instances)
	for i := range r.Instances {
		in := &r.Instances[i]
		in.Values, in.Texts = slices.Clone(in.Values), slices.Clone(in.Texts)
	}
	return r
}

// instancesOfBase returns at least n instances of the base: of a list, or of a result that it chooses.
func (f *faultyBlock) instancesOfBase(n int) (all []builder.QueryInstance) {
	if list, is := f.base.model.(*builder.InstanceList); is {
		for _, in := range *list {
			all = append(all, builder.QueryInstance{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
		}
	} else {
		q := f.baseQuery()
		f.at["result"] = f.oneOf(len(q.Results), func(i int) bool { return len(q.Results[i].Instances) >= n }, lack{what: fmt.Sprintf("%d instances", n)})
		all = q.Results[f.at["result"]].Instances
	}
	if len(all) < n {
		f.lack("%d instances", n)
	}
	return slices.Clone(all)
}

// setOfBase makes the registration of a counter set the current block. It chooses a counter that refers to other
// counters as c does, in a set with n counters or more.
func (f *faultyBlock) setOfBase(c *builder.CounterRegInfo, n int) *faultyBlock {
	set := f.takeCopy(layout.RegSetKind).(*builder.CounterSetRegInfo)
	f.at["counter"] = f.oneOf(len(set.Counters), func(i int) bool {
		return len(set.Counters) >= n && referencesOf(&set.Counters[i]) == referencesOf(c)
	}, lack{fmt.Sprintf("a set of %d counters with one that has", n), referencesOf(c)})
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
