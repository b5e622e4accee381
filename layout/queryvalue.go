package layout

// CounterData is a view of a PERF_COUNTER_DATA and all of its dwSize: one value.
type CounterData struct {
	Span
	result, instance, index int // instance is -1 where there is none
}

func readRaw(s Span, result, instance, index int) (CounterData, error) {
	v := CounterData{result: result, instance: instance, index: index}
	whole, err := s.record(&PERF_COUNTER_DATA)
	if err != nil {
		v.Span = PERF_COUNTER_DATA.blank()
		return v, err.under(v.Path())
	}
	v.Span = whole
	return v, nil
}

// raws yields n values from s on. A fault is the last pair.
func raws(s Span, result, instance int, n uint64, yield func(CounterData, error) bool) {
	for i := range n {
		v, err := readRaw(s, result, instance, int(i))
		if !yield(v, err) || err != nil {
			return
		}
		s = s.from(uint64(v.Len()))
	}
}

// skipRaws returns what is behind n values from s on.
func skipRaws(s Span, result, instance int, n uint64) (Span, error) {
	for i := range n {
		v, err := readRaw(s, result, instance, int(i))
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

// Index returns the position of the value, which is that of its id where there are ids.
func (v CounterData) Index() int { return v.index }

// Value returns the bytes of the value, dwDataSize of them. The error is an [*Error] at
// dwDataSize that wraps [ErrBounds] where they do not lie in dwSize.
func (v CounterData) Value() (Span, error) {
	value, err := v.Sub(uint64(PERF_COUNTER_DATA.Size), uint64(v.DwDataSize()))
	if err != nil {
		return Span{}, PERF_COUNTER_DATA.fault("dwDataSize", v.Span, v.Path(), err)
	}
	return value, nil
}
