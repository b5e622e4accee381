package fuzz

// A Config bounds what is made. A field of 0 or less stands for its default.
type Config struct {
	MaxObjects   int // objects in a block, answers in query data, identifiers or GUIDs, 4
	MaxCounters  int // counters of an object or set without those they refer to, or of an answer, 10
	MaxInstances int // instances of an object, of an answer or in a list, 6
	MaxText      int // characters of a name or text, 24
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
