package fuzz

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Joined is query data with the identifiers and registrations that a reader needs to identify the results.
type Joined struct {
	Data        builder.QueryData
	Identifiers builder.Identifiers         // one for each result, in any order; Index is the number of the result
	Sets        []builder.CounterSetRegInfo // the counter sets of the identifiers
}

// Join returns query data as [Model] makes it. It also returns the identifiers that request the query data, and the
// registrations of counter sets that fit the results.
func Join(s *Source, c Config) Joined {
	return join(s, c, newGenerator(s, c).queryData())
}

// Query returns query data with a result for each counter set. A result has all counters of its set. If the set allows
// several instances, the result has three instances, and no _Total. All numbers are 0, and all byte strings are empty.
func Query(sets ...builder.CounterSetRegInfo) Joined {
	j := Joined{Sets: sets}
	for i := range sets {
		set, r := &sets[i], builder.CounterSet()
		several := set.InstanceType&layout.PERF_COUNTERSET_FLAG_MULTIPLE != 0
		id := builder.AllCounters(set.CounterSetGuid, layout.PERF_WILDCARD_INSTANCE)
		if id.Index = uint32(i); !several {
			id.Name, r = "", builder.MultipleCounters()
		}
		var texts []string
		for _, c := range set.Counters {
			n, _ := c.Type.Width()
			counter := builder.QueryCounter{CounterId: c.CounterId, Size: n % 8, Bytes: n == 0}
			if r.Define(counter); counter.Bytes {
				texts = append(texts, "")
			}
		}
		if !several {
			r.Values, r.Texts = make([]uint64, len(r.Counters)), texts
		}
		for k := 0; several && k < 3; k++ {
			r.Add(builder.QueryInstance{Name: fmt.Sprintf("instance %d", k), InstanceId: uint32(k), Values: make([]uint64, len(r.Counters)), Texts: texts})
		}
		j.Data.Add(r)
		j.Identifiers = append(j.Identifiers, id)
	}
	return j
}

// join makes the identifiers and registrations of query data.
func join(s *Source, c Config, data builder.QueryData) Joined {
	j := joiner{generator: newGenerator(s, c), Joined: Joined{Data: data}, guids: usedKeys[layout.GUID]{}}
	for i := range j.Data.Results {
		j.identify(&j.Data.Results[i])
	}
	shuffle(j.Source, j.Identifiers)
	return j.Joined
}

// Context returns the context for validating the query data. Identifiers is not nil even if the list is empty: nil means
// that the identifiers are unknown.
func (j Joined) Context() (validate.Context, error) {
	ids, err := j.Identifiers.AppendBinary([]byte{})
	if err != nil {
		return validate.Context{}, err
	}
	ctx := validate.Context{Identifiers: ids}
	for _, set := range j.Sets {
		b, err := set.MarshalBinary()
		if err != nil {
			return validate.Context{}, err
		}
		ctx.Registrations = append(ctx.Registrations, b)
	}
	return ctx, nil
}

// A joiner makes the identifiers and registrations of query data.
type joiner struct {
	*generator
	Joined
	guids usedKeys[layout.GUID] // the GUIDs of the sets
}

// identify adds the identifier that requests the result r.
func (j *joiner) identify(r *builder.Result) {
	t := r.Type
	if t == layout.PERF_ERROR_RETURN { // any request may fail
		t = pick(j.Source, layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_COUNTERSET)
	}
	id := builder.CounterIdentifier{InstanceId: j.uint32(), Index: uint32(len(j.Identifiers))}
	several := listsInstances(t)
	var set *builder.CounterSetRegInfo
	if listsIDs(t) {
		set, id.CounterId = j.setOf(r.Counters, several), layout.PERF_WILDCARD_COUNTER
	} else {
		set, id.CounterId = j.setWith(j.width(r.Counters), several)
	}
	id.CounterSetGuid = set.CounterSetGuid
	switch {
	case several:
		id.Name = pick(j.Source, layout.PERF_WILDCARD_INSTANCE, "C*", "?")
	case set.InstanceType == layout.PERF_COUNTERSET_MULTI_INSTANCES:
		id.Name = pick(j.Source, "C:", "_Total")
	}
	j.Identifiers = append(j.Identifiers, id)
}

// setOf adds a counter set for a result that has a list of counter ids.
func (j *joiner) setOf(counters []builder.QueryCounter, hasInstances bool) *builder.CounterSetRegInfo {
	set := j.set(hasInstances)
	for _, c := range counters {
		if slices.ContainsFunc(set.Counters, func(k builder.CounterRegInfo) bool { return k.CounterId == c.CounterId }) {
			continue // the result lists an id twice
		}
		same := slices.DeleteFunc(slices.Clone(counters), func(k builder.QueryCounter) bool { return k.CounterId != c.CounterId })
		j.register(set, c.CounterId, j.width(same))
	}
	return set
}

// setWith returns a new or existing counter set, and the id of a counter of this set. The values of this counter are
// `width` bytes long.
func (j *joiner) setWith(width uint32, several bool) (*builder.CounterSetRegInfo, uint32) {
	for i := range j.Sets {
		set := &j.Sets[i]
		if several && set.InstanceType != layout.PERF_COUNTERSET_MULTI_INSTANCES || !j.chance(128) {
			continue
		}
		for _, c := range set.Counters {
			if w, _ := c.Type.Width(); w == width {
				return set, c.CounterId
			}
		}
	}
	set := j.set(several)
	widths := []uint32{0, 4, 8}
	if j.Numbers {
		widths = widths[1:]
	}
	for range min(j.upTo(3), j.MaxCounters-1) { // counters that are not requested
		j.register(set, uint32(len(set.Counters)), pick(j.Source, widths...))
	}
	id := uint32(len(set.Counters))
	j.register(set, id, width)
	return set, id
}

// set adds a counter set without counters and with a new GUID.
func (j *joiner) set(several bool) *builder.CounterSetRegInfo {
	guid := j.guids.take(j.guid(), func(id layout.GUID) layout.GUID {
		id.Data1++
		return id
	})
	set := builder.CounterSetRegInfo{CounterSetGuid: guid, DetailLevel: j.setLevel(), InstanceType: layout.PERF_COUNTERSET_MULTI_INSTANCES}
	if !several && j.chance(128) {
		set.InstanceType = layout.PERF_COUNTERSET_SINGLE_INSTANCE
	}
	j.Sets = append(j.Sets, set)
	return &j.Sets[len(j.Sets)-1]
}

// register adds a counter whose values are `width` bytes long. A width of 0 means values of any length.
func (j *joiner) register(set *builder.CounterSetRegInfo, id, width uint32) {
	set.Counters = append(set.Counters, builder.CounterRegInfo{CounterId: id, Type: pick(j.Source, typesOf[width]...), Attrib: j.attrib(), DetailLevel: j.setLevel()})
}

// width returns the length in bytes of the values of the counters. If all values are numbers of the same length, width
// returns this length: 4 or 8. Otherwise, or if there are no counters, it returns 8 if Config.Numbers is true, and 0 if
// it is false.
func (j *joiner) width(counters []builder.QueryCounter) uint32 {
	width := uint32(0)
	for i, c := range counters {
		w := cmp.Or(c.Size, 8)
		if c.Bytes || i > 0 && w != width {
			width = 0
			break
		}
		width = w
	}
	if width == 0 && j.Numbers {
		return 8
	}
	return width
}

// typesOf has the counter types that refer to no other counter, by width in bytes. The width 0 is for any length.
var typesOf = func() map[uint32][]layout.CounterType {
	types := map[uint32][]layout.CounterType{}
	for _, t := range setTypes {
		if refers := references[t]; refers.base == 0 && !refers.clock && !refers.items {
			w, _ := t.Width()
			types[w] = append(types[w], t)
		}
	}
	return types
}()
