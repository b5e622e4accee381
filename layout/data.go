package layout

import "iter"

// DataBlock is a view of a PERF_DATA_BLOCK and all that follows it to TotalByteLength.
type DataBlock struct{ Span }

// ReadDataBlock returns the view of the data block at the start of b. What lies behind
// its TotalByteLength is not part of it. With an error comes a view of zeros. The error is an [*Error] that wraps
// [ErrShort], [ErrSignature], [ErrByteOrder] or [ErrBounds].
func ReadDataBlock(b []byte) (DataBlock, error) {
	s := NewSpan(b, 0)
	size := uint64(PERF_DATA_BLOCK.Size)
	switch {
	case uint64(len(b)) < size:
		return DataBlock{PERF_DATA_BLOCK.blank()}, &Error{Off: 0, Len: len(b), Err: Faultf(ErrShort, "%d bytes are less than the %d of a PERF_DATA_BLOCK", len(b), size)}
	case !HasSignature(b):
		return DataBlock{PERF_DATA_BLOCK.blank()}, s.fault("Signature", 0, 8, Faultf(ErrSignature, `% x is not "PERF" in UTF-16`, b[:8]))
	}
	d := DataBlock{s}
	switch total := uint64(d.TotalByteLength()); {
	case d.LittleEndian() == 0:
		return DataBlock{PERF_DATA_BLOCK.blank()}, d.field("LittleEndian", Faultf(ErrByteOrder, "the block is of a big-endian computer"))
	case total < size || total > uint64(len(b)):
		return DataBlock{PERF_DATA_BLOCK.blank()}, d.field("TotalByteLength", Faultf(ErrBounds, "%d is not %d to %d, the header and the bytes there are", total, size, len(b)))
	case uint64(d.HeaderLength()) < size || uint64(d.HeaderLength()) > total:
		return DataBlock{PERF_DATA_BLOCK.blank()}, d.field("HeaderLength", Faultf(ErrBounds, "%d is not %d to %d, the bytes of the block", d.HeaderLength(), size, total))
	default:
		return DataBlock{NewSpan(b[:total:total], 0)}, nil
	}
}

// SystemName returns the system name, which is of length 0 if the block has none.
// The error is an [*Error] that wraps [ErrBounds] where the name is not inside
// the header, behind the structure.
func (d DataBlock) SystemName() (Name, error) {
	if d.SystemNameLength() == 0 {
		return Name{Span: NewSpan(nil, d.off+int64(PERF_DATA_BLOCK.Size))}, nil
	}
	header, err := d.Sub(0, uint64(d.HeaderLength()))
	if err != nil {
		return Name{}, d.field("HeaderLength", err)
	}
	name, fault := header.named(&PERF_DATA_BLOCK, "SystemNameOffset", "SystemNameLength")
	if fault != nil {
		return Name{}, fault
	}
	return Name{Span: name}, nil
}

// Objects yields the block's objects, NumObjectTypes at the most. A fault is the
// last pair.
func (d DataBlock) Objects() iter.Seq2[Object, error] {
	return objects(d.from(uint64(d.HeaderLength())), uint64(d.NumObjectTypes()))
}

// ReadObjects yields the objects that fill b one after the other, as a provider
// writes them. A fault is the last pair.
func ReadObjects(b []byte) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			o, err := readObject(rest, i)
			if !yield(o, err) || err != nil {
				return
			}
			rest = rest.from(uint64(o.Len()))
		}
	}
}

func objects(rest Span, n uint64) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for i := range n {
			o, err := readObject(rest, int(i))
			if !yield(o, err) || err != nil {
				return
			}
			rest = rest.from(uint64(o.Len()))
		}
	}
}

// field returns an error at a field of the header.
func (d DataBlock) field(name string, err error) *Error {
	f := PERF_DATA_BLOCK.Field(name)
	return d.fault(name, f.At, f.Type.Size(), err)
}

// fault returns an error at n bytes from at of the span, under a field of the header.
func (s Span) fault(name string, at, n uint32, err error) *Error {
	return &Error{Path: Path{}.Field(name), Off: s.off + int64(at), Len: int(n), Err: err}
}
