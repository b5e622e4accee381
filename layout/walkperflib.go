package layout

// perflib walks a buffer of V2 that is no query data, and reports whether it is one.
func (w *walker) perflib(kind Kind, s Span) bool {
	switch kind {
	case QueryDataKind:
		w.query(s)
	case InstancesKind:
		for i := 0; s.Len() > 0 && !w.done; i++ {
			n, ok := w.instance(s, -1, i, 0)
			if !ok {
				break
			}
			s = n.rest
		}
	case IdentifiersKind:
		w.identifiers(s)
	case RegSetKind:
		w.table(s, &PERF_COUNTERSET_REG_INFO, &PERF_COUNTER_REG_INFO)
	case TemplateKind:
		w.table(s, &PERF_COUNTERSET_INFO, &PERF_COUNTER_INFO)
	case RegCounterKind:
		w.rows(s, &PERF_COUNTER_REG_INFO, 1)
	case RegStringKind:
		w.name(s, ReadRegText(s.b), Path{}, "Text")
	case RegGUIDKind:
		w.guids(s, 1)
	case GUIDsKind:
		w.guids(s, s.guids())
	case StringsKind:
		w.strings(s)
	case InstanceBlockKind:
		w.setInstance(s)
	default:
		return false
	}
	return true
}

func (w *walker) identifiers(s Span) {
	for i := 0; s.Len() > 0 && !w.done; i++ {
		id, err := readIdentifier(s, i)
		if err != nil {
			w.broken(&PERF_COUNTER_IDENTIFIER, s, id.Path(), err)
			return
		}
		w.record(&PERF_COUNTER_IDENTIFIER, id.Span, id.Path())
		w.name(id.from(uint64(PERF_COUNTER_IDENTIFIER.Size)), id.Name(), id.Path(), "Name")
		s = s.from(uint64(id.Len()))
	}
}

// table walks a record that says how many rows follow it.
func (w *walker) table(s Span, head, row *Record) {
	if uint64(s.Len()) < uint64(head.Size) {
		w.broken(head, s, Path{}, head.short(s, Path{}))
		return
	}
	w.record(head, s, Path{})
	n := le.Uint32(s.b[head.Field("NumCounters").At:])
	w.rows(s.from(uint64(head.Size)), row, n)
}

func (w *walker) rows(s Span, r *Record, n uint32) {
	i := 0
	s.rows(r, n, func(row Span, at int, err error) bool {
		path := Path{}.At(r.In, at)
		if err != nil {
			w.broken(r, s.from(uint64(at)*uint64(r.Size)), path, err)
			i = -1
			return false
		}
		w.record(r, row, path)
		i = at + 1
		return !w.done
	})
	if i >= 0 {
		w.bytes(s.from(uint64(i)*uint64(r.Size)), UnreadPart, Path{}.Field("rest"), nil)
	}
}

func (w *walker) guids(s Span, n int) {
	for i := range n {
		if _, err := s.fixed(&GUIDRecord, Path{}.At("guid", i)); err != nil {
			w.broken(&GUIDRecord, s, Path{}.At("guid", i), err)
			return
		}
		w.part(item(&listedGUID, s, Path{}, i))
		s = s.from(uint64(GUIDRecord.Size))
		if w.done {
			return
		}
	}
	w.bytes(s, UnreadPart, Path{}.Field("rest"), nil)
}

// setInstance walks an instance of a provider. Where its name is at fault, so is what
// stands behind the last value that the place of the name leaves.
func (w *walker) setInstance(s Span) {
	in, cut := ReadCounterSetInstance(s.b)
	if cut != nil {
		if !s.truncated(&PERF_COUNTERSET_INSTANCE) {
			w.broken(&PERF_COUNTERSET_INSTANCE, s, Path{}, cut)
			return
		}
		in = CounterSetInstance{s}
	}
	w.record(&PERF_COUNTERSET_INSTANCE, in.Span, Path{})
	i, behind := 0, uint64(PERF_COUNTERSET_INSTANCE.Size)
	for slot := range in.Slots() {
		w.part(untyped(slot, Path{}.At("slot", i)))
		i, behind = i+1, behind+slotBytes
		if w.done {
			return
		}
	}
	tail := in.from(behind)
	name, err := in.Name()
	switch {
	case err != nil:
		w.bytes(tail, UnreadPart, Path{}.Field("padding"), err)
	case name.Len() == 0 && !in.placed():
		w.bytes(tail, UnreadPart, Path{}.Field("padding"), nil) // values perhaps
	case name.Len() == 0:
		w.bytes(tail, PaddingPart, Path{}.Field("padding"), nil)
	default:
		w.name(tail, name, Path{}, "Name")
	}
	w.bytes(s.from(uint64(in.Len())), UnreadPart, Path{}.Field("rest"), cut)
}

// placed reports whether InstanceNameOffset leads behind the structure and into dwSize.
func (in CounterSetInstance) placed() bool {
	return in.InstanceNameOffset() >= PERF_COUNTERSET_INSTANCE.Size && uint64(in.InstanceNameOffset()) <= uint64(in.Len())
}
