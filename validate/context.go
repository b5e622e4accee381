package validate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A Context is what a rule cannot see in the bytes. Rules that need what is not
// given are silent.
type Context struct {
	// Query is what was asked for: "Global", "238 6", "Metadata Global". Nil is not known.
	Query *string

	// FirstCounter and LastCounter are the title indexes that lodctr gave the
	// provider whose objects these are, the values First Counter and Last Counter
	// of its Performance key. A LastCounter of 0, or less than FirstCounter, is not known.
	FirstCounter, LastCounter uint32

	// Identifiers are what PerfQueryCounterInfo returned for the query that query data
	// answers: their Index leads to the answers. Nil is not known.
	Identifiers []byte

	// Registrations are what PerfQueryCounterSetRegistrationInfo returned for
	// PERF_REG_COUNTERSET_STRUCT, one for each counter set that is known. Query data
	// without Identifiers, and strings, do not say of which set they are: only where there
	// is one registration is it theirs.
	Registrations [][]byte

	// Role is what identifiers are for.
	Role Role

	// Counters is how many counters the set of an instance block has, 0 for not known.
	Counters uint32
}

// A Role is what identifiers are for, which their bytes do not tell.
type Role uint8

const (
	AnyRole   Role = iota // not known
	GivenRole             // they are given to PerfAddCounters or PerfDeleteCounters
	ToldRole              // PerfQueryCounterInfo returned them
)

// known is what the buffers of a [Context] say.
type known struct {
	identifiers []layout.CounterIdentifier // by the Index of each; nil where they are not known
	told        int                        // how many identifiers there are, -1 if that is not known
	sets        map[layout.GUID]*counterSet
	only        *counterSet // the one there is, nil if there are none or several
}

// A counterSet is what is registered of one.
type counterSet struct {
	instances layout.InstanceType
	counters  map[uint32]layout.CounterType // by CounterId
	ids       []uint32                      // of the counters, from the least on
}

// know reads the buffers of the context. The error says which of them cannot be read.
func (k *known) know(ctx Context) error {
	*k = known{told: -1}
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
	if len(k.sets) > 1 { // which of them a buffer is about only identifiers tell
		k.only = nil
	}
	return nil
}

func (k *known) readIdentifiers(b []byte) error {
	var all []layout.CounterIdentifier
	for id, err := range layout.ReadCounterIdentifiers(b) {
		if err != nil {
			return err
		}
		all = append(all, id)
	}
	k.told = len(all)
	if k.identifiers = byIndex(all); k.identifiers == nil && len(all) > 0 {
		return layout.Faultf(layout.ErrRange, "their Index values are not 0 to %d, each once, as those of PerfQueryCounterInfo are", len(all)-1)
	}
	return nil
}

// byIndex returns the identifiers in the order of their Index, nil where those are not
// the numbers from 0 on.
func byIndex(all []layout.CounterIdentifier) []layout.CounterIdentifier {
	placed, ordered := make([]bool, len(all)), make([]layout.CounterIdentifier, len(all))
	for _, id := range all {
		i := id.Index()
		if uint64(i) >= uint64(len(all)) || placed[i] {
			return nil
		}
		placed[i], ordered[i] = true, id
	}
	return ordered
}

func (k *known) readSet(b []byte) error {
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
