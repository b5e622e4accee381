package validate

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

const (
	needsIdentifiers   = "the identifiers of the query"
	needsRegistrations = "the registration of the counter set"
)

var joinedRules = []*Rule{
	{
		ID: "PERF2114", Name: "v2-data-identifier-count", Severity: Error, Since: "v0.1.0",
		Doc:     "there is an answer for each identifier that the query has",
		Why:     "Answers bear no name: they are told by their position, to which the Index of an identifier leads. One too few or too many, and values are taken for those of another counter.",
		Fix:     "Take the identifiers and the data from one query, with no counters added or removed between the two calls.",
		Sources: []Source{function("PerfQueryCounterInfo"), of(&layout.PERF_DATA_HEADER, "dwNumCounters")},
		Needs:   needsIdentifiers,
		check:   onQueryData.check(identifierCount),
	},
	{
		ID: "PERF2211", Name: "v2-data-identifier-type", Severity: Error, Since: "v0.1.0",
		Doc:     "the dwType of an answer is the one that its identifier asks for, or PERF_ERROR_RETURN",
		Why:     "One counter or all of them, one instance or a pattern: that decides how the answer is laid out. An answer of another type belongs to another identifier.",
		Fix:     "Answer an exact name or none with PERF_SINGLE_COUNTER or PERF_MULTIPLE_COUNTERS, a pattern with PERF_MULTIPLE_INSTANCES or PERF_COUNTERSET; the second of each for all counters.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		Needs:   needsIdentifiers,
		check:   onResult.check(identifierType),
	},
	{
		ID: "PERF2308", Name: "v2-data-counter-unknown", Severity: Warning, Since: "v0.1.0",
		Doc:     "the ids of an answer are of counters that the set has, and for all counters they are all of them",
		Why:     "A reader looks up the type of a counter by its id. For one that is not registered there is none, so its value cannot be computed; one that is missing has no value at all.",
		Fix:     "Register every counter of the set, and answer with all of them where all are asked for.",
		Sources: []Source{consuming, of(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
		Needs:   needsRegistrations,
		check:   onMultiCounters.check(counterUnknown),
	},
	{
		ID: "PERF2507", Name: "v2-counter-data-width-type", Severity: Error, Since: "v0.1.0",
		Doc:     "dwDataSize is the 4 or 8 bytes that the type of the counter says",
		Why:     "A reader takes as many bytes as dwDataSize says for the number. Half of one of 8 bytes, or one of 4 with what is behind it, is another number.",
		Fix:     "Write values as wide as bits 8 and 9 of the registered type say.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwDataSize"), consuming, headerFile},
		Needs:   needsRegistrations,
		check:   onCounterData.check(widthOfType),
	},
}

// relate finds the identifier to which the answer belongs, and the set of both.
func (p *pass) relate(a *result) {
	k := &p.known
	if a.index < len(k.identifiers) {
		a.identifier = &k.identifiers[a.index]
		a.set = k.sets[a.identifier.CounterSetGuid()]
	} else if k.told < 0 {
		a.set = k.only
	}
}

// setWidths notes how wide the values are that belong together, as far as that is known.
func (p *pass) setWidths(a *result) {
	a.widths = a.widths[:0]
	t := a.DwType()
	switch {
	case a.set == nil:
	case hasIDs(t):
		for i := range len(p.multiCounters.b) / idSize {
			a.widths = append(a.widths, a.set.width(p.multiCounters.id(i)))
		}
	case a.identifier != nil && a.identifier.CounterId() != layout.PERF_WILDCARD_COUNTER:
		a.widths = append(a.widths, a.set.width(a.identifier.CounterId()))
	}
}

// width returns how many bytes a value of a counter takes, 0 where that is not known.
func (c *counterSet) width(id uint32) int64 {
	t, ok := c.counters[id]
	if !ok {
		return 0
	}
	n, _ := t.Width()
	return int64(n)
}

func identifierCount(p *pass, q *queryData) {
	if n := p.known.told; n >= 0 && int64(q.DwNumCounters()) != int64(n) {
		p.field(q, "dwNumCounters", q.DwNumCounters(), "%d, the identifiers of the query", n)
	}
}

// identifierType has nothing to say of a type that there is not, which has its rule.
func identifierType(p *pass, a *result) {
	if a.identifier == nil || !a.DwType().Valid() || a.DwType() == layout.PERF_ERROR_RETURN {
		return
	}
	if t := asksFor(a.identifier); a.DwType() != t {
		p.field(a, "dwType", a.DwType(), "%v, for which its identifier asks", t)
	}
}

// asksFor returns the type of answer to an identifier.
func asksFor(id *layout.CounterIdentifier) layout.PerfCounterDataType {
	all, several := id.CounterId() == layout.PERF_WILDCARD_COUNTER, pattern(nameOf(id)) >= 0
	switch {
	case all && several:
		return layout.PERF_COUNTERSET
	case several:
		return layout.PERF_MULTIPLE_INSTANCES
	case all:
		return layout.PERF_MULTIPLE_COUNTERS
	}
	return layout.PERF_SINGLE_COUNTER
}

// nameOf returns the name of an identifier without its NUL.
func nameOf(id *layout.CounterIdentifier) []byte {
	text := id.Name().Bytes()
	if nul := nulIn(text); nul >= 0 {
		return text[:nul]
	}
	return text
}

// pattern returns where the first wildcard of a name is, -1 if it has none.
func pattern(text []byte) int {
	for i := 0; i+1 < len(text); i += 2 {
		if c := text[i]; text[i+1] == 0 && (c == '*' || c == '?') {
			return i
		}
	}
	return -1
}

// counterUnknown speaks of each id that is not registered, and once of those that lack.
func counterUnknown(p *pass, l *multiCounters) {
	set := l.of.set
	if set == nil {
		return
	}
	there := 0
	p.ids.reset(len(l.b) / idSize)
	number := func(ref uint32) uint32 { return l.id(int(ref) - 1) }
	for i := range len(l.b) / idSize {
		id := l.id(i)
		first := p.ids.addNumber(id, uint32(i)+1, number) == 0
		if _, ok := set.counters[id]; ok && first {
			there++
		} else if !ok && id != layout.PERF_WILDCARD_COUNTER && p.count() {
			p.id(l, i, fmt.Sprintf("the set has no counter %d", id), "one that is registered")
		}
	}
	if lacking := len(set.ids) - there; lacking > 0 {
		i := slices.IndexFunc(set.ids, func(id uint32) bool { return p.ids.findNumber(id, number) == 0 })
		if lacking == 1 {
			p.field(l, "dwCounters", l.n, "each counter of the set: counter %d is missing", set.ids[i])
			return
		}
		p.field(l, "dwCounters", l.n, "each counter of the set: %d are missing, counter %d the first", lacking, set.ids[i])
	}
}

func widthOfType(p *pass, v *counterData) {
	if v.index < len(v.of.widths) {
		if n := v.of.widths[v.index]; n != 0 && v.data != n {
			p.field(v, "dwDataSize", v.data, "%d, as the counter's type says", n)
		}
	}
}
