package layout

// A finder finds the parts of a buffer of V2; steps is not empty.
type finder interface {
	find(steps []Elem) (Part, error)
}

// newFinder returns the finder for a kind of V2, nil for any other.
func newFinder(kind Kind, b []byte) finder {
	s := NewSpan(b, 0)
	switch kind {
	case QueryDataKind:
		return newQueryIndex(b)
	case InstancesKind:
		x := &listIndex[InstanceHeader]{of: PERF_INSTANCE_HEADER.In, within: namedPart}
		x.read(ReadInstanceHeaders(b))
		return x
	case IdentifiersKind:
		x := &listIndex[CounterIdentifier]{of: PERF_COUNTER_IDENTIFIER.In, within: identifierPart}
		x.read(ReadCounterIdentifiers(b))
		return x
	case RegSetKind:
		return tableIndex{s, &PERF_COUNTERSET_REG_INFO, &PERF_COUNTER_REG_INFO}
	case TemplateKind:
		return tableIndex{s, &PERF_COUNTERSET_INFO, &PERF_COUNTER_INFO}
	case RegCounterKind:
		return rowIndex{s, &PERF_COUNTER_REG_INFO, 1}
	case RegStringKind:
		return textIndex{s}
	case RegGUIDKind:
		return guidIndex{s, 1}
	case GUIDsKind:
		return guidIndex{s, s.guids()}
	case StringsKind:
		x := &stringsIndex{all: s}
		x.StringBuffer, x.err = ReadStringBuffer(b)
		return x
	case InstanceBlockKind:
		x := setInstanceIndex{all: s}
		x.CounterSetInstance, x.err = ReadCounterSetInstance(b)
		return x
	}
	return nil
}

// guids returns how many GUIDs s holds, a last one that is cut off among them.
func (s Span) guids() int { return (s.Len() + int(GUIDRecord.Size) - 1) / int(GUIDRecord.Size) }

// fieldOf finds a field of the record that a buffer starts with. It is there even where
// it is wrong.
func fieldOf(r *Record, s Span, steps []Elem) (Part, error) {
	if uint64(s.Len()) < uint64(r.Size) {
		return Part{}, r.short(s, Path{})
	}
	if f := r.Field(steps[0].Name); len(steps) == 2 && f != nil && f.Type == Time && !steps[0].Indexed {
		return field(&SYSTEMTIME, s.from(uint64(f.At)), steps[1])
	}
	return leaf(r, s, steps)
}

// at returns the index of a step that is of[i], and whether it is one.
func (e Elem) at(of string) (int, bool) { return e.Index, e.Indexed && e.Name == of }

// is reports whether the steps are the one of that name.
func is(steps []Elem, name string) bool { return len(steps) == 1 && steps[0] == Elem{Name: name} }

// A tableIndex finds in a record and the rows whose number it has.
type tableIndex struct {
	Span
	head, row *Record
}

func (x tableIndex) find(steps []Elem) (Part, error) {
	if _, ok := steps[0].at(x.row.In); !ok || uint64(x.Len()) < uint64(x.head.Size) {
		return fieldOf(x.head, x.Span, steps)
	}
	n := le.Uint32(x.b[x.head.Field("NumCounters").At:])
	return rowIndex{x.from(uint64(x.head.Size)), x.row, uint64(n)}.find(steps)
}

// A rowIndex finds in n records of one size.
type rowIndex struct {
	Span
	row *Record
	n   uint64
}

func (x rowIndex) find(steps []Elem) (Part, error) {
	i, ok := steps[0].at(x.row.In)
	if !ok {
		return Part{}, Faultf(ErrPath, "no %s: there is only %s[i]", steps[0].Name, x.row.In)
	}
	row, err := x.at(x.row, i, x.n)
	if err != nil {
		return Part{}, err
	}
	return leaf(x.row, row, steps[1:])
}

// at returns the record of that index among n.
func (s Span) at(r *Record, i int, n uint64) (Span, error) {
	size, have := uint64(r.Size), uint64(s.Len())/uint64(r.Size)
	path := Path{}.At(r.In, i)
	switch {
	case uint64(i) >= n:
		return Span{}, Faultf(ErrPath, "there is no %v: the block has %d", path, n)
	case uint64(i) >= have: // the first that is not there is in the way of the others
		_, err := s.from(have*size).fixed(r, Path{}.At(r.In, int(have)))
		return Span{}, err
	}
	return s.Sub(uint64(i)*size, size)
}

// A guidIndex finds in n GUIDs.
type guidIndex struct {
	Span
	n int
}

func (x guidIndex) find(steps []Elem) (Part, error) {
	i, ok := steps[0].at(listedGUID.In)
	if !ok || len(steps) > 1 {
		return Part{}, Faultf(ErrPath, "there is nothing but %s[i]", listedGUID.In)
	}
	one, err := x.at(&listedGUID, i, uint64(x.n))
	if err != nil {
		return Part{}, err
	}
	return item(&listedGUID, one, Path{}, i), nil
}

// A textIndex finds the one text that there is.
type textIndex struct{ Span }

func (x textIndex) find(steps []Elem) (Part, error) {
	if !is(steps, "Text") {
		return Part{}, Faultf(ErrPath, "there is nothing but Text")
	}
	return Part{Span: x.Span, Sort: NamePart}, nil
}

// A setInstanceIndex finds in an instance of a provider.
type setInstanceIndex struct {
	CounterSetInstance
	all Span
	err error
}

func (x setInstanceIndex) find(steps []Elem) (Part, error) {
	i, isSlot := steps[0].at("slot")
	outer := is(steps, "padding") || is(steps, "gap")
	if !isSlot && !outer && !is(steps, "Name") {
		return fieldOf(&PERF_COUNTERSET_INSTANCE, x.all, steps)
	}
	if x.err != nil {
		return Part{}, x.err
	}
	n := uint64(0)
	if x.placed() {
		n = (uint64(x.InstanceNameOffset()) - uint64(PERF_COUNTERSET_INSTANCE.Size)) / slotBytes
	}
	at := uint64(PERF_COUNTERSET_INSTANCE.Size)
	switch {
	case isSlot && len(steps) > 1:
		return Part{}, Faultf(ErrPath, "a slot has no parts")
	case isSlot && uint64(i) >= n:
		return Part{}, Faultf(ErrPath, "there is no slot[%d]: the block has %d", i, n)
	case isSlot:
		slot, err := x.Sub(at+slotBytes*uint64(i), slotBytes)
		return untyped(slot, Path{}), err
	}
	name, err := x.Name()
	if err != nil {
		return Part{}, err
	}
	tail := x.from(at + slotBytes*n)
	if name.Len() == 0 {
		name.Span, _ = tail.Sub(0, 0) // it stands nowhere, so all is padding
	}
	if is(steps, "gap") {
		gap, err := tail.Sub(0, uint64(name.off-tail.off))
		return Part{Span: gap, Sort: PaddingPart}, err
	}
	return around(tail, name, is(steps, "padding")), nil
}
