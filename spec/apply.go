package spec

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// An edit is one change to the bytes of the block. A write copies bytes to block[from:]. A cut removes
// block[from:to]. An insert adds bytes at from.
type edit struct {
	index    int // the index of the patch
	from, to uint64
	bytes    []byte
}

// patched applies the patches and returns the result. It may change block. Paths and offsets refer to the unpatched
// block. Writes come first, then cuts and inserts, then appends.
func (s *Spec) patched(block []byte) ([]byte, error) {
	if len(s.Patches) == 0 {
		return block, nil
	}
	r := newResolver(s.Kind(), block, s.Patches)
	var faults yamltext.Faults
	var writes, moves, tail []edit
	for i, p := range s.Patches {
		e, part, err := r.resolve(i, p)
		if err != nil {
			faults.Add(s.patchFault(i, part, err))
			if faults.Full() {
				break
			}
			continue
		}
		switch p.Op {
		case CutPart, CutRange, Insert:
			moves = append(moves, e)
		case Append:
			tail = append(tail, e)
		default:
			writes = append(writes, e)
		}
	}
	if len(faults) > 0 {
		return nil, faults.Err()
	}
	for _, e := range writes {
		copy(block[e.from:], e.bytes)
	}
	block, err := s.applyMoves(block, moves)
	for _, e := range tail {
		block = append(block, e.bytes...)
	}
	return block, err
}

// patchFault returns err as an error about patch i, with the line and column of the faulty part.
func (s *Spec) patchFault(i int, part patchPart, err error) error {
	return yamltext.On(s.placeOfPatch(i, part), "patch %d: %w", i+1, err)
}

// applyMoves applies the edits that cut or insert bytes. It returns the new block.
func (s *Spec) applyMoves(block []byte, edits []edit) ([]byte, error) {
	if len(edits) == 0 {
		return block, nil
	}
	size := len(block)
	for _, e := range edits {
		size += len(e.bytes)
	}
	// If an insert and a cut have the same offset, the insert comes first.
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	out, done, last := make([]byte, 0, size), uint64(0), 0
	for _, e := range edits {
		if e.from < done {
			return nil, s.patchFault(e.index, patchPlace, fmt.Errorf("offset 0x%x is inside the bytes that patch %d cuts", e.from, last+1))
		}
		out = append(append(out, block[done:e.from]...), e.bytes...)
		done, last = e.to, e.index
	}
	return append(out, block[done:]...), nil
}

// A resolver has the parts of the unpatched block to which the patches refer.
type resolver struct {
	at, to []layout.Part // the parts at Patch.At and Patch.To of each patch
	size   uint64
}

// newResolver finds the parts of all patches in one walk over the block.
func newResolver(kind layout.Kind, block []byte, patches []Patch) resolver {
	n := len(patches)
	paths := make([]layout.Path, 2*n)
	for i, p := range patches {
		paths[i], paths[n+i] = p.At.Path, p.To.Path
	}
	parts := layout.FindAll(kind, block, paths)
	for i := range parts {
		if e, ok := errors.AsType[*layout.Error](parts[i].Err); ok && errors.Is(e, layout.ErrPath) {
			parts[i].Err = fmt.Errorf("there is no %v: %w", e.Path, e.Err)
		}
	}
	return resolver{parts[:n], parts[n:], uint64(len(block))}
}

// resolve returns the edit for patch i. The result part is the part of the patch to which an error refers.
func (r resolver) resolve(i int, p Patch) (e edit, part patchPart, err error) {
	e.index = i
	if err := p.checkPath(); err != nil {
		return e, patchPlace, err
	}
	at := r.at[i]
	switch p.Op {
	case WriteNumber, WritePart, CutPart:
		e.from, e.to, err = uint64(at.Off()), uint64(at.End()), at.Err
	case Append:
	default:
		e.from, err = r.offset(p.At, at)
		e.to = e.from
	}
	if err != nil {
		return e, patchPlace, err
	}
	switch p.Op {
	case WriteNumber:
		e.bytes, err = littleEndian(form.Number(p.Number), at)
		return e, patchValue, err
	case WritePart:
		if e.bytes = p.Bytes; len(p.Bytes) > at.Len() {
			err = fmt.Errorf("has %s, but %v has %d", quote.Count(len(p.Bytes), "byte"), p.At.Path, at.Len())
		}
		return e, patchValue, err
	case WriteBytes:
		if e.bytes = p.Bytes; uint64(len(p.Bytes)) > r.size-e.from {
			err = fmt.Errorf("%s at offset 0x%x would end after the block, which ends at 0x%x", quote.Count(len(p.Bytes), "byte"), e.from, r.size)
		}
		return e, patchValue, err
	case CutPart:
		if at.Len() == 0 {
			err = fmt.Errorf("%v has no bytes to cut", p.At.Path)
		}
		return e, patchPlace, err
	case CutRange:
		if e.to, err = r.offset(p.To, r.to[i]); err == nil && e.to <= e.from {
			err = fmt.Errorf("the range starts at 0x%x and ends at 0x%x, must end after its start", e.from, e.to)
		}
		return e, patchEnd, err
	case Insert, Append:
		e.bytes = p.Bytes
		return e, patchValue, nil
	}
	return e, patchPlace, fmt.Errorf("Op is %d, must be a constant of type Op", p.Op)
}

// offset returns the offset of p in the block. part is the part at p.Path.
func (r resolver) offset(p Place, part layout.Part) (uint64, error) {
	switch {
	case p.End:
		return r.size, nil
	case p.Path != layout.Path{}:
		return uint64(part.Off()), part.Err
	case p.Offset > r.size:
		return 0, layout.Faultf(layout.ErrBounds, "offset 0x%x is after the end of the block, 0x%x", p.Offset, r.size)
	}
	return p.Offset, nil
}

// littleEndian returns the bytes of n in little-endian order, as many as the part has. n may be signed or unsigned:
// 4294967295 and -1 have the same four bytes.
func littleEndian(n form.Number, part layout.Part) ([]byte, error) {
	width := part.Len()
	isField := part.Sort == layout.FieldPart && part.Field.Type != layout.WChar4 && part.Field.Type != layout.Time
	if !isField && part.Sort != layout.ValuePart || width != 2 && width != 4 && width != 8 {
		return nil, fmt.Errorf("%v is not a number; write its bytes, {hex: \"…\"}", part.Path)
	}
	bits := 8 * uint(width)
	s := form.Span{Lo: -1 << (bits - 1), Hi: 1<<bits - 1}
	if !s.Holds(n) {
		return nil, layout.Faultf(layout.ErrRange, "%v does not fit %d bytes, must be %d to %d", n, width, s.Lo, s.Hi)
	}
	return binary.LittleEndian.AppendUint64(nil, n.Bits())[:width], nil
}
