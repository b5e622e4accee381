package builder

import (
	"cmp"
	"math"
	"slices"

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
	// Bytes means that the values are in Texts and not in Values. Each value is a string of bytes with its own length.
	// Windows writes numbers only, but the format allows values of any length. Decoding sets Bytes if the values have
	// different lengths, or if their length is not 4 or 8.
	Bytes bool
}

// maxCounters is the largest number of counters in a set. The comments in perflib.h say 64K. The documentation of
// PERF_COUNTER_REG_INFO says 64,000.
const maxCounters = 1 << 16

func (r *Result) checkCounter(c QueryCounter) error {
	var all faults
	switch {
	case !r.hasIDs() && c.CounterId != 0:
		all.add(fault("CounterId", layout.ErrRange, "is %d, must be 0: %v has no ids", c.CounterId, r.Type))
	case c.CounterId == layout.PERF_WILDCARD_COUNTER:
		all.add(fault("CounterId", layout.ErrRange, wildcardID, c.CounterId))
	}
	switch {
	case c.Bytes && c.Size != 0:
		all.add(fault("Size", layout.ErrRange, "is %d, must be 0: if Bytes is true, each value has its own size", c.Size))
	case c.Size != 0 && c.Size != 4 && c.Size != 8:
		all.add(fault("Size", layout.ErrRange, "is %d, must be 0, 4 or 8", c.Size))
	}
	return all.err()
}

// wildcardID is the error text for the counter id PERF_WILDCARD_COUNTER.
const wildcardID = "is %d, must be the id of one counter: this value selects all counters"

// size returns the number of bytes of a numeric value: 4 or 8.
func (c QueryCounter) size() uint32 { return cmp.Or(c.Size, 8) }

const idBytes = 4

// idsLen returns the length of the PERF_MULTI_COUNTERS without padding.
func (r *Result) idsLen() uint64 {
	return layout.SizeofMultiCounters + idBytes*uint64(len(r.Counters))
}

// appendIDs appends the PERF_MULTI_COUNTERS and its padding. whole is the length of both.
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
	out.Counters = slices.Grow(out.Counters, int(ids.DwCounters()))
	for id := range ids.All() {
		at := uint64(r.Size) + idBytes*uint64(len(out.Counters))
		if id == layout.PERF_WILDCARD_COUNTER {
			return 0, &layout.Error{Path: ids.Path(), Off: ids.Off() + int64(at), Len: idBytes, Err: layout.Faultf(layout.ErrRange, "the id "+wildcardID, id)}
		}
		out.Define(QueryCounter{CounterId: id})
	}
	need, size, whole := out.idsLen(), uint64(ids.DwSize()), uint64(ids.Len())
	switch padded := roundUp(need, layout.Align); {
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

// textCount returns the number of counters whose Bytes is true.
func textCount(counters []QueryCounter) (n int) {
	for _, c := range counters {
		if c.Bytes {
			n++
		}
	}
	return n
}

// queryValues holds the counters and values of one instance. A value is encoded as a PERF_COUNTER_DATA.
type queryValues struct {
	counters []QueryCounter
	numbers  []uint64
	texts    []string
}

// plan checks the values and returns the total length of the PERF_COUNTER_DATA records.
func (v queryValues) plan() (total uint64, err error) {
	switch texts := textCount(v.counters); {
	case len(v.numbers) != len(v.counters):
		return 0, fault("Values", ErrCount, "has %s for %s, must have one for each counter", quote.Count(len(v.numbers), "value"), quote.Count(len(v.counters), "counter"))
	case len(v.texts) != texts:
		return 0, fault("Texts", ErrCount, "has %s, must have %d: one text for each counter whose Bytes is true", quote.Count(len(v.texts), "text"), texts)
	}
	var all faults
	text := 0
	for i, c := range v.counters {
		n := uint64(c.size())
		if c.Bytes {
			n = uint64(len(v.texts[text]))
			text++
		}
		switch number := v.numbers[i]; {
		case c.Bytes && number != 0:
			all.add(within(dataPath(i), fault("", layout.ErrRange, "is %d, must be 0: if Bytes is true, the value is in Texts", number)))
		case !c.Bytes && !fits(number, c.size()):
			all.add(within(dataPath(i), fault("", layout.ErrRange, "is %d, must fit the counter's 4 bytes", number)))
		}
		if total += dataLen(n); total > math.MaxUint32 {
			all.add(within(dataPath(i), fault("", ErrTooLarge, "makes the total length of the values %d bytes, must be at most %d", total, uint32(math.MaxUint32))))
			break
		}
	}
	return total, all.err()
}

// dataLen returns the dwSize of a value of n bytes.
func dataLen(n uint64) uint64 { return roundUp(layout.SizeofCounterData+n, layout.Align) }

// append appends a PERF_COUNTER_DATA for each value. The values must be valid.
func (v queryValues) append(b []byte) []byte {
	text := 0
	for i, c := range v.counters {
		start, n := len(b), uint64(c.size())
		if c.Bytes {
			n = uint64(len(v.texts[text]))
		}
		whole := dataLen(n)
		b = wire.CounterData{DwDataSize: uint32(n), DwSize: uint32(whole)}.Append(b)
		value := len(b)
		b = zeroTo(b, start+int(whole))
		if c.Bytes {
			copy(b[value:], v.texts[text])
			text++
		} else {
			putNumber(b[value:], c.size(), v.numbers[i])
		}
	}
	return b
}

// resize sets Size and Bytes of a counter so that they fit a value of n bytes and all earlier values. If first is true,
// there is no earlier value.
func (c *QueryCounter) resize(n uint32, first bool) {
	switch {
	case c.Bytes:
	case first && n == 4:
		c.Size = 4
	case first && n == 8, !first && n == c.size(): // a Size of 0 means 8
	default:
		c.Size, c.Bytes = 0, true
	}
}

// rowValues decodes the values of the current row. texts is the number of counters whose Bytes is true.
func (d *decoder) rowValues(out *Result, texts, remaining int) (numbers []uint64, strings []string) {
	if len(out.Counters) > 0 {
		numbers = d.rows.AppendValues(d.numbers.take(len(out.Counters), remaining)[:0])
	}
	if texts > 0 {
		strings = d.lists.take(texts, remaining)[:0]
	}
	for i, c := range out.Counters {
		if c.Bytes {
			numbers[i], strings = 0, append(strings, d.strings.add(d.rows.Bytes(i), remaining))
		}
		v := d.rows.Data(i)
		end := layout.SizeofCounterData + uint64(v.DwDataSize())
		if !isZero(v.Bytes()[end:]) || uint64(v.Len()) != roundUp(end, layout.Align) {
			d.loseEnd(v.Path(), &layout.PERF_COUNTER_DATA, v.Span, end)
		}
	}
	return numbers, strings
}
