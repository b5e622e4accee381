package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryCounter is a counter of a [Result].
// Source: PERF_MULTI_COUNTERS.
type QueryCounter struct {
	// CounterId is the counter's id in its set.
	CounterId uint32
	// Size is the size of its values: 4 or 8 bytes. 0 means 8.
	Size uint32
	// Bytes makes its values bytes, each with its own length, instead of numbers. Windows writes
	// numbers only; but each value has a length in the data, so a reader may meet any. Decoding
	// sets Bytes if the values are neither all of 4 bytes nor all of 8.
	Bytes bool
}

// maxCounters is the largest number of counters of a set. The page of PERF_COUNTER_REG_INFO
// says 64,000, the comments in perflib.h 64K, which is more.
const maxCounters = 1 << 16

func (r *Result) checkCounter(c QueryCounter) error {
	here := layout.Path{}
	switch {
	case !r.hasIDs() && c.CounterId != 0:
		return fault(here, "CounterId", layout.ErrRange, "is %d, must be 0: %v has no ids", c.CounterId, r.Type)
	case c.CounterId == layout.PERF_WILDCARD_COUNTER:
		return fault(here, "CounterId", layout.ErrRange, wildcardID, c.CounterId)
	case c.Bytes && c.Size != 0:
		return fault(here, "Size", layout.ErrRange, "is %d, must be 0 with Bytes: each value has its own size", c.Size)
	case c.Size != 0 && c.Size != 4 && c.Size != 8:
		return fault(here, "Size", layout.ErrRange, "is %d, must be 0, 4 or 8", c.Size)
	}
	return nil
}

// wildcardID is the text of an error about a counter with the id that selects all.
const wildcardID = "is %d, must be the id of one counter: this value selects all"

// size returns the size of a number.
func (c QueryCounter) size() uint32 {
	if c.Size == 0 {
		return 8
	}
	return c.Size
}

// idBytes is the size of a counter's id.
const idBytes = 4

// idsLen returns the length of the ids without padding.
func (r *Result) idsLen() uint64 {
	return uint64(layout.PERF_MULTI_COUNTERS.Size) + idBytes*uint64(len(r.Counters))
}

// appendIDs appends the ids, whole bytes with their padding.
func (r *Result) appendIDs(b []byte, whole uint64) []byte {
	start, size := len(b), uint32(whole)
	if r.ShortIDs {
		size = uint32(r.idsLen())
	}
	b = wire.MultiCounters{DwSize: size, DwCounters: uint32(len(r.Counters))}.Append(b)
	for _, c := range r.Counters {
		b = le.AppendUint32(b, c.CounterId)
	}
	return zeroTo(b, start+int(whole))
}

// counterIDs decodes the ids of the counters and returns where they and their padding end.
func (d *decoder) counterIDs(v layout.Result, out *Result) (end int64, err error) {
	r := &layout.PERF_MULTI_COUNTERS
	ids, err := v.IDs()
	if err != nil {
		return 0, err
	}
	if ids.DwCounters() > maxCounters {
		return 0, broken(ids.Path(), r, ids.Span, "dwCounters", ErrTooLarge, "is %d, must be at most %d", ids.DwCounters(), maxCounters)
	}
	if n := ids.DwCounters(); n > 0 {
		out.Counters = make([]QueryCounter, 0, n)
	}
	for id := range ids.All() {
		at := uint64(r.Size) + idBytes*uint64(len(out.Counters))
		if id == layout.PERF_WILDCARD_COUNTER {
			return 0, &layout.Error{Path: ids.Path(), Off: ids.Off() + int64(at), Len: idBytes, Err: layout.Faultf(layout.ErrRange, "the id "+wildcardID, id)}
		}
		out.Define(QueryCounter{CounterId: id})
	}
	need, size, whole := out.idsLen(), uint64(ids.DwSize()), uint64(ids.Len())
	switch padded := up(need, layout.Align); {
	case size == padded: // the usual form
	case size != need:
		return 0, broken(ids.Path(), r, ids.Span, "dwSize", layout.ErrBounds, "is %d, but %d ids take %d", size, len(out.Counters), padded)
	case whole == padded:
		out.ShortIDs = true
	default:
		d.loseField(ids.Path(), r, ids.Span, "dwSize", "is %d without padding, must be %d", size, padded)
	}
	padding, _ := ids.Sub(need, whole-need)
	d.loseUnlessZero(ids.Path().Field("padding"), padding)
	return ids.End(), nil
}
