package builder

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// V2 has two records that end with a name: PERF_INSTANCE_HEADER, which has one always,
// and PERF_COUNTER_IDENTIFIER, for which an empty name is none.

// namedLen returns the Size that the record with that name needs.
func namedLen(r *layout.Record, name string) uint64 {
	if name == "" && r == &layout.PERF_COUNTER_IDENTIFIER {
		return uint64(r.Size)
	}
	return up(uint64(r.Size)+lettersLen(name, 0)+terminatorLen(0), layout.Align)
}

// planNamed checks the name and the Size that is asked for, and returns that to write.
func planNamed(r *layout.Record, name string, size uint32) (uint64, error) {
	here := layout.Path{}
	if err := checkLetters(name, 0); err != nil {
		return 0, &layout.Error{Path: here.Field("Name"), Off: -1, Err: err}
	}
	need := namedLen(r, name)
	switch {
	case need > math.MaxUint32:
		return 0, fault(here, "Name", ErrTooLarge, "with it the record takes %d bytes, which does not fit 32 bits", need)
	case size == 0:
		return need, nil
	case uint64(size) < need || size%layout.Align != 0:
		return 0, fault(here, "Size", layout.ErrRange, "%d is no length of this record: it is 0, or a multiple of 8 from %d on", size, need)
	}
	return uint64(size), nil
}

// appendName writes what stands behind the structure: b ends where that does.
func appendName(b []byte, r *layout.Record, name string, size uint64) []byte {
	start := len(b) - int(r.Size)
	b = appendLetters(b, name, 0)
	return zeroTo(b, start+int(size)) // the terminator is the first of the zeros
}
