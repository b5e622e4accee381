package fuzz

import "cmp"

// A Config bounds what the generator makes. The zero Config allows all that the format allows. A bound of 0 or less
// means its default. The largest bounds are 10,000 objects or instances and 1,000 counters. A model from a seed has
// some tens of records even if the bounds are larger; a model from bytes can have more. [Break] limits each list to 100
// records and may add a few records. It may ignore ASCII, Numbers and Computed.
type Config struct {
	MaxObjects   int // objects in a block, results, identifiers or GUIDs; 4 by default
	MaxCounters  int // counters of an object, set or result, without the counters they refer to; 10 by default
	MaxInstances int // instances of an object, of a result or in a list; 6 by default
	MaxText      int // characters of a text; "_Total", and a number that makes a name unique, may exceed it; 24 by default

	// ASCII leaves out code pages, and all characters of texts except printable ASCII. Values that are bytes but not
	// text may still have any bytes; Numbers leaves out such values.
	ASCII bool
	// Numbers leaves out counters whose values are not numbers of 4 or 8 bytes.
	Numbers bool
	// Computed leaves out lengths, offsets, sizes and clocks other than those the encoder computes. A block then has no
	// gaps, no extra bytes in records, and no two values at one offset.
	Computed bool
}

// The largest values of the bounds in a Config. The bound for counters is lower than the others, because every instance
// has a value for each counter, and because the generator adds up to four counters to which a counter of a set refers.
// A set has at most 65,536 counters.
const (
	mostOf       = 10_000
	mostCounters = 1_000
)

func (c Config) withDefaults() Config {
	c.MaxObjects, c.MaxText = cmp.Or(max(c.MaxObjects, 0), 4), cmp.Or(max(c.MaxText, 0), 24)
	c.MaxCounters = min(cmp.Or(max(c.MaxCounters, 0), 10), mostCounters)
	c.MaxInstances = cmp.Or(max(c.MaxInstances, 0), 6)
	return c.atMost(mostOf)
}

// atMost returns c with lists of at most n records.
func (c Config) atMost(n int) Config {
	c.MaxObjects, c.MaxCounters, c.MaxInstances = min(c.MaxObjects, n), min(c.MaxCounters, n), min(c.MaxInstances, n)
	return c
}
