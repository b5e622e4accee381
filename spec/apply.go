package spec

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// An edit is a patch whose places are known: block[from:to] is written over, or
// goes and bytes come in its place.
type edit struct {
	index    int // of the patch
	from, to uint64
	bytes    []byte
}

// patched returns the block with the patches applied; it may change block. All
// places are those of the unpatched block. Writes come first, in order, then
// cuts and inserts, then what is appended, in order.
func patched(kind layout.Kind, block []byte, patches []Patch) ([]byte, *patchError) {
	if len(patches) == 0 {
		return block, nil
	}
	r := resolver{layout.NewIndex(kind, block), uint64(len(block))}
	var writes, moves, tail []edit
	for i, p := range patches {
		e, fault := r.resolve(p)
		if fault != nil {
			fault.index = i
			return nil, fault
		}
		e.index = i
		switch p.Op {
		case CutPart, CutRange, Insert:
			moves = append(moves, e)
		case Append:
			tail = append(tail, e)
		default:
			writes = append(writes, e)
		}
	}
	for _, e := range writes {
		copy(block[e.from:], e.bytes)
	}
	block, fault := moved(block, moves)
	for _, e := range tail {
		block = append(block, e.bytes...)
	}
	return block, fault
}

// moved returns the block without what is cut and with what is inserted.
func moved(block []byte, edits []edit) ([]byte, *patchError) {
	if len(edits) == 0 {
		return block, nil
	}
	size := len(block)
	for _, e := range edits {
		size += len(e.bytes)
	}
	// An insert at the first byte of a cut comes before it.
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	out, done, last := make([]byte, 0, size), uint64(0), 0
	for _, e := range edits {
		if e.from < done {
			return nil, &patchError{e.index, thePlace, fmt.Errorf("offset 0x%x is among the bytes that patch %d cuts", e.from, last)}
		}
		out = append(append(out, block[done:e.from]...), e.bytes...)
		done, last = e.to, e.index
	}
	return append(out, block[done:]...), nil
}

// A resolver finds the places of one unpatched block.
type resolver struct {
	*layout.Index
	size uint64
}

// resolve returns what the patch does to the block; the error has no index yet.
func (r resolver) resolve(p Patch) (edit, *patchError) {
	switch p.Op {
	case WriteNumber, WritePart, CutPart:
		part, err := r.Find(p.At.Path)
		if err != nil {
			return edit{}, &patchError{part: thePlace, err: err}
		}
		return onPart(p, part)
	case Append:
		return edit{bytes: p.Bytes}, nil
	}
	var e edit
	var err error
	if e.from, err = r.offset(p.At); err != nil {
		return e, &patchError{part: thePlace, err: err}
	}
	e.to = e.from
	switch p.Op {
	case CutRange:
		if e.to, err = r.offset(p.To); err == nil && e.to <= e.from {
			err = fmt.Errorf("0x%x to 0x%x is no range of bytes", e.from, e.to)
		}
		if err != nil {
			return e, &patchError{part: theEnd, err: err}
		}
	case WriteBytes:
		if e.bytes = p.Bytes; uint64(len(p.Bytes)) > r.size-e.from {
			return e, &patchError{part: theValue, err: fmt.Errorf("%d bytes from 0x%x on go past the end of the block, 0x%x", len(p.Bytes), e.from, r.size)}
		}
	case Insert:
		e.bytes = p.Bytes
	default:
		return e, &patchError{err: fmt.Errorf("an Op of %d", p.Op)}
	}
	return e, nil
}

// offset returns where a place is in the block.
func (r resolver) offset(p Place) (uint64, error) {
	switch {
	case p.End:
		return r.size, nil
	case p.Path != layout.Path{}:
		part, err := r.Find(p.Path)
		return uint64(part.Off()), err
	case p.Offset > r.size:
		return 0, layout.Faultf(layout.ErrBounds, "offset 0x%x is past the end of the block, 0x%x", p.Offset, r.size)
	}
	return p.Offset, nil
}

// onPart returns what a patch of a whole part does to the block.
func onPart(p Patch, part layout.Part) (edit, *patchError) {
	e := edit{from: uint64(part.Off()), to: uint64(part.End())}
	var err error
	switch p.Op {
	case CutPart:
		if part.Len() == 0 {
			return e, &patchError{part: thePlace, err: fmt.Errorf("%v has no bytes to cut", p.At.Path)}
		}
	case WritePart:
		if e.bytes = p.Bytes; len(p.Bytes) > part.Len() {
			err = fmt.Errorf("%d bytes do not fit %v, which has %d", len(p.Bytes), p.At.Path, part.Len())
		}
	case WriteNumber:
		e.bytes, err = littleEndian(p.Number, part)
	}
	if err != nil {
		return e, &patchError{part: theValue, err: err}
	}
	return e, nil
}

// littleEndian returns the number at the width of the part. The range is that of
// the width, so 4294967295 and -1 are the same four bytes.
func littleEndian(n Number, part layout.Part) ([]byte, error) {
	width := part.Len()
	isField := part.Sort == layout.FieldPart && part.Field.Type != layout.WChar4 && part.Field.Type != layout.Time
	if !isField && part.Sort != layout.ValuePart || width != 2 && width != 4 && width != 8 {
		return nil, fmt.Errorf("%v holds no number: write its bytes, {hex: \"…\"}", part.Path)
	}
	bits := 8 * uint(width)
	s := span{-1 << (bits - 1), 1<<bits - 1}
	if !s.holds(n) {
		return nil, layout.Faultf(layout.ErrRange, "%v does not fit %d bytes, which hold %d to %d", n, width, s.lo, s.hi)
	}
	return binary.LittleEndian.AppendUint64(nil, n.bits())[:width], nil
}
