package builder

import (
	"iter"

	"github.com/perfblock/perfblock/layout"
)

// queryValues decodes the values of an answer without instances, which start at end, and
// returns where they end.
func (d *decoder) queryValues(v layout.Result, out *Result, end int64) (int64, error) {
	last, err := d.widths(v.Values(), out, true)
	if err != nil {
		return 0, err
	}
	out.Values, out.Texts, err = d.numbersAndTexts(v.Values(), out, out.texts(), 1)
	return max(end, last), err
}

// queryInstances decodes the instances of an answer and returns where they end.
func (d *decoder) queryInstances(v layout.Result, out *Result) (end int64, err error) {
	instances, err := v.Instances()
	if err != nil {
		return 0, err
	}
	// Whether a counter has numbers shows in all the instances together.
	end, first := instances.Off()+int64(layout.PERF_MULTI_INSTANCES.Size), true
	for in, err := range instances.All() {
		if err != nil {
			return 0, err
		}
		last, err := d.widths(in.Values(), out, first)
		if err != nil {
			return 0, err
		}
		end, first = max(in.End(), last), false
	}
	if end != instances.End() {
		return 0, broken(instances.Path(), &layout.PERF_MULTI_INSTANCES, instances.Span, "dwTotalSize", layout.ErrBounds, "%d, but the last instance ends at %d", instances.DwTotalSize(), end-instances.Off())
	}
	// Each was there, so there are dwInstances.
	n, texts := int(instances.DwInstances()), out.texts()
	if n > 0 {
		out.Instances = make([]QueryInstance, n)
	}
	for v := range instances.All() {
		in, times := &out.Instances[v.Index()], n-v.Index()
		in.ID = v.InstanceId()
		if in.Name, in.Size, err = d.named(v.Span, &layout.PERF_INSTANCE_HEADER, v.Name(), times, v.Path); err != nil {
			return 0, err
		}
		if in.Values, in.Texts, err = d.numbersAndTexts(v.Values(), out, texts, times); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// widths looks at the length of each value of one row, of which the first says what the
// counters have, and returns where the last ends.
func (d *decoder) widths(row iter.Seq2[layout.Raw, error], out *Result, first bool) (end int64, err error) {
	for v, err := range row {
		if err != nil {
			return 0, err
		}
		if _, err := v.Value(); err != nil {
			return 0, err
		}
		switch c, n := &out.Counters[v.Index()], v.DwDataSize(); {
		case c.Bytes:
		case first && n == 4:
			c.Size = 4
		case first && n == 8, !first && n == c.size():
		default:
			c.Size, c.Bytes = 0, true
		}
		end = v.End()
	}
	return end, nil
}

// numbersAndTexts decodes one row of values, nil where there are none.
func (d *decoder) numbersAndTexts(row iter.Seq2[layout.Raw, error], out *Result, n, times int) (numbers []uint64, texts []string, err error) {
	if len(out.Counters) > 0 {
		numbers = d.numbers.take(len(out.Counters), times)
	}
	if n > 0 {
		texts = d.lists.take(n, times)
	}
	text := 0
	for v := range row { // each was read before
		value, _ := v.Value()
		if c := &out.Counters[v.Index()]; c.Bytes {
			texts[text] = d.strings.add(value.Bytes(), times)
			text++
		} else {
			numbers[v.Index()] = getNumber(value.Bytes(), c.size())
		}
		if err := d.data(v, value); err != nil {
			return nil, nil, err
		}
	}
	return numbers, texts, nil
}

// data judges what surrounds a value.
func (d *decoder) data(v layout.Raw, value layout.Span) error {
	r := &layout.PERF_COUNTER_DATA
	padding, _ := v.Sub(uint64(value.End()-v.Off()), uint64(v.End()-value.End()))
	if !isZero(padding.Bytes()) {
		if err := d.loseUnlessZero(v.Path().Field("padding"), padding); err != nil {
			return err
		}
	}
	if want := dataLen(uint64(value.Len())); uint64(v.Len()) != want {
		return d.loseField(v.Path(), r, v.Span, "dwSize", "%d instead of %d", v.Len(), want)
	}
	return nil
}
