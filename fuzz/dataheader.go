package fuzz

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) queryData() builder.QueryData {
	q := builder.QueryData{PerfTimeStamp: int64(g.uint64() >> 1)}
	if g.gives(128) {
		q.PerfFreq = avoid(g.positive(), 10_000_000)
	}
	q.SystemTime, q.PerfTime100NSec = g.times()
	for of := range g.eachPart(objectPart, 0, g.MaxObjects) {
		q.Results = append(q.Results, of.result())
	}
	return q
}

func (g *generator) result() builder.Result {
	r := builder.Result{Type: pick(g.Source, layout.PERF_COUNTERSET, layout.PERF_COUNTERSET, layout.PERF_MULTIPLE_INSTANCES,
		layout.PERF_MULTIPLE_COUNTERS, layout.PERF_SINGLE_COUNTER, layout.PERF_ERROR_RETURN)}
	if r.Type == layout.PERF_ERROR_RETURN {
		r.Status = g.status()
		return r
	}
	if g.chance(20) {
		r.Status = g.status()
	}
	ids := listsIDs(r.Type)
	short := g.gives(60) && ids
	if listsInstances(r.Type) {
		var rows []*generator // rows[i] makes the values of instance i
		for of := range g.eachPart(instancePart, 0, g.MaxInstances) {
			duplicate, in := of.chance(12), of.queryInstance()
			if n := len(r.Instances); duplicate && n > 0 {
				in = of.duplicate(r.Instances[n-1])
			}
			r.Instances, rows = append(r.Instances, in), append(rows, of)
		}
		g.queryCounters(&r, ids, len(r.Instances) > 0)
		for i := range r.Instances {
			r.Instances[i].Values, r.Instances[i].Texts = rows[i].queryValues(r.Counters)
		}
	} else {
		g.queryCounters(&r, ids, true)
		r.Values, r.Texts = g.queryValues(r.Counters)
	}
	keepByteStrings(&r)
	r.ShortIDs = short && len(r.Counters)%2 == 1
	return r
}

// listsIDs reports whether a result of the type has a PERF_MULTI_COUNTERS.
func listsIDs(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_COUNTERS || t == layout.PERF_COUNTERSET
}

// listsInstances reports whether a result of the type has a PERF_MULTI_INSTANCES.
func listsInstances(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_INSTANCES || t == layout.PERF_COUNTERSET
}

func (g *generator) status() uint32 {
	return pick(g.Source, 4201, 0, g.uint32(), g.documentedStatus(), g.documentedStatus())
}

// documentedStatus returns an error that the documentation of perflib.h mentions.
func (g *generator) documentedStatus() uint32 {
	return pick(g.Source, cname.Statuses...).Value
}

// queryCounters adds counters to a result. ids and values say whether the result has counter ids and values.
func (g *generator) queryCounters(r *builder.Result, ids, values bool) {
	least, most := 1, 1
	if ids {
		least, most = 0, g.MaxCounters
	}
	sizes := map[uint32]uint32{} // by id
	for of := range g.eachPart(counterPart, least, most) {
		var c builder.QueryCounter
		size, bytes := pick(of.Source, uint32(0), 4), of.chance(24) && !g.Numbers
		if id := of.uint32(); ids {
			c.CounterId = id - id/layout.PERF_WILDCARD_COUNTER
		}
		switch {
		case !values:
		case bytes:
			c.Bytes = true
		default:
			c.Size = size
		}
		if first, ok := sizes[c.CounterId]; ok && g.Numbers { // counters with one id must have one size
			c.Size = first
		}
		sizes[c.CounterId] = c.Size
		r.Counters = append(r.Counters, c)
	}
}

// queryValues returns a value for each counter: a string of bytes if the field Bytes is true, otherwise a number.
func (g *generator) queryValues(counters []builder.QueryCounter) (numbers []uint64, texts []string) {
	for _, c := range counters {
		n := g.uint64()
		switch {
		case c.Bytes:
			texts, n = append(texts, string(g.bytes(pick(g.Source, 0, 4, 8, g.upTo(20))))), 0
		case c.Size == 4:
			n = uint64(uint32(n))
		}
		numbers = append(numbers, n)
	}
	return numbers, texts
}

// keepByteStrings changes byte strings that the decoder would otherwise read as numbers.
func keepByteStrings(r *builder.Result) {
	rows := [][]string{r.Texts}
	if r.Instances != nil {
		rows = nil
		for i := range r.Instances {
			rows = append(rows, r.Instances[i].Texts)
		}
	}
	for i := range rows[0] {
		n := len(rows[0][i])
		// If all values of a counter have 4 bytes, or all have 8 bytes, the decoder reads them as numbers. Therefore,
		// one value gets another length.
		if (n == 4 || n == 8) && !slices.ContainsFunc(rows, func(row []string) bool { return len(row[i]) != n }) {
			rows[0][i] += "+"
		}
	}
}

func (g *generator) instanceList() (list builder.InstanceList) {
	var in builder.QueryInstance
	for of := range g.eachPart(instancePart, 0, g.MaxInstances) {
		if duplicate := of.chance(12); duplicate && len(list) > 0 {
			in = of.duplicate(in)
		} else {
			in = of.queryInstance()
		}
		list = append(list, builder.InstanceHeader{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
	}
	return list
}

func (g *generator) queryInstance() builder.QueryInstance {
	padding := g.padding()
	in := builder.QueryInstance{InstanceId: g.uint32(), Name: g.text()}
	in.Size = lengthWith(padding, layout.SizeofInstanceHeader+utf16Size(in.Name))
	return in
}

// duplicate returns an instance with the name of the original. The name is sometimes in capitals. The id is sometimes
// different.
func (g *generator) duplicate(original builder.QueryInstance) builder.QueryInstance {
	in := builder.QueryInstance{Name: original.Name, InstanceId: original.InstanceId, Size: original.Size}
	if g.chance(128) {
		in.Name, in.Size = strings.ToUpper(in.Name), 0
	}
	if g.chance(128) {
		in.InstanceId = g.uint32()
	}
	return in
}

func (g *generator) identifiers() (list builder.Identifiers) {
	for of := range g.eachPart(objectPart, 0, g.MaxObjects) {
		list = append(list, of.identifier())
	}
	return list
}

func (g *generator) identifier() builder.CounterIdentifier {
	padding, asksAll := g.padding(), g.chance(60)
	id := builder.CounterIdentifier{CounterSetGuid: g.guid(), CounterId: g.uint32(), InstanceId: g.uint32()}
	status, index, returned := g.status(), g.uint32(), g.chance(128)
	if id.Name = g.text(); asksAll {
		id = builder.AllCounters(id.CounterSetGuid, pick(g.Source, layout.PERF_WILDCARD_INSTANCE, "", "C*", layout.PERF_AGGREGATE_INSTANCE))
	}
	if returned { // PerfQueryCounterInfo sets these fields
		id.Status, id.Index = status, index
	}
	required := uint32(layout.SizeofCounterIdentifier)
	if id.Name != "" {
		required += utf16Size(id.Name)
	}
	id.Size = lengthWith(padding, required)
	return id
}
