package fuzz

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) queryData() builder.QueryData {
	q := builder.QueryData{PerfTimeStamp: int64(g.uint64() >> 1)}
	if g.gives(128) {
		q.PerfFreq = not(g.positive(), 10_000_000)
	}
	q.SystemTime, q.PerfTime100NSec = g.times()
	for of := range g.each(objectPart, 0, g.MaxObjects) {
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
	ids := r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET
	short := g.gives(60) && ids
	if r.Type == layout.PERF_MULTIPLE_INSTANCES || r.Type == layout.PERF_COUNTERSET {
		var rows []*generator // for the values of the instances
		for of := range g.each(instancePart, 0, g.MaxInstances) {
			again, in := of.chance(12), of.queryInstance()
			if n := len(r.Instances); again && n > 0 {
				in = of.namesake(r.Instances[n-1])
			}
			r.Instances, rows = append(r.Instances, in), append(rows, of)
		}
		g.queryCounters(&r, ids, len(r.Instances) > 0)
		for i := range r.Instances {
			r.Instances[i].Values, r.Instances[i].Texts = rows[i].row(r.Counters)
		}
	} else {
		g.queryCounters(&r, ids, true)
		r.Values, r.Texts = g.row(r.Counters)
	}
	differ(&r)
	r.ShortIDs = short && len(r.Counters)%2 == 1
	return r
}

// statuses are the documented errors of the functions in perflib.h.
var statuses = slices.Collect(layout.Statuses())

// status returns a documented error, and sometimes another number or 0.
func (g *generator) status() uint32 {
	return pick(g.Source, 4201, 0, g.uint32(), statuses[g.upTo(len(statuses))], statuses[g.upTo(len(statuses))])
}

// queryCounters makes the counters of a result. Their sizes are in the values alone, so without values they have none.
func (g *generator) queryCounters(r *builder.Result, ids, values bool) {
	least, most := 1, 1
	if ids {
		least, most = 0, g.MaxCounters
	}
	sizes := map[uint32]uint32{} // by id
	for of := range g.each(counterPart, least, most) {
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
		if of, again := sizes[c.CounterId]; again && g.Numbers { // the sizes of one id must not differ
			c.Size = of
		}
		sizes[c.CounterId] = c.Size
		r.Counters = append(r.Counters, c)
	}
}

// row returns a value for each counter.
func (g *generator) row(counters []builder.QueryCounter) (numbers []uint64, texts []string) {
	for _, c := range counters {
		n := g.uint64()
		switch {
		case c.Bytes:
			b := make([]byte, pick(g.Source, 0, 4, 8, g.upTo(20)))
			for i := range b {
				b[i] = g.byte()
			}
			texts, n = append(texts, string(b)), 0
		case c.Size == 4:
			n = uint64(uint32(n))
		}
		numbers = append(numbers, n)
	}
	return numbers, texts
}

// differ lengthens the first value of each counter with Bytes whose values would decode as numbers of one size.
func differ(r *builder.Result) {
	rows := [][]string{r.Texts}
	if r.Instances != nil {
		rows = nil
		for i := range r.Instances {
			rows = append(rows, r.Instances[i].Texts)
		}
	}
	for i := range rows[0] {
		n := len(rows[0][i])
		if (n == 4 || n == 8) && !slices.ContainsFunc(rows, func(row []string) bool { return len(row[i]) != n }) {
			rows[0][i] += "+"
		}
	}
}

func (g *generator) instanceList() (list builder.InstanceList) {
	var in builder.QueryInstance
	for of := range g.each(instancePart, 0, g.MaxInstances) {
		if again := of.chance(12); again && len(list) > 0 {
			in = of.namesake(in)
		} else {
			in = of.queryInstance()
		}
		list = append(list, builder.InstanceHeader{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
	}
	return list
}

func (g *generator) queryInstance() builder.QueryInstance {
	more := g.longer()
	in := builder.QueryInstance{InstanceId: g.uint32(), Name: g.text()}
	in.Size = more.than(layout.SizeofInstanceHeader + uint32(layout.UTF16Len(in.Name)) + 2)
	return in
}

// namesake returns an instance with the same name, sometimes in capitals, and with the same id or another.
func (g *generator) namesake(of builder.QueryInstance) builder.QueryInstance {
	in := builder.QueryInstance{Name: of.Name, InstanceId: of.InstanceId, Size: of.Size}
	if g.chance(128) {
		in.Name, in.Size = strings.ToUpper(in.Name), 0
	}
	if g.chance(128) {
		in.InstanceId = g.uint32()
	}
	return in
}
