package fuzz

// A Config bounds what is made. A number of 0 or less stands for its default, one of
// objects or instances above 10,000 for that, one of counters above 1,000 for that, and
// the zero Config for all that the format allows. Such numbers are reached only from bytes:
// a seed makes some tens. For [Break] the most is 100, and what it needs for a fault may be
// a few more, or what ASCII, Numbers or Computed leave out.
type Config struct {
	MaxObjects   int // objects in a block, answers in query data, identifiers or GUIDs, 4
	MaxCounters  int // counters of an object or set without those they refer to, or of an answer, 10
	MaxInstances int // instances of an object, of an answer or in a list, 6
	MaxText      int // characters of a name or text, but for one such as _Total, and before what tells two names apart, 24

	// ASCII leaves out letters that are no printable ASCII, and code pages. What is bytes
	// and no text, which Numbers leaves out, stays as it is.
	ASCII bool
	// Numbers leaves out counters whose values are not numbers of 4 or 8 bytes.
	Numbers bool
	// Computed leaves out lengths, offsets, sizes and clocks other than those that the
	// format computes: no gaps, nothing longer than it need be, no value in two places.
	Computed bool
}

// The most of a list. A set has 65,536 counters at the most, and each brings up to four that
// it refers to; and an instance has a value of each counter, whatever it is made of.
const (
	mostOf       = 10_000
	mostCounters = 1_000
)

func (c Config) withDefaults() Config {
	for _, f := range []struct {
		field *int
		value int
	}{{&c.MaxObjects, 4}, {&c.MaxCounters, 10}, {&c.MaxInstances, 6}, {&c.MaxText, 24}} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	c.MaxCounters = min(c.MaxCounters, mostCounters)
	return c.atMost(mostOf)
}

// atMost returns c with no list longer than n.
func (c Config) atMost(n int) Config {
	for _, list := range []*int{&c.MaxObjects, &c.MaxCounters, &c.MaxInstances} {
		*list = min(*list, n)
	}
	return c
}
