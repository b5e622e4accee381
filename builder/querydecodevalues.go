package builder

import "github.com/perfblock/perfblock/layout"

// As in decodeinstance.go, what runs for each instance or value makes no path before it
// knows of a fault or a loss. Loops over values stand where they are needed: handed to a
// function, each would need memory of its own.

// queryValues decodes the values of an answer without instances, which start at end, and
// returns where they end.
func (d *decoder) queryValues(v layout.Result, out *Result, end int64) (int64, error) {
	for v, err := range v.Values() {
		if err == nil {
			err = out.width(v, true)
		}
		if err != nil {
			return 0, err
		}
		end = v.End()
	}
	into := d.row(out, out.texts(), 1)
	for v := range v.Values() { // each was read before
		if err := into.value(v); err != nil {
			return 0, err
		}
	}
	out.Values, out.Texts = into.numbers, into.texts
	return end, nil
}

// queryInstances decodes the instances of an answer and returns where they end.
func (d *decoder) queryInstances(v layout.Result, out *Result) (int64, error) {
	instances, err := v.Instances()
	if err != nil {
		return 0, err
	}
	end, err := widths(instances, out)
	if err != nil {
		return 0, err
	}
	if end != instances.End() {
		return 0, broken(instances.Path(), &layout.PERF_MULTI_INSTANCES, instances.Span, "dwTotalSize", layout.ErrBounds, "%d, but the last instance ends at %d", instances.DwTotalSize(), end-instances.Off())
	}
	// Each was read before, so there are dwInstances.
	n, texts := int(instances.DwInstances()), out.texts()
	if n > 0 {
		out.Instances = make([]QueryInstance, n)
	}
	for v := range instances.All() {
		in, times := &out.Instances[v.Index()], n-v.Index()
		in.InstanceId = v.InstanceId()
		if in.Name, in.Size, err = d.named(v.Span, &layout.PERF_INSTANCE_HEADER, v.Name(), times, v.Path); err != nil {
			return 0, err
		}
		into := d.row(out, texts, times)
		for v := range v.Values() {
			if err := into.value(v); err != nil {
				return 0, err
			}
		}
		in.Values, in.Texts = into.numbers, into.texts
	}
	return end, nil
}

// widths says of the counters whether they have numbers, which shows in all the
// instances together, and returns where the last instance ends.
func widths(instances layout.MultiInstances, out *Result) (end int64, err error) {
	end = instances.Off() + int64(layout.PERF_MULTI_INSTANCES.Size)
	first := true
	for in, err := range instances.All() {
		if err != nil {
			return 0, err
		}
		end = in.End()
		for v, err := range in.Values() {
			if err == nil {
				err = out.width(v, first)
			}
			if err != nil {
				return 0, err
			}
			end = v.End()
		}
		first = false
	}
	return end, nil
}

// width takes the length of a value. The first row says what the counters have.
func (r *Result) width(v layout.CounterData, first bool) error {
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

// A queryRow is where the values of one instance are decoded to.
type queryRow struct {
	d        *decoder
	counters []QueryCounter
	numbers  []uint64
	texts    []string
	text     int // how many are there
	times    int
}

// row returns an empty row for the counters, of which so many have bytes. times is how
// many rows are to come, as far as is known, this one included.
func (d *decoder) row(out *Result, texts, times int) queryRow {
	r := queryRow{d: d, counters: out.Counters, times: times}
	if len(out.Counters) > 0 {
		r.numbers = d.numbers.take(len(out.Counters), times)
	}
	if texts > 0 {
		r.texts = d.lists.take(texts, times)
	}
	return r
}

// value decodes one whose length [Result.width] has taken, with what surrounds it.
func (r *queryRow) value(v layout.CounterData) error {
	value, err := v.Value()
	if err != nil {
		return err
	}
	if c := &r.counters[v.Index()]; c.Bytes {
		r.texts[r.text] = r.d.strings.add(value.Bytes(), r.times)
		r.text++
	} else {
		r.numbers[v.Index()] = getNumber(value.Bytes(), c.size())
	}
	padding, _ := v.Sub(uint64(value.End()-v.Off()), uint64(v.End()-value.End()))
	if !isZero(padding.Bytes()) {
		if err := r.d.loseUnlessZero(v.Path().Field("padding"), padding); err != nil {
			return err
		}
	}
	if want := dataLen(uint64(value.Len())); uint64(v.Len()) != want {
		return r.d.loseField(v.Path(), &layout.PERF_COUNTER_DATA, v.Span, "dwSize", "%d instead of %d", v.Len(), want)
	}
	return nil
}
