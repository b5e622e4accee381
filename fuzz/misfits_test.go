package fuzz_test

import (
	"math/rand/v2"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// misfits are all the ways in which parts of a query can belong to different ones.
var misfits = []misfit{
	{"an identifier less", "v2-data-identifier-count", theData, func(j *joint, r *rand.Rand) bool {
		last := slices.IndexFunc(j.Identifiers, func(id builder.CounterIdentifier) bool { return int(id.Index) == len(j.Identifiers)-1 })
		if last < 0 {
			return false
		}
		j.Identifiers = slices.Delete(j.Identifiers, last, last+1)
		return true
	}},
	{"an identifier more", "v2-data-identifier-count", theData, func(j *joint, r *rand.Rand) bool {
		j.Identifiers = append(j.Identifiers, builder.CounterIdentifier{CounterId: r.Uint32(), Index: uint32(len(j.Identifiers))})
		return true
	}},
	{"an answer less", "v2-data-identifier-count", theData, func(j *joint, r *rand.Rand) bool {
		if len(j.Data.Results) == 0 {
			return false
		}
		j.Data.Results = j.Data.Results[:len(j.Data.Results)-1]
		return true
	}},
	{"one counter asked for in place of all, or all in place of one", "v2-data-identifier-type", theData, func(j *joint, r *rand.Rand) bool {
		id := j.asked(r)
		switch {
		case id == nil:
			return false
		case id.CounterId != layout.PERF_WILDCARD_COUNTER:
			id.CounterId = layout.PERF_WILDCARD_COUNTER
		default:
			id.CounterId = 1
		}
		return true
	}},
	{"one instance asked for in place of several, or several in place of one", "v2-data-identifier-type", theData, func(j *joint, r *rand.Rand) bool {
		id := j.asked(r)
		switch {
		case id == nil:
			return false
		case id.Name == "" || id.Name == "C:" || id.Name == "_Total":
			id.Name += "?"
		default:
			id.Name = "C:"
		}
		return true
	}},
	{"a counter that is not registered", "v2-data-counter-unknown", theData, func(j *joint, r *rand.Rand) bool {
		set, i := j.counterWithID(r)
		if set == nil {
			return false
		}
		set.Counters = slices.Delete(set.Counters, i, i+1)
		return true
	}},
	{"a counter that lacks", "v2-data-counter-unknown", theData, func(j *joint, r *rand.Rand) bool {
		set, i := j.counterWithID(r)
		if set == nil {
			return false
		}
		more := set.Counters[i]
		for j.registered(more.CounterId) {
			more.CounterId = r.Uint32N(1 << 30)
		}
		set.Counters = append(set.Counters, more)
		return true
	}},
	{"a type of other values", "v2-counter-data-width-type", theData, func(j *joint, r *rand.Rand) bool {
		c := j.numbered(r)
		switch {
		case c == nil:
			return false
		case c.Type.Size() == layout.PERF_SIZE_DWORD:
			c.Type = layout.PERF_COUNTER_LARGE_RAWCOUNT
		default:
			c.Type = layout.PERF_COUNTER_RAWCOUNT
		}
		return true
	}},
	{"a name for a set without", "v2-identifier-name-superfluous", theIdentifiers, func(j *joint, r *rand.Rand) bool {
		return j.registerAs(r, layout.PERF_COUNTERSET_SINGLE_INSTANCE, func(id builder.CounterIdentifier) bool { return id.Name != "" })
	}},
	{"no name for a set with names", "v2-identifier-name-missing", theIdentifiers, func(j *joint, r *rand.Rand) bool {
		return j.registerAs(r, layout.PERF_COUNTERSET_MULTI_INSTANCES, func(id builder.CounterIdentifier) bool { return id.Name == "" })
	}},
	{"a text of a counter that is not registered", "v2-strings-unknown-id", theStrings, func(j *joint, r *rand.Rand) bool {
		if len(j.Sets) == 0 || len(j.Sets[0].Counters) == 0 {
			return false
		}
		set := &j.Sets[0]
		i := r.IntN(len(set.Counters))
		set.Counters = slices.Delete(set.Counters, i, i+1)
		return true
	}},
	{"other counters than an instance has", "v2-instance-block-name-offset", theInstance, func(j *joint, r *rand.Rand) bool {
		if len(j.Sets) == 0 {
			return false
		}
		if n := len(j.instance.Values); n > 0 && r.IntN(2) == 0 {
			j.instance.Values = j.instance.Values[:r.IntN(n)]
		} else {
			j.instance.Values = make([]uint64, n+1+r.IntN(4))
		}
		return true
	}},
}

// one returns one of those that are so, nil if there are none.
func one[T any](r *rand.Rand, list []T, is func(T) bool) *T {
	var found []*T
	for i := range list {
		if is(list[i]) {
			found = append(found, &list[i])
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[r.IntN(len(found))]
}

// asked returns an identifier whose answer is no error.
func (j *joint) asked(r *rand.Rand) *builder.CounterIdentifier {
	return one(r, j.Identifiers, func(id builder.CounterIdentifier) bool {
		return j.Data.Results[id.Index].Type != layout.PERF_ERROR_RETURN
	})
}

// setOf returns what is registered of the set of an identifier.
func (j *joint) setOf(id builder.CounterIdentifier) *builder.CounterSetRegInfo {
	i := slices.IndexFunc(j.Sets, func(s builder.CounterSetRegInfo) bool { return s.CounterSetGuid == id.CounterSetGuid })
	return &j.Sets[i]
}

// counterWithID returns a set of which there is an answer with ids, and one of its counters
// that is among them.
func (j *joint) counterWithID(r *rand.Rand) (*builder.CounterSetRegInfo, int) {
	id := one(r, j.Identifiers, func(id builder.CounterIdentifier) bool {
		return id.CounterId == layout.PERF_WILDCARD_COUNTER && len(j.Data.Results[id.Index].Counters) > 0
	})
	if id == nil {
		return nil, 0
	}
	set := j.setOf(*id)
	return set, r.IntN(len(set.Counters))
}

// registered reports whether a set has a counter of that id.
func (j *joint) registered(id uint32) bool {
	return slices.ContainsFunc(j.Sets, func(s builder.CounterSetRegInfo) bool {
		return slices.ContainsFunc(s.Counters, func(c builder.CounterRegInfo) bool { return c.CounterId == id })
	})
}

// numbered returns a registered counter of which there are values, all numbers of one size.
func (j *joint) numbered(r *rand.Rand) *builder.CounterRegInfo {
	id := one(r, j.Identifiers, func(id builder.CounterIdentifier) bool {
		a := j.Data.Results[id.Index]
		return len(a.Values) > 0 || len(a.Instances) > 0 && len(a.Counters) > 0
	})
	if id == nil {
		return nil
	}
	return one(r, j.setOf(*id).Counters, func(c builder.CounterRegInfo) bool {
		w, _ := c.Type.Width()
		return w > 0 && (id.CounterId == layout.PERF_WILDCARD_COUNTER || c.CounterId == id.CounterId)
	})
}

// registerAs registers the set of one of those identifiers with instances of another sort.
func (j *joint) registerAs(r *rand.Rand, t layout.InstanceType, is func(builder.CounterIdentifier) bool) bool {
	id := one(r, j.Identifiers, is)
	if id != nil {
		j.setOf(*id).InstanceType = t
	}
	return id != nil
}
