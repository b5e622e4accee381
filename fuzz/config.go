package fuzz

// A Config bounds what is made. A number of 0 or less stands for its default, and the zero
// Config for all that the format allows.
type Config struct {
	MaxObjects   int // objects in a block, answers in query data, identifiers or GUIDs, 4
	MaxCounters  int // counters of an object or set without those they refer to, or of an answer, 10
	MaxInstances int // instances of an object, of an answer or in a list, 6
	MaxText      int // characters of a name or text, before what tells two names apart, 24

	// ASCII leaves out letters that are no printable ASCII, and code pages.
	ASCII bool
	// Numbers leaves out counters whose values are not numbers of 4 or 8 bytes.
	Numbers bool
	// Computed leaves out lengths, offsets, sizes and clocks other than those that the
	// format computes: no gaps, nothing longer than it need be, no value in two places.
	Computed bool
}

func (c Config) withDefaults() Config {
	for _, f := range []struct {
		field *int
		value int
	}{{&c.MaxObjects, 4}, {&c.MaxCounters, 10}, {&c.MaxInstances, 6}, {&c.MaxText, 24}} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	return c
}
