package provider

import (
	"maps"
	"slices"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// started is the time from which PerfTimeStamp of a snapshot is measured. It has a reading of the monotonic clock.
var started = time.Now()

// Snapshot returns the current values as a consumer gets them from PerfQueryCounterData: data of the kind
// [layout.QueryKind] with a result for each counter set, in the order of the definition. It calls
// [Options.Collect] first.
//
// A set without live instances has the result ERROR_WMI_INSTANCE_NOT_FOUND, and if Collect panics, each set has the
// result ERROR_NO_DATA. For a set with aggregates, Snapshot returns the instances of the program. It does not compute the
// aggregate, which Windows does for a consumer.
func (p *Provider) Snapshot() ([]byte, error) {
	if p == nil {
		return nil, errNil
	}
	if err := p.begin(); err != nil {
		return nil, err
	}
	defer p.calls.Done()
	status := p.collect.run()
	now := time.Now()
	data := new(builder.QueryData).At(now)
	data.PerfTimeStamp = layout.FileTime(started) + int64(now.Sub(started)/100) // in units of 100 ns, as PerfFreq 0 means
	for _, set := range p.ordered {
		result := builder.ErrorReturn(uint32(status))
		if status == success {
			result = p.result(set)
		}
		data.Add(result)
	}
	return data.MarshalBinary()
}

// result returns the values of all instances of a set.
func (p *Provider) result(set *startedSet) *builder.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	result := builder.CounterSet().Define(set.counters...)
	for _, in := range slices.SortedFunc(maps.Values(set.instances), byID) {
		if !in.live {
			continue
		}
		values := make([]uint64, len(set.counters))
		for i := range values {
			if values[i] = in.values[i].Load(); set.counters[i].Size == 4 {
				values[i] = uint64(uint32(values[i]))
			}
		}
		if !set.hasNames() {
			return builder.MultipleCounters().Define(set.counters...).Single(values...)
		}
		result.Instance(in.name, in.id, values...)
	}
	if len(result.Instances) == 0 {
		return builder.ErrorReturn(uint32(instanceNotFound))
	}
	return result
}
