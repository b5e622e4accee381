package builder

import (
	"math"

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
		return 0, fault(layout.Path{}, "Values", ErrCount, "has %s for %s, must have one for each", count(len(v.numbers), "value"), count(len(v.counters), "counter"))
	case len(v.texts) != texts:
		return 0, fault(layout.Path{}, "Texts", ErrCount, "has %s for %s whose Bytes is true, must have one for each", count(len(v.texts), "text"), count(texts, "counter"))
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

// queryValues decodes the values of a result without instances. It returns the offset where the
// last value ends, or end if there are no values.
func (d *decoder) queryValues(v layout.Result, out *Result, end int64) (int64, error) {
	for v, err := range v.Values() {
		if err == nil {
			err = out.size(v, true)
		}
		if err != nil {
			return 0, err
		}
		end = v.End()
	}
	into := d.collect(out, out.texts(), 1)
	for v := range v.Values() { // without errors, because the first loop has read all values
		if err := into.value(v); err != nil {
			return 0, err
		}
	}
	out.Values, out.Texts = into.numbers, into.texts
	return end, nil
}

// size sets Size or Bytes of the counter that the value v belongs to. first reports whether v is in
// the first instance, which determines Size. If the size of v is not 4 or 8, or differs from the
// size in the first instance, size sets Bytes.
func (r *Result) size(v layout.CounterData, first bool) error {
	if _, err := v.Value(); err != nil {
		return err
	}
	switch c, n := &r.Counters[v.Index()], v.DwDataSize(); {
	case c.Bytes:
	case first && n == 4:
		c.Size = 4
	case first && n == 8, !first && n == c.size():
	default:
		c.Size, c.Bytes = 0, true
	}
	return nil
}

// A valueCollector decodes the values of one instance.
type valueCollector struct {
	d         *decoder
	counters  []QueryCounter
	numbers   []uint64
	texts     []string
	text      int // the number of texts so far
	remaining int // the expected number of instances to decode, including this one
}

// collect returns a valueCollector for the counters of out. texts is the number of counters whose
// Bytes is true.
func (d *decoder) collect(out *Result, texts, remaining int) valueCollector {
	r := valueCollector{d: d, counters: out.Counters, remaining: remaining}
	if len(out.Counters) > 0 {
		r.numbers = d.numbers.take(len(out.Counters), remaining)
	}
	if texts > 0 {
		r.texts = d.lists.take(texts, remaining)
	}
	return r
}

// value decodes a value. [Result.size] must have been called for all values of its counter.
func (r *valueCollector) value(v layout.CounterData) error {
	value, err := v.Value()
	if err != nil {
		return err
	}
	if c := &r.counters[v.Index()]; c.Bytes {
		r.texts[r.text] = r.d.strings.add(value.Bytes(), r.remaining)
		r.text++
	} else {
		r.numbers[v.Index()] = getNumber(value.Bytes(), c.size())
	}
	padding, _ := v.Sub(uint64(value.End()-v.Off()), uint64(v.End()-value.End()))
	if !isZero(padding.Bytes()) {
		r.d.loseUnlessZero(v.Path().Field("padding"), padding)
	}
	if want := dataLen(uint64(value.Len())); uint64(v.Len()) != want {
		r.d.loseField(v.Path(), &layout.PERF_COUNTER_DATA, v.Span, "dwSize", "is %d, must be %d", v.Len(), want)
	}
	return nil
}
