package validate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A Context has facts that the bytes of a block do not show, such as the query. If a rule requires
// a fact that is not known, the rule reports nothing.
type Context struct {
	// Query is the value name of the query, such as "Global", "238 6" or "Metadata Global".
	// Nil means not known.
	Query *string

	// FirstCounter and LastCounter are the first and the last title index of the provider:
	// the values First Counter and Last Counter that lodctr wrote to the provider's
	// Performance key. They are not known if LastCounter is 0 or less than FirstCounter.
	FirstCounter, LastCounter uint32

	// Identifiers is the buffer that PerfQueryCounterInfo returned for the query. The
	// Index of an identifier is the index of its result in the query data. Nil means not known.
	Identifiers []byte

	// Registrations are the buffers that PerfQueryCounterSetRegistrationInfo returned for
	// PERF_REG_COUNTERSET_STRUCT, one for each known counter set. Neither query data nor a string
	// buffer contains the GUID of its counter set. For query data with Identifiers, the GUIDs are in
	// Identifiers. For query data without Identifiers, and for a string buffer, rules use a
	// registration only if it is the only one.
	Registrations [][]byte

	// Role is the purpose of a block of identifiers.
	Role Role

	// Counters is the number of counters in the counter set of an instance block. 0 means
	// not known.
	Counters uint32
}

// A Role is the purpose of a block of identifiers.
type Role uint8

const (
	AnyRole      Role = iota // not known
	PassedRole               // input of PerfAddCounters or PerfDeleteCounters
	ReturnedRole             // output of PerfQueryCounterInfo
)

type contextFacts struct {
	identifiers []layout.CounterIdentifier // sorted by Index, nil if not known
	sets        map[layout.GUID]*counterSet
	only        *counterSet // the set if sets has exactly one, otherwise nil
}

// A counterSet has the instance type and the counters of a registration.
type counterSet struct {
	instances layout.InstanceType
	counters  map[uint32]layout.CounterType // by CounterId
	ids       []uint32                      // all CounterIds, sorted
}

// read reads the buffers of the context. The error names the buffer that is invalid.
func (k *contextFacts) read(ctx Context) error {
	*k = contextFacts{}
	if ctx.Identifiers != nil {
		if err := k.readIdentifiers(ctx.Identifiers); err != nil {
			return fmt.Errorf("the identifiers of the context: %w", err)
		}
	}
	for i, b := range ctx.Registrations {
		if err := k.readSet(b); err != nil {
			return fmt.Errorf("registration %d of the context: %w", i, err)
		}
	}
	if len(k.sets) > 1 {
		k.only = nil
	}
	return nil
}

func (k *contextFacts) readIdentifiers(b []byte) error {
	all := []layout.CounterIdentifier{} // nil would mean that they are not known
	for id, err := range layout.ReadCounterIdentifiers(b) {
		if err != nil {
			return err
		}
		all = append(all, id)
	}
	slices.SortFunc(all, func(a, b layout.CounterIdentifier) int { return cmp.Compare(a.Index(), b.Index()) })
	for i, id := range all {
		if int64(id.Index()) != int64(i) {
			return layout.Faultf(layout.ErrRange, "the Index values must be 0 to %d, each once, as PerfQueryCounterInfo returns them", len(all)-1)
		}
	}
	k.identifiers = all
	return nil
}

func (k *contextFacts) readSet(b []byte) error {
	reg, err := layout.ReadCounterSetRegInfo(b)
	if err != nil {
		return err
	}
	set := &counterSet{instances: reg.InstanceType(), counters: make(map[uint32]layout.CounterType)}
	for c, err := range reg.Counters() {
		if err != nil {
			return err
		}
		if _, twice := set.counters[c.CounterId()]; !twice {
			set.counters[c.CounterId()] = c.Type()
		}
	}
	set.ids = slices.Sorted(maps.Keys(set.counters))
	if k.sets == nil {
		k.sets, k.only = make(map[layout.GUID]*counterSet), set
	}
	if k.sets[reg.CounterSetGuid()] == nil {
		k.sets[reg.CounterSetGuid()] = set
	}
	return nil
}

const (
	needsIdentifiers   = "the identifiers of the query"
	needsRegistrations = "the registration of the counter set"
)

// relate sets the identifier and the counter set of a result, if they are known.
func (p *pass) relate(a *result) {
	k := &p.known
	if a.index < len(k.identifiers) {
		a.identifier = &k.identifiers[a.index]
		a.set = k.sets[a.identifier.CounterSetGuid()]
	} else if k.identifiers == nil {
		a.set = k.only
	}
}
