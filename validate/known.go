package validate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// known is what the buffers of a [Context] say.
type known struct {
	identifiers []layout.Identifier // by the Index of each; nil where they are not known, or no index is in its place
	told        int                 // how many identifiers there are, -1 if that is not known
	sets        map[layout.GUID]*counterSet
	first       *counterSet // the first of them
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
	return nil
}

func (k *known) readIdentifiers(b []byte) error {
	var all []layout.Identifier
	for id, err := range layout.ReadIdentifiers(b) {
		if err != nil {
			return err
		}
		all = append(all, id)
	}
	k.told = len(all)
	k.identifiers = byIndex(all)
	return nil
}

// byIndex returns the identifiers in the order of their Index, nil where those are not
// the numbers from 0 on.
func byIndex(all []layout.Identifier) []layout.Identifier {
	placed, ordered := make([]bool, len(all)), make([]layout.Identifier, len(all))
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
	reg, err := layout.ReadRegSet(b)
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
		k.sets, k.first = make(map[layout.GUID]*counterSet), set
	}
	if k.sets[reg.CounterSetGuid()] == nil {
		k.sets[reg.CounterSetGuid()] = set
	}
	return nil
}
