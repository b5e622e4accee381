package definition

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// ErrIdentifiers is the error of [Provider.Compare] for query data without the identifiers of the query. A definition
// with exactly one counter set does not require the identifiers.
var ErrIdentifiers = errors.New("query data does not name its counter sets: give the identifiers of the query with --identifiers")

// identifier compares an identifier of a query with the definition.
func (c *comparison) identifier(id layout.CounterIdentifier) {
	record := &layout.PERF_COUNTER_IDENTIFIER
	x := c.findOrReport(record, id, id.CounterSetGuid())
	if x.set == nil {
		return
	}
	if _, is := x.ids[id.CounterId()]; !is && id.CounterId() != wildcard {
		c.report(unknownRule, record, id, "CounterId", fmt.Sprintf("CounterId is %d", id.CounterId()), "must be the id of a counter of "+quoted(x.set.Name.String()))
	}
}

// instanceBlock compares an instance block with the definition. An instance block has a value of 8 bytes for each
// counter.
func (c *comparison) instanceBlock(in layout.CounterSetInstance) {
	record := &layout.PERF_COUNTERSET_INSTANCE
	set := c.findOrReport(record, whole{}, in.CounterSetGuid()).set
	if set == nil {
		return
	}
	if n, at := len(set.Counters), in.InstanceNameOffset(); uint64(at) != uint64(record.Size)+8*uint64(n) {
		c.report(typeRule, record, whole{}, "InstanceNameOffset", fmt.Sprintf("InstanceNameOffset is %d", at),
			fmt.Sprintf("must be %d, after the values of the %d counters of %s", int(record.Size)+8*n, n, quoted(set.Name.String())))
	}
}

// query compares query data with the definition. identifiers are the identifiers of the query. They may be nil if the
// definition has only one set.
func (c *comparison) query(data layout.QueryData, identifiers []byte) error {
	if identifiers == nil && len(c.p.CounterSets) != 1 {
		return ErrIdentifiers
	}
	var only index // of the set, if the query has no identifiers
	if identifiers == nil {
		only = c.p.CounterSets[0].index()
	}
	asked := make(map[uint32]layout.CounterIdentifier) // the identifiers by the positions of their results
	for id, err := range layout.ReadCounterIdentifiers(identifiers) {
		if err != nil {
			return fmt.Errorf("the identifiers of the query: %w", err)
		}
		asked[id.Index()] = id
	}
	for r, err := range data.Results() {
		if err != nil || !r.DwType().Valid() || r.DwType() == layout.PERF_ERROR_RETURN {
			continue
		}
		q := queryResult{comparison: c, Result: r, known: only}
		if id, is := asked[uint32(r.Index())]; is {
			if q.known = c.find(id.CounterSetGuid()); q.known.set == nil {
				c.report(unknownRule, &layout.PERF_COUNTER_HEADER, r, "", fmt.Sprintf("the result belongs to the set %v", id.CounterSetGuid()), "must belong to a set in the definition")
			}
			q.all = id.CounterId() == wildcard
			if !q.all && !r.HasIDs() {
				q.ids = []uint32{id.CounterId()}
			}
		}
		if q.known.set != nil {
			q.compare()
		}
	}
	return nil
}

// A queryResult is a result of query data, together with the set and the counters that the query requested.
type queryResult struct {
	*comparison
	layout.Result
	known index    // the set and its counters; the zero index if the definition lacks the set
	all   bool     // the request was for all counters of the set
	ids   []uint32 // ids of the counters, in the order of the values; the set can lack some of these ids
}

func (q *queryResult) compare() {
	x, set := q.known, q.known.set
	name := quoted(set.Name.String())
	if set.Instances == layout.PERF_COUNTERSET_SINGLE_INSTANCE && q.HasInstances() {
		q.report(instancesRule, &layout.PERF_COUNTER_HEADER, q, "dwType", fmt.Sprintf("dwType is %v", q.DwType()), "must have no instances, because "+name+" has none in the definition")
	}
	if q.HasIDs() {
		ids, err := q.IDs()
		if err != nil {
			return
		}
		seen := make(map[uint32]bool)
		for id := range ids.All() {
			if _, is := x.ids[id]; !is && !seen[id] {
				q.report(unknownRule, &layout.PERF_MULTI_COUNTERS, ids, "", fmt.Sprintf("the id %d is in the result", id), "must be the id of a counter of "+name)
			}
			q.ids, seen[id] = append(q.ids, id), true
		}
		for i := range set.Counters {
			if counter := &set.Counters[i]; q.all && !seen[counter.ID] {
				q.report(missingRule, &layout.PERF_MULTI_COUNTERS, ids, "", fmt.Sprintf("the result for all counters has no %s", called(counter.Name)), "must have all counters of "+name)
			}
		}
	}
	wrong := make(map[int]bool) // positions of the values that have a finding: one finding for all instances
	check := func(v layout.CounterData) {
		if v.Index() >= len(q.ids) || wrong[v.Index()] {
			return
		}
		i, is := x.ids[q.ids[v.Index()]]
		if !is {
			return
		}
		counter := &set.Counters[i]
		if width, number := counter.Type.Width(); number && (width == 4 || width == 8) && v.DwDataSize() != width {
			wrong[v.Index()] = true
			q.report(typeRule, &layout.PERF_COUNTER_DATA, v, "dwDataSize", fmt.Sprintf("dwDataSize is %d", v.DwDataSize()), fmt.Sprintf("must be %d, the size of %s, a %v", width, called(counter.Name), counter.Type))
		}
	}
	for v, err := range q.Values() {
		if err == nil {
			check(v)
		}
	}
	instances, err := q.Instances()
	if err != nil {
		return
	}
	for in, err := range instances.All() {
		if err != nil {
			return
		}
		for v, err := range in.Values() {
			if err == nil {
				check(v)
			}
		}
	}
}
