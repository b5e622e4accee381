package layout

import (
	"bytes"
	"iter"
)

// DataBlock is a view of a PERF_DATA_BLOCK and everything up to its TotalByteLength.
type DataBlock struct{ Span }

// ReadDataBlock returns a view of the data block at the start of b. The view has
// TotalByteLength bytes. The error is an [*Error] that wraps [ErrShort], [ErrSignature],
// [ErrByteOrder] or [ErrBounds]; the view then reads as zeros.
func ReadDataBlock(b []byte) (DataBlock, error) {
	d := DataBlock{NewSpan(b, 0)}
	if err := d.check(); err != nil {
		return DataBlock{PERF_DATA_BLOCK.blank()}, err
	}
	total := d.TotalByteLength()
	return DataBlock{NewSpan(b[:total:total], 0)}, nil
}

// check returns the error of [ReadDataBlock]. d is a view of the whole input.
func (d DataBlock) check() error {
	r := &PERF_DATA_BLOCK
	if !d.hasStructure(r) {
		return r.shortError(d.Span, Path{})
	}
	fault := func(field string, err error) error { return r.fault(field, d.Span, Path{}, err) }
	switch total := uint64(d.TotalByteLength()); {
	case !HasSignature(d.b):
		return fault("Signature", Faultf(ErrSignature, `% x is not "PERF" in UTF-16`, d.b[:8]))
	case d.LittleEndian() == 0:
		return fault("LittleEndian", Faultf(ErrByteOrder, "the block is from a big-endian computer"))
	case total < SizeofDataBlock || total > uint64(d.Len()):
		return fault("TotalByteLength", Faultf(ErrBounds, "%d is out of range, must be %d to %d, the end of the input", total, SizeofDataBlock, d.Len()))
	case uint64(d.HeaderLength()) < SizeofDataBlock || uint64(d.HeaderLength()) > total:
		return fault("HeaderLength", Faultf(ErrBounds, "%d is out of range, must be %d to %d, the end of the block", d.HeaderLength(), SizeofDataBlock, total))
	}
	return nil
}

// SystemName returns the bytes of the system name. The length is 0 if the block has no system
// name. The error is an [*Error] that wraps [ErrBounds] if the name overlaps the structure or
// ends after HeaderLength.
func (d DataBlock) SystemName() (Name, error) {
	if d.SystemNameLength() == 0 {
		return Name{Span: NewSpan(nil, d.off+SizeofDataBlock)}, nil
	}
	header, err := d.Sub(0, uint64(d.HeaderLength()))
	if err != nil {
		return Name{}, PERF_DATA_BLOCK.fault("HeaderLength", d.Span, Path{}, err)
	}
	return header.name(&PERF_DATA_BLOCK, Path{}, "SystemNameOffset", "SystemNameLength")
}

// Objects yields the block's objects, at most NumObjectTypes. Iteration stops after the first
// error.
func (d DataBlock) Objects() iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		eachObject(d.skipBytes(uint64(d.HeaderLength())), uint64(d.NumObjectTypes()), yield)
	}
}

// HasSignature reports whether b starts with the Signature of a PERF_DATA_BLOCK.
func HasSignature(b []byte) bool { return bytes.HasPrefix(b, []byte("P\x00E\x00R\x00F\x00")) }

func (w *walker) dataBlock(s Span) {
	d, cut := ReadDataBlock(s.b)
	if cut != nil {
		if d = (DataBlock{s}); !d.truncated() {
			w.walkFaulty(&PERF_DATA_BLOCK, s, Path{}, cut)
			return
		}
	}
	w.record(&PERF_DATA_BLOCK, s, Path{})
	header, _ := d.Sub(SizeofDataBlock, uint64(d.HeaderLength()-SizeofDataBlock))
	name, err := d.SystemName()
	if err != nil {
		w.yieldBytes(header, UnreadPart, Path{}.Field("padding"), err)
	} else {
		w.name(header, name, Path{}, "SystemName")
	}
	w.objects(d.skipBytes(uint64(d.HeaderLength())), uint64(d.NumObjectTypes()))
	w.yieldBytes(s.skipBytes(uint64(d.Len())), UnreadPart, Path{}.Field("rest"), cut)
}

// truncated reports whether the only fault of the header is that the input ends before
// TotalByteLength.
func (d DataBlock) truncated() bool {
	return d.Span.truncated(&PERF_DATA_BLOCK) && HasSignature(d.b) && d.LittleEndian() != 0 &&
		d.HeaderLength() >= SizeofDataBlock && uint64(d.HeaderLength()) <= uint64(d.Len())
}
