package builder

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// maxCounters is how many counters a set may have. The page of PERF_COUNTER_REG_INFO says
// 64,000, the comments of perflib.h 64K, which is more.
const maxCounters = 1 << 16

func (r *Result) hasIDs() bool {
	return r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET
}

func (r *Result) hasInstances() bool {
	return r.Type == layout.PERF_MULTIPLE_INSTANCES || r.Type == layout.PERF_COUNTERSET
}

// check looks at all but the values.
func (r *Result) check() error {
	here := layout.Path{}
	switch {
	case !r.Type.Valid():
		return fault(here, "Type", layout.ErrRange, "%v is not one of the five types", r.Type)
	case r.Type == layout.PERF_ERROR_RETURN && len(r.Counters) > 0:
		return fault(here, "Counters", ErrCount, "%v goes with no counters, and there are %d", r.Type, len(r.Counters))
	case r.Type != layout.PERF_ERROR_RETURN && !r.hasIDs() && len(r.Counters) != 1:
		return fault(here, "Counters", ErrCount, "%v goes with one counter, and there are %d", r.Type, len(r.Counters))
	case len(r.Counters) > maxCounters:
		return fault(here, "Counters", ErrTooLarge, "%d counters are more than the %d that a set can have", len(r.Counters), maxCounters)
	case !r.hasInstances() && len(r.Instances) > 0:
		return fault(here, "Instances", ErrCount, "%v goes with no instances, and there are %d", r.Type, len(r.Instances))
	case r.hasInstances() && (len(r.Values) > 0 || len(r.Texts) > 0):
		return fault(here, "Values", ErrCount, "%v has no values but those of its instances", r.Type)
	case r.ShortIDs && (!r.hasIDs() || len(r.Counters)%2 == 0):
		return fault(here, "ShortIDs", layout.ErrRange, "only an odd number of ids has padding behind it")
	}
	for i, c := range r.Counters {
		if err := r.checkCounter(c); err != nil {
			return within(counterPath(i), err)
		}
	}
	return nil
}

func (r *Result) checkCounter(c QueryCounter) error {
	here := layout.Path{}
	switch {
	case !r.hasIDs() && c.CounterId != 0:
		return fault(here, "CounterId", layout.ErrRange, "%d, but %v has no ids: it is 0", c.CounterId, r.Type)
	case c.CounterId == layout.PERF_WILDCARD_COUNTER:
		return fault(here, "CounterId", layout.ErrRange, "%d is no counter's: it asks for all", c.CounterId)
	case c.Bytes && c.Size != 0:
		return fault(here, "Size", layout.ErrRange, "%d, but values of Bytes have each their own: it is 0", c.Size)
	case c.Size != 0 && c.Size != 4 && c.Size != 8:
		return fault(here, "Size", layout.ErrRange, "%d is no size of a number: it is 4, 8 or 0", c.Size)
	}
	return nil
}

// size returns the bytes of a number.
func (c QueryCounter) size() uint32 {
	if c.Size == 0 {
		return 8
	}
	return c.Size
}

// texts returns how many counters have values of bytes.
func (r *Result) texts() (n int) {
	for _, c := range r.Counters {
		if c.Bytes {
			n++
		}
	}
	return n
}

// queryValues are values beside the counters they belong to.
type queryValues struct {
	counters []QueryCounter
	numbers  []uint64
	texts    []string
}

// plan checks the values, of which so many are to be bytes, and returns what they take.
func (v queryValues) plan(texts int) (total uint64, err error) {
	switch {
	case len(v.numbers) != len(v.counters):
		return 0, fault(layout.Path{}, "Values", ErrCount, "%d values for %d counters", len(v.numbers), len(v.counters))
	case len(v.texts) != texts:
		return 0, fault(layout.Path{}, "Texts", ErrCount, "%d texts for %d counters of Bytes", len(v.texts), texts)
	}
	text := 0
	for i, c := range v.counters {
		n := uint64(c.size())
		if c.Bytes {
			n = uint64(len(v.texts[text]))
			text++
		}
		switch number := v.numbers[i]; {
		case c.Bytes && number != 0:
			return 0, fault(dataPath(i), "", layout.ErrRange, "%d, but a counter of Bytes has no number: it is 0", number)
		case !c.Bytes && !fits(number, c.size()):
			return 0, fault(dataPath(i), "", layout.ErrRange, "%d does not fit the counter's 4 bytes", number)
		}
		if total += dataLen(n); total > math.MaxUint32 {
			return 0, fault(dataPath(i), "", ErrTooLarge, "with it the values take %d bytes, which does not fit 32 bits", total)
		}
	}
	return total, nil
}

// dataLen returns the dwSize of a value of n bytes.
func dataLen(n uint64) uint64 { return up(uint64(layout.PERF_COUNTER_DATA.Size)+n, layout.Align) }

func resultPath(i int) layout.Path { return layout.Path{}.At("result", i) }
func dataPath(i int) layout.Path   { return layout.Path{}.At("data", i) }
