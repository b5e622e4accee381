package layout

// query walks query data. As with a data block, what lies in a record that ends before
// its length says is shown as far as it goes.
func (w *walker) query(s Span) {
	q, cut := ReadQueryData(s.b)
	if cut != nil {
		if !s.truncated(&PERF_DATA_HEADER) {
			w.broken(&PERF_DATA_HEADER, s, Path{}, cut)
			return
		}
		q = QueryData{s}
	}
	w.record(&PERF_DATA_HEADER, s, Path{})
	rest := q.from(uint64(PERF_DATA_HEADER.Size))
	for i := range uint64(q.DwNumCounters()) {
		if rest = w.result(rest, int(i)); rest.b == nil || w.done {
			break
		}
	}
	w.bytes(rest, UnreadPart, Path{}.Field("rest"), nil)
	w.bytes(s.from(uint64(q.Len())), UnreadPart, Path{}.Field("rest"), cut)
}

// truncated reports whether the record at the start of s is there and all that is wrong
// with it is that s ends before its length.
func (s Span) truncated(r *Record) bool {
	return uint64(s.Len()) >= uint64(r.Size) && uint64(le.Uint32(s.b[r.length().At:])) > uint64(s.Len())
}

// result walks the answer at the start of s and returns what follows it, the zero Span
// where nobody knows what does.
func (w *walker) result(s Span, i int) Span {
	r, err := readResult(s, i)
	switch {
	case err != nil && s.truncated(&PERF_COUNTER_HEADER):
		w.answer(Result{s, i})
		w.bytes(s.from(uint64(s.Len())), UnreadPart, r.Path().Field("rest"), err)
		return Span{}
	case err != nil:
		w.broken(&PERF_COUNTER_HEADER, s, r.Path(), err)
		return Span{}
	}
	w.answer(r)
	return s.from(uint64(r.Len()))
}

// answer walks what the dwType of an answer says is in it.
func (w *walker) answer(r Result) {
	w.record(&PERF_COUNTER_HEADER, r.Span, r.Path())
	rest, n := r.from(uint64(PERF_COUNTER_HEADER.Size)), uint64(1)
	if !r.DwType().Valid() {
		if rest.Len() > 0 {
			w.bytes(rest, UnreadPart, r.Path().Field("rest"), r.unknown())
		}
		return
	}
	if r.HasIDs() {
		ids, err := r.IDs()
		if err != nil {
			w.broken(&PERF_MULTI_COUNTERS, rest, MultiCounters{result: r.index}.Path(), err)
			return
		}
		w.ids(ids)
		rest, n = rest.from(uint64(ids.Len())), uint64(ids.DwCounters())
	}
	switch {
	case r.HasInstances():
		rest = w.multiple(r, rest, n)
	case r.DwType() != PERF_ERROR_RETURN:
		rest = w.raws(rest, r.index, -1, n)
	}
	w.bytes(rest, UnreadPart, r.Path().Field("rest"), nil)
}

// unknown returns that the type of the answer is none of those there are.
func (r Result) unknown() *Error {
	err := Faultf(ErrRange, "%v is no type of answer, so nobody knows what follows", r.DwType())
	return PERF_COUNTER_HEADER.fault("dwType", r.Span, r.Path(), err)
}

func (w *walker) ids(ids MultiCounters) {
	w.record(&PERF_MULTI_COUNTERS, ids.Span, ids.Path())
	rest := ids.from(uint64(PERF_MULTI_COUNTERS.Size))
	for i := range uint64(ids.DwCounters()) {
		w.part(item(&counterID, rest, ids.Path(), int(i)))
		rest = rest.from(idBytes)
		if w.done {
			return
		}
	}
	w.bytes(rest, PaddingPart, ids.Path().Field("padding"), nil)
}

// multiple walks the instances of an answer, each with n values, and returns what
// follows them.
func (w *walker) multiple(r Result, s Span, n uint64) Span {
	path := MultiInstances{result: r.index}.Path()
	whole, err := s.record(&PERF_MULTI_INSTANCES)
	switch {
	case err == nil:
		w.named(MultiInstances{whole, r.index, n})
		return s.from(uint64(whole.Len()))
	case s.truncated(&PERF_MULTI_INSTANCES):
		w.named(MultiInstances{s, r.index, n})
		w.bytes(s.from(uint64(s.Len())), UnreadPart, path.Field("rest"), err.under(path))
	default:
		w.broken(&PERF_MULTI_INSTANCES, s, path, err.under(path))
	}
	return Span{}
}

func (w *walker) named(in MultiInstances) {
	w.record(&PERF_MULTI_INSTANCES, in.Span, in.Path())
	rest := in.from(uint64(PERF_MULTI_INSTANCES.Size))
	for i := range uint64(in.DwInstances()) {
		n, ok := w.instance(rest, in.result, int(i), in.values)
		if !ok {
			return
		}
		if rest = w.raws(n.rest, in.result, int(i), in.values); rest.b == nil || w.done {
			return
		}
	}
	w.bytes(rest, UnreadPart, in.Path().Field("rest"), nil)
}

// instance walks the PERF_INSTANCE_HEADER at the start of s, and reports whether it
// can be read.
func (w *walker) instance(s Span, result, i int, values uint64) (InstanceHeader, bool) {
	n, err := readNamed(s, result, i, values)
	if err != nil {
		w.broken(&PERF_INSTANCE_HEADER, s, n.Path(), err)
		return n, false
	}
	w.record(&PERF_INSTANCE_HEADER, n.Span, n.Path())
	w.name(n.from(uint64(PERF_INSTANCE_HEADER.Size)), n.Name(), n.Path(), "Name")
	return n, true
}

// raws walks n values and returns what follows them, the zero Span where one of them
// cannot be read.
func (w *walker) raws(s Span, result, instance int, n uint64) Span {
	for i := range n {
		v, err := readRaw(s, result, instance, int(i))
		if err != nil {
			w.broken(&PERF_COUNTER_DATA, s, v.Path(), err)
			return Span{}
		}
		w.record(&PERF_COUNTER_DATA, v.Span, v.Path())
		tail := v.from(uint64(PERF_COUNTER_DATA.Size))
		value, err := v.Value()
		if err != nil {
			w.bytes(tail, UnreadPart, v.Path().Field("padding"), err)
		} else {
			w.untyped(value, v.Path().Field("value"))
			w.bytes(tail.from(uint64(value.Len())), PaddingPart, v.Path().Field("padding"), nil)
		}
		s = s.from(uint64(v.Len()))
		if w.done {
			break
		}
	}
	return s
}

// untyped hands on a value, unless it is empty.
func (w *walker) untyped(value Span, path Path) {
	if value.Len() > 0 {
		w.part(untyped(value, path))
	}
}
