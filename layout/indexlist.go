package layout

import "iter"

// A listIndex finds in records that fill a buffer one after the other.
type listIndex[T any] struct {
	of     string // what a path calls one
	all    []T
	err    error // what ended them
	within func(one T, steps []Elem) (Part, error)
}

func (x *listIndex[T]) read(all iter.Seq2[T, error]) {
	for one, err := range all {
		if err != nil {
			x.err = err
			break
		}
		x.all = append(x.all, one)
	}
}

func (x *listIndex[T]) find(steps []Elem) (Part, error) {
	i, ok := steps[0].at(x.of)
	if !ok {
		return Part{}, Faultf(ErrPath, "no %s: there is only %s[i]", steps[0].Name, x.of)
	}
	if i >= len(x.all) {
		return Part{}, missing(x.of, i, len(x.all), x.err)
	}
	return x.within(x.all[i], steps[1:])
}

func namedPart(n InstanceHeader, steps []Elem) (Part, error) {
	return namedRecord(&PERF_INSTANCE_HEADER, n.Span, n.Name(), steps)
}

func identifierPart(id CounterIdentifier, steps []Elem) (Part, error) {
	return namedRecord(&PERF_COUNTER_IDENTIFIER, id.Span, id.Name(), steps)
}

// namedRecord finds in a record that ends with a name and padding.
func namedRecord(r *Record, s Span, name Name, steps []Elem) (Part, error) {
	if is(steps, "Name") || is(steps, "padding") {
		return around(s, name, is(steps, "padding")), nil
	}
	return leaf(r, s, steps)
}

// A stringsIndex finds in a buffer of strings.
type stringsIndex struct {
	StringBuffer
	all  Span
	err  error
	read bool
	gaps map[int]Span // before the text of an entry
	end  uint64       // of the texts
}

func (x *stringsIndex) find(steps []Elem) (Part, error) {
	i, isEntry := steps[0].at(PERF_STRING_COUNTER_HEADER.In)
	if !isEntry && !is(steps, "padding") {
		return fieldOf(&PERF_STRING_BUFFER_HEADER, x.all, steps)
	}
	if x.err != nil {
		return Part{}, x.err
	}
	if !isEntry {
		x.once()
		return Part{Span: x.from(x.end), Sort: PaddingPart}, nil
	}
	row, err := x.from(uint64(PERF_STRING_BUFFER_HEADER.Size)).at(&PERF_STRING_COUNTER_HEADER, i, uint64(x.DwCounters()))
	if err != nil {
		return Part{}, err
	}
	if !is(steps[1:], "Text") && !is(steps[1:], "gap") {
		return leaf(&PERF_STRING_COUNTER_HEADER, row, steps[1:])
	}
	name, err := StringCounter{row, x.StringBuffer, i}.Text()
	switch {
	case err != nil:
		return Part{}, err
	case is(steps[1:], "Text"):
		return Part{Span: name.Span, Sort: NamePart}, nil
	}
	x.once()
	gap, ok := x.gaps[i]
	if !ok {
		return Part{}, Faultf(ErrPath, "there is no gap before the text of entry[%d]", i)
	}
	return Part{Span: gap, Sort: PaddingPart}, nil
}

func (x *stringsIndex) once() {
	if x.read {
		return
	}
	x.read, x.gaps = true, map[int]Span{}
	x.end, _ = x.texts(func(t text) bool {
		if t.gap.Len() > 0 {
			x.gaps[t.path.Elems()[0].Index] = t.gap
		}
		return true
	})
}
