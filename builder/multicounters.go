package builder

import (
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryCounter is a counter of a [Result].
// Source: PERF_MULTI_COUNTERS.
type QueryCounter struct {
	// CounterId is the counter's id in its set.
	CounterId uint32
	// Size is the size of the counter's values: 4 or 8 bytes. 0 means 8.
	Size uint32
	// Bytes means that the values are in Texts and not in Values. Each value is a string of bytes
	// with its own length. Windows writes numbers only, but the format allows values of any length.
	// Decoding sets Bytes unless all values of the counter have 4 bytes or all have 8.
	Bytes bool
}

// maxCounters is the largest number of counters of a set: 64K according to the comments in
// perflib.h. The page of PERF_COUNTER_REG_INFO says 64,000, which is less.
const maxCounters = 1 << 16

// checkCounter checks a counter of the result.
func (r *Result) checkCounter(c QueryCounter) error {
	here := layout.Path{}
	switch {
	case !r.hasIDs() && c.CounterId != 0:
		return fault(here, "CounterId", layout.ErrRange, "is %d, must be 0: %v has no ids", c.CounterId, r.Type)
	case c.CounterId == layout.PERF_WILDCARD_COUNTER:
		return fault(here, "CounterId", layout.ErrRange, wildcardID, c.CounterId)
	case c.Bytes && c.Size != 0:
		return fault(here, "Size", layout.ErrRange, "is %d, must be 0: if Bytes is true, each value has its own size", c.Size)
	case c.Size != 0 && c.Size != 4 && c.Size != 8:
		return fault(here, "Size", layout.ErrRange, "is %d, must be 0, 4 or 8", c.Size)
	}
	return nil
}

// wildcardID is the text of an error about a counter whose id is PERF_WILDCARD_COUNTER.
const wildcardID = "is %d, must be the id of one counter: this value selects all counters"

// size returns the size of the counter's values, if they are numbers.
func (c QueryCounter) size() uint32 {
	if c.Size == 0 {
		return 8
	}
	return c.Size
}

// idBytes is the size of a counter's id.
const idBytes = 4

// idsLen returns the length of the PERF_MULTI_COUNTERS without padding.
func (r *Result) idsLen() uint64 {
	return layout.SizeofMultiCounters + idBytes*uint64(len(r.Counters))
}

// appendIDs appends the PERF_MULTI_COUNTERS. whole is its length with padding.
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

// counterIDs decodes the PERF_MULTI_COUNTERS and returns the offset where its padding ends.
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
	case size == padded: // as Windows writes dwSize
	case size != need:
		return 0, broken(ids.Path(), r, ids.Span, "dwSize", layout.ErrBounds, "is %d, must be %d for %s with padding", size, padded, quote.Count(len(out.Counters), "id"))
	case whole == padded:
		out.ShortIDs = true
	default:
		d.loseField(ids.Path(), r, ids.Span, "dwSize", "is %d, must be %d with the padding", size, padded)
	}
	padding, _ := ids.Sub(need, whole-need)
	d.loseUnlessZero(ids.Path().Field("padding"), padding)
	return ids.End(), nil
}
