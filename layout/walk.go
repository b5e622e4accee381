package layout

import "iter"

// Walk yields the parts of a block in the order of their bytes, so that every
// byte of b is in one. It shows what there is to show of a broken block: where a
// length or count leads astray, the bytes up to the next place that can be
// trusted come as one UnreadPart with the reason, an [*Error]. A block or object
// that ends before its TotalByteLength is shown as far as it goes, and an empty
// UnreadPart with the reason follows. Bytes that nothing
// leads to, such as those behind a block's end, are an UnreadPart without an error.
// Where values do not fit into a block, what is left of it is an UnreadPart, with
// the reason for the first of them.
//
// Counters that share an offset come once for each block, under the widest of
// them; numbers that overlap otherwise come each, and any other value that overlaps
// one before it is left out. Strings of one offset come once, under the first entry
// that leads to them, and one that starts inside another is left out. A GUID is one part,
// and so is each id of a list. Time is linear in len(b), and memory in the counters of an
// object or the entries of a string buffer.
func Walk(kind Kind, b []byte) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		w := walker{yield: yield}
		switch kind {
		case DataBlockKind:
			w.data(NewSpan(b, 0))
		case ObjectsKind:
			w.objects(NewSpan(b, 0), Path{}, -1)
		default:
			if w.perflib(kind, NewSpan(b, 0)) {
				return
			}
			w.bytes(NewSpan(b, 0), UnreadPart, Path{}.Field("rest"), &Error{Len: len(b), Err: Faultf(ErrRange, "%v is no kind of block", kind)})
		}
	}
}

// A walker hands parts on until its caller has had enough.
type walker struct {
	yield func(Part) bool
	done  bool
}

func (w *walker) part(p Part) {
	if !w.done && !w.yield(p) {
		w.done = true
	}
}

// bytes hands on a stretch that is no field, unless it is empty.
func (w *walker) bytes(s Span, sort PartSort, path Path, err error) {
	if s.Len() > 0 || err != nil {
		w.part(Part{Span: s, Path: path, Sort: sort, Err: err})
	}
}

func (w *walker) record(r *Record, s Span, path Path) {
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Type != Time {
			w.part(r.part(f, s, path))
			continue
		}
		time := s.from(uint64(f.At))
		w.record(&SYSTEMTIME, time, path.Field(f.Name))
	}
}

func (w *walker) data(s Span) {
	if uint64(s.Len()) < uint64(PERF_DATA_BLOCK.Size) {
		w.bytes(s, UnreadPart, Path{}.Field("rest"), &Error{Len: s.Len(), Err: Faultf(ErrShort, "%d bytes are less than the %d of a PERF_DATA_BLOCK", s.Len(), PERF_DATA_BLOCK.Size)})
		return
	}
	w.record(&PERF_DATA_BLOCK, s, Path{})
	after := s.from(uint64(PERF_DATA_BLOCK.Size))
	d, cut := ReadDataBlock(s.b)
	if cut != nil {
		if d = (DataBlock{s}); !d.truncated() {
			w.bytes(after, UnreadPart, Path{}.Field("rest"), cut)
			return
		}
	}
	header, _ := d.Sub(uint64(PERF_DATA_BLOCK.Size), uint64(d.HeaderLength()-PERF_DATA_BLOCK.Size))
	name, err := d.SystemName()
	if err != nil {
		w.bytes(header, UnreadPart, Path{}.Field("padding"), err)
	} else {
		w.name(header, name, Path{}, "SystemName")
	}
	w.objects(d.from(uint64(d.HeaderLength())), Path{}, int64(d.NumObjectTypes()))
	w.bytes(s.from(uint64(d.Len())), UnreadPart, Path{}.Field("rest"), cut)
}

// truncated reports whether all that is wrong with the header is that the block
// ends before its TotalByteLength.
func (d DataBlock) truncated() bool {
	return HasSignature(d.b) && d.LittleEndian() != 0 && uint64(d.TotalByteLength()) > uint64(d.Len()) &&
		d.HeaderLength() >= PERF_DATA_BLOCK.Size && uint64(d.HeaderLength()) <= uint64(d.Len())
}

// name hands on the stretch in which a name stands, with what is before and after it.
func (w *walker) name(s Span, name Name, path Path, as string) {
	at := uint64(name.off - s.off)
	gap, _ := s.Sub(0, at)
	w.bytes(gap, PaddingPart, path.Field("gap"), nil)
	if name.Len() > 0 {
		w.part(Part{Span: name.Span, Path: path.Field(as), Sort: NamePart, Page: name.CodePage})
	}
	w.bytes(s.from(at+uint64(name.Len())), PaddingPart, path.Field("padding"), nil)
}

// objects walks n objects, all that there are if n is negative.
func (w *walker) objects(s Span, path Path, n int64) {
	for i := int64(0); i != n && (n >= 0 || s.Len() > 0) && !w.done; i++ {
		o, err := readObject(s, int(i))
		if err != nil && uint64(s.Len()) >= uint64(PERF_OBJECT_TYPE.Size) && (Object{s, 0}).TotalByteLength() >= PERF_OBJECT_TYPE.Size {
			// It ends before its TotalByteLength. What is there is still to be seen.
			w.object(Object{s, int(i)})
			w.bytes(s.from(uint64(s.Len())), UnreadPart, path.At("object", int(i)).Field("rest"), err)
			return
		}
		if err != nil {
			w.broken(&PERF_OBJECT_TYPE, s, path.At("object", int(i)), err)
			return
		}
		w.object(o)
		s = s.from(uint64(o.Len()))
	}
	w.bytes(s, UnreadPart, path.Field("rest"), nil)
}

// broken hands on what is left of s, which should have started with a record:
// its fields if they are there, and the rest as unread for the reason err.
func (w *walker) broken(r *Record, s Span, path Path, err error) {
	if uint64(s.Len()) >= uint64(r.Size) {
		w.record(r, s, path)
		s = s.from(uint64(r.Size))
	}
	w.bytes(s, UnreadPart, path.Field("rest"), err)
}
