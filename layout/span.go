package layout

import "encoding/binary"

var le = binary.LittleEndian

// A Span is a window onto the caller's bytes that knows where it lies in the
// whole, so that errors inside it are true of the whole. It copies nothing.
type Span struct {
	b   []byte
	off int64
}

// NewSpan returns the span of all of b, which starts at offset off of the input.
func NewSpan(b []byte, off int64) Span { return Span{b, off} }

// Bytes returns the bytes of the span; they are the caller's own.
func (s Span) Bytes() []byte { return s.b }

// Off returns the offset of the first byte from the start of the input.
func (s Span) Off() int64 { return s.off }

// End returns the offset after the last byte.
func (s Span) End() int64 { return s.off + int64(len(s.b)) }

// Len returns the number of bytes.
func (s Span) Len() int { return len(s.b) }

// Sub returns the n bytes from at. It is the only range check of the package:
// the arguments are widened and subtracted, never added, so nothing wraps.
func (s Span) Sub(at, n uint64) (Span, error) {
	size := uint64(len(s.b))
	if at > size || n > size-at {
		return Span{}, Faultf(ErrBounds, "%d bytes from 0x%x do not fit into %d bytes", n, at, size)
	}
	return Span{s.b[at : at+n : at+n], s.off + int64(at)}, nil
}

// blank returns a span of zeros, for a view that comes with an error: who reads it
// all the same reads zeros.
func (r *Record) blank() Span { return Span{b: make([]byte, r.Size)} }

// from returns the bytes from at on; at must have been checked.
func (s Span) from(at uint64) Span { return Span{s.b[at:], s.off + int64(at)} }
