package layout

// CounterData is a view of a PERF_COUNTER_DATA and everything in its dwSize: one value.
type CounterData struct {
	Span
	result, instance, index int // instance is -1 for a value without an instance
}

func readCounterData(s Span, result, instance, index int) (CounterData, error) {
	v := CounterData{result: result, instance: instance, index: index}
	var err *Error
	if v.Span, err = s.record(&PERF_COUNTER_DATA); err != nil {
		return v, err.under(v.Path())
	}
	return v, nil
}

// eachValue yields the n values at the start of s. A fault is the last pair.
func eachValue(s Span, result, instance int, n uint64, yield func(CounterData, error) bool) {
	for i := range n {
		v, err := readCounterData(s, result, instance, int(i))
		if !yield(v, err) || err != nil {
			return
		}
		s = s.from(uint64(v.Len()))
	}
}

// skipValues returns the bytes after the n values at the start of s.
func skipValues(s Span, result, instance int, n uint64) (Span, error) {
	for i := range n {
		v, err := readCounterData(s, result, instance, int(i))
		if err != nil {
			return Span{}, err
		}
		s = s.from(uint64(v.Len()))
	}
	return s, nil
}

// Path returns the value's path, result[i].data[k] or result[i].instance[j].data[k].
func (v CounterData) Path() Path {
	path := Path{}.At("result", v.result)
	if v.instance >= 0 {
		path = path.At("instance", v.instance)
	}
	return path.At("data", v.index)
}

// Index returns the position of the value, which is also that of its id if there are ids.
func (v CounterData) Index() int { return v.index }

// Value returns the dwDataSize bytes of the value. The error is an [*Error] at dwDataSize
// that wraps [ErrBounds] if they are not inside dwSize.
func (v CounterData) Value() (Span, error) {
	value, err := v.Sub(SizeofCounterData, uint64(v.DwDataSize()))
	if err != nil {
		return Span{}, PERF_COUNTER_DATA.fault("dwDataSize", v.Span, v.Path(), err)
	}
	return value, nil
}

// values walks the n values at the start of s, which belong to the record at path. It
// returns the bytes after them, and false if a fault or the caller ended the list.
func (w *walker) values(s Span, path Path, n uint64) (Span, bool) {
	return w.list(&PERF_COUNTER_DATA, s, path, n, func(one, after Span, i int) (Span, bool) {
		at := path.At("data", i)
		if !w.record(&PERF_COUNTER_DATA, one, at) {
			return after, true
		}
		tail, size := one.from(SizeofCounterData), uint64(CounterData{Span: one}.DwDataSize())
		value, err := one.Sub(SizeofCounterData, size)
		if err != nil {
			w.bytes(tail, UnreadPart, at.Field("padding"), PERF_COUNTER_DATA.fault("dwDataSize", one, at, err))
			return after, true
		}
		if value.Len() > 0 || w.find != nil {
			w.part(untyped(value, at.Field("value")))
		}
		w.bytes(tail.from(size), PaddingPart, at.Field("padding"), nil)
		return after, true
	})
}
