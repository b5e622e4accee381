package layout

import (
	"cmp"
	"slices"
)

func (w *walker) strings(s Span) {
	all, err := ReadStringBuffer(s.b)
	cut := s.truncated(&PERF_STRING_BUFFER_HEADER)
	if err != nil {
		whole, broken := s.record(&PERF_STRING_BUFFER_HEADER)
		if broken != nil && !cut {
			w.broken(&PERF_STRING_BUFFER_HEADER, s, Path{}, err)
			return
		}
		if cut {
			whole = s
		}
		if all = (StringBuffer{Span: whole}); all.first() > uint64(whole.Len()) {
			w.entries(all, err, cut)
			w.bytes(s.from(uint64(whole.Len())), UnreadPart, Path{}.Field("rest"), nil)
			return
		}
		all.count()
	}
	w.record(&PERF_STRING_BUFFER_HEADER, all.Span, Path{})
	for e := range all.Entries() {
		w.record(&PERF_STRING_COUNTER_HEADER, e.Span, e.Path())
		if w.done {
			return
		}
	}
	end, bad := all.texts(func(t text) bool {
		w.bytes(t.gap, PaddingPart, t.path.Field("gap"), nil)
		w.part(Part{Span: t.name.Span, Path: t.path.Field("Text"), Sort: NamePart})
		return !w.done
	})
	sort := PaddingPart
	if bad != nil {
		sort = UnreadPart
	}
	w.bytes(all.from(end), sort, Path{}.Field("padding"), bad)
	w.bytes(s.from(uint64(all.Len())), UnreadPart, Path{}.Field("rest"), err)
}

// entries walks a buffer without room for its entries: those there are where it was cut
// off, and else none, as its count is not to be trusted.
func (w *walker) entries(all StringBuffer, err error, cut bool) {
	w.record(&PERF_STRING_BUFFER_HEADER, all.Span, Path{})
	rest := all.from(uint64(PERF_STRING_BUFFER_HEADER.Size))
	for i := 0; cut && uint64(rest.Len()) >= uint64(PERF_STRING_COUNTER_HEADER.Size) && !w.done; i++ {
		w.record(&PERF_STRING_COUNTER_HEADER, rest, StringCounter{index: i}.Path())
		rest = rest.from(uint64(PERF_STRING_COUNTER_HEADER.Size))
	}
	w.bytes(rest, UnreadPart, Path{}.Field("rest"), err)
}

// A text is one of a string buffer, of the first entry that leads to it.
type text struct {
	path Path // of the entry
	name Name
	gap  Span // before it, to which nothing leads
}

// texts yields the texts in the order of their bytes, without those that start in one
// before them, so that all are no longer than the buffer. It returns where they end, and
// the fault of the first entry that leads to no text.
func (s StringBuffer) texts(yield func(text) bool) (end uint64, bad error) {
	type start struct {
		at    uint64
		index int
	}
	var starts []start
	for e := range s.Entries() {
		at := s.base + uint64(e.DwOffset())
		switch {
		case e.DwOffset() == NoString:
		case at >= s.first() && at < uint64(s.Len()):
			starts = append(starts, start{at, e.index})
		case bad == nil:
			_, bad = e.Text()
		}
	}
	slices.SortFunc(starts, func(a, b start) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index)) })
	end = s.first()
	for _, one := range starts {
		if one.at < end {
			continue
		}
		gap, _ := s.Sub(end, one.at-end)
		name := s.from(one.at).untilNUL()
		end = one.at + uint64(name.Len())
		if !yield(text{StringCounter{index: one.index}.Path(), name, gap}) {
			break
		}
	}
	return end, bad
}
