package validate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/perfblock/perfblock/layout"
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
