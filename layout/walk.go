package layout

import (
	"iter"
	"math"
)

// Walk yields the parts of a block in the order of their bytes. Every byte of b is in a
// part. Of a broken block, all readable parts are yielded. Where a length or count is not
// valid, the bytes up to the next known record are one UnreadPart with the reason, an
// [*Error]. If the input ends before the
// declared length of a record, the parts in the input are yielded, followed by an empty
// UnreadPart with the reason. Bytes to which nothing leads, such as those
// after the end of a block, are an UnreadPart without an error. If values do not fit into
// a block, the rest of the block is an UnreadPart with the reason for the first of them.
//
// Counters that share an offset are yielded once for each block, as the widest of them.
// Numbers that overlap otherwise are all yielded. Other values that overlap an earlier one
// are left out. Strings that share an offset are yielded once, for the first entry that
// points to them, and a string that starts inside another is left out. A GUID is one part,
// and so is each id of a list. Time is linear in len(b), and memory in the counters of an
// object or the entries of a string buffer.
func Walk(kind Kind, b []byte) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		w := walker{yield: yield}
		w.walk(kind, NewSpan(b, 0))
	}
}

// A walker yields parts until the caller stops. With a finder, it skips the contents of
// records that the finder does not look for, and yields empty names and padding too.
type walker struct {
	yield func(Part) bool
	done  bool
	find  *finder
}

func (w *walker) walk(kind Kind, s Span) {
	switch kind {
	case DataBlockKind:
		w.dataBlock(s)
	case ObjectsKind:
		w.objects(s, toTheEnd)
	case QueryDataKind:
		w.queryData(s)
	case InstancesKind:
		w.instanceHeaders(s)
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
		w.guids(s, (s.Len()+SizeofGUID-1)/SizeofGUID)
	case StringsKind:
		w.strings(s)
	case InstanceBlockKind:
		w.counterSetInstance(s)
	default:
		w.bytes(s, UnreadPart, Path{}.Field("rest"), &Error{Len: s.Len(), Err: Faultf(ErrRange, "%v is not a kind of block", kind)})
	}
}

func (w *walker) part(p Part) {
	if !w.done && !w.yield(p) {
		w.done = true
	}
}

// bytes yields bytes that are not a field. Empty ones are left out unless they come with
// an error.
func (w *walker) bytes(s Span, sort PartSort, path Path, err error) {
	if err != nil && w.find != nil {
		w.find.unread(path, err)
	}
	if s.Len() > 0 || err != nil || w.find != nil && sort == PaddingPart {
		w.part(Part{Span: s, Path: path, Sort: sort, Err: err})
	}
}

// record yields the fields of the record at the start of s. It reports whether the
// contents of the record are to be walked too.
func (w *walker) record(r *Record, s Span, path Path) bool {
	if w.find != nil && !w.find.enter(r, s, path) {
		return false
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Type != Time || w.find != nil {
			w.part(r.part(f, s, path))
		}
		if f.Type == Time {
			w.record(&SYSTEMTIME, s.from(uint64(f.At)), path.Field(f.Name))
		}
	}
	return true
}

// broken yields the rest of s, which should start with a record: the fields if they are
// there, and the other bytes as unread with the reason err.
func (w *walker) broken(r *Record, s Span, path Path, err error) {
	if w.find != nil {
		w.find.broken(r, path, err)
	}
	if s.has(r) {
		w.record(r, s, path)
		s = s.from(uint64(r.Size))
	}
	w.bytes(s, UnreadPart, path.Field("rest"), err)
}

// truncated yields the empty rest of the record at path, whose bytes end before its
// declared length. s is the bytes there are.
func (w *walker) truncated(s Span, path Path, err error) {
	if w.find != nil {
		w.find.endList(path.Parent(), err)
	}
	w.bytes(s.from(uint64(s.Len())), UnreadPart, path.Field("rest"), err)
}

// name yields the bytes of s that hold a name, with the bytes before and after it.
func (w *walker) name(s Span, name Name, path Path, as string) {
	at := uint64(name.off - s.off)
	gap, _ := s.Sub(0, at)
	w.bytes(gap, PaddingPart, path.Field("gap"), nil)
	if name.Len() > 0 || w.find != nil {
		w.part(Part{Span: name.Span, Path: path.Field(as), Sort: NamePart, Page: name.CodePage})
	}
	w.bytes(s.from(at+uint64(name.Len())), PaddingPart, path.Field("padding"), nil)
}

// toTheEnd is the number of records of a list that fills its buffer.
const toTheEnd = math.MaxUint64

// list walks n records of a list that starts at s. It calls each with the record, the
// bytes after it and the index; each returns where the next record starts and whether that
// is known. list returns the bytes after the last record, and false if a fault or the
// caller ended the list.
func (w *walker) list(r *Record, s Span, path Path, n uint64, each func(one, after Span, i int) (Span, bool)) (Span, bool) {
	for i := 0; uint64(i) < n && (n != toTheEnd || s.Len() > 0); i++ {
		one, err := s.record(r)
		if err != nil {
			at := path.At(r.In, i)
			w.broken(r, s, at, err.under(at))
			return Span{}, false
		}
		var known bool
		if s, known = each(one, s.from(uint64(one.Len())), i); !known || w.done {
			return Span{}, false
		}
	}
	return s, true
}

// cutList is list for records whose contents are walked even if the last one ends before
// its declared length.
func (w *walker) cutList(r *Record, s Span, path Path, n uint64, each func(one Span, i int)) {
	for i := 0; uint64(i) < n && (n != toTheEnd || s.Len() > 0) && !w.done; i++ {
		one, err := s.record(r)
		at := path.At(r.In, i)
		switch {
		case err != nil && s.truncated(r):
			each(s, i)
			w.truncated(s, at, err.under(at))
			return
		case err != nil:
			w.broken(r, s, at, err.under(at))
			return
		}
		each(one, i)
		s = s.from(uint64(one.Len()))
	}
	w.bytes(s, UnreadPart, path.Field("rest"), nil)
}

// table walks a record whose NumCounters is the number of rows after it.
func (w *walker) table(s Span, head, row *Record) {
	if !s.has(head) {
		w.broken(head, s, Path{}, head.short(s, Path{}))
		return
	}
	w.record(head, s, Path{})
	w.rows(s.from(uint64(head.Size)), row, le.Uint32(s.b[head.Field("NumCounters").At:]))
}

func (w *walker) rows(s Span, r *Record, n uint32) {
	for i := range uint64(n) {
		path := Path{}.At(r.In, int(i))
		row, err := s.fixed(r, path)
		if err != nil {
			w.broken(r, s, path, err)
			return
		}
		w.record(r, row, path)
		s = s.from(uint64(r.Size))
		if w.done {
			return
		}
	}
	w.bytes(s, UnreadPart, Path{}.Field("rest"), nil)
}
