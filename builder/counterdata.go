package builder

import (
	"math"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// texts returns the number of counters whose Bytes is true.
func (r *Result) texts() (n int) {
	for _, c := range r.Counters {
		if c.Bytes {
			n++
		}
	}
	return n
}

// queryValues has the values of one instance, as in the model, and the counters that they belong
// to. Each value is encoded as a PERF_COUNTER_DATA.
type queryValues struct {
	counters []QueryCounter
	numbers  []uint64
	texts    []string
}

// plan checks the values and returns the length of their records. texts is the number of counters
// whose Bytes is true.
func (v queryValues) plan(texts int) (total uint64, err error) {
	switch {
	case len(v.numbers) != len(v.counters):
		return 0, fault(layout.Path{}, "Values", ErrCount, "has %s for %s, must have one for each", quote.Count(len(v.numbers), "value"), quote.Count(len(v.counters), "counter"))
	case len(v.texts) != texts:
		return 0, fault(layout.Path{}, "Texts", ErrCount, "has %s for %s whose Bytes is true, must have one for each", quote.Count(len(v.texts), "text"), quote.Count(texts, "counter"))
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
			return 0, fault(dataPath(i), "", layout.ErrRange, "is %d, must be 0: if Bytes is true, the value is in Texts", number)
		case !c.Bytes && !fits(number, c.size()):
			return 0, fault(dataPath(i), "", layout.ErrRange, "is %d, must fit the counter's 4 bytes", number)
		}
		if total += dataLen(n); total > math.MaxUint32 {
			return 0, fault(dataPath(i), "", ErrTooLarge, "makes the values take %d bytes, must be at most %d", total, uint32(math.MaxUint32))
		}
	}
	return total, nil
}

// dataLen returns the dwSize of a value of n bytes.
func dataLen(n uint64) uint64 { return up(layout.SizeofCounterData+n, layout.Align) }

// append appends the records of valid values.
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

// resize sets Size or Bytes for a value of n bytes. The value in the first instance (first is true)
// determines Size. If n is not 4 or 8, or a later n differs from Size, resize sets Bytes.
func (c *QueryCounter) resize(n uint32, first bool) {
	switch {
	case c.Bytes:
	case first && n == 4:
		c.Size = 4
	case first && n == 8, !first && n == c.size():
	default:
		c.Size, c.Bytes = 0, true
	}
}

// rowValues decodes the values of the current row. texts is the number of counters whose Bytes is
// true, and remaining is the expected number of rows to decode, including this one.
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
		if !isZero(v.Bytes()[end:]) {
			padding, _ := v.Sub(end, uint64(v.Len())-end)
			d.loseUnlessZero(v.Path().Field("padding"), padding)
		}
		if want := up(end, layout.Align); uint64(v.Len()) != want {
			d.loseField(v.Path(), &layout.PERF_COUNTER_DATA, v.Span, "dwSize", "is %d, must be %d", v.Len(), want)
		}
	}
	return numbers, strings
}
