package fuzz

import "cmp"

// A Config limits the models of the generator. The zero Config has the default limits and allows everything that the
// format allows. A limit of 0 or less means the default. Limits above 10,000 objects, 1,000 counters or 10,000 instances
// are reduced to these numbers. A model from a seed has about 10 to 100 records even if the limits are larger. A model
// from bytes can have more records. [Break] limits each list to 100 records, and can add a few records. [Break] can
// ignore ASCII, Numbers and Computed.
type Config struct {
	MaxObjects   int // objects in a block, results, identifiers or GUIDs; 4 by default
	MaxCounters  int // counters of an object, set or result, without the counters they refer to; 10 by default
	MaxInstances int // instances of an object, of a result or in a list; 6 by default
	MaxText      int // characters of a text; 24 by default; "_Total" and a number that makes a name unique may exceed it

	// ASCII limits texts to printable ASCII, and leaves out code pages. Values that are byte strings still have
	// arbitrary bytes. To leave out such values, also set Numbers.
	ASCII bool
	// Numbers leaves out counters whose values are not numbers of 4 or 8 bytes.
	Numbers bool
	// With Computed, the encoder computes all lengths, offsets, sizes and clocks. A block then has no gaps, no extra
	// bytes in records, and no two values at the same offset.
	Computed bool
}

// The largest limits of a Config.
const (
	mostOf       = 10_000
	mostCounters = 1_000 // smaller than mostOf, because each instance has a value for each counter
)

func (c Config) withDefaults() Config {
	c.MaxObjects, c.MaxText = cmp.Or(max(c.MaxObjects, 0), 4), cmp.Or(max(c.MaxText, 0), 24)
	c.MaxCounters = min(cmp.Or(max(c.MaxCounters, 0), 10), mostCounters)
	c.MaxInstances = cmp.Or(max(c.MaxInstances, 0), 6)
	return c.atMost(mostOf)
}

// atMost returns a copy of c that allows at most n records in each list.
func (c Config) atMost(n int) Config {
	c.MaxObjects, c.MaxCounters, c.MaxInstances = min(c.MaxObjects, n), min(c.MaxCounters, n), min(c.MaxInstances, n)
	return c
}
