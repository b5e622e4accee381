package builder

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A decoder turns bytes into a model. What the model cannot hold is passed to
// [decoder.lose]: a lossy decoder lists it, any other keeps the first as its error and
// returns that, although decoding may go on for a while.
type decoder struct {
	lossy  bool
	err    error // the first loss, if the decoder is not lossy
	losses []*layout.Error
	more   int // losses that are not listed
	budget int // values that may still be decoded
	now    int64
	// The parts of the model are cut from these.
	strings    textChunks
	numbers    chunks[uint64]
	lists      chunks[string]
	ids        chunks[int32]
	references chunks[uint32]
	scratch    []byte // for a text while it is decoded
	// objects are the decoded objects, and repeats their DuplicateNames. Until the model
	// is planned, DuplicateNames is true: the plan would compare all names again.
	objects []Object
	repeats []bool
	// origin holds, for each counter of the current model, its position in the bytes. It is
	// -1 for a base that decoding adds.
	origin []int
}

const maxLosses = 1000

func newDecoder(b []byte, lossy bool) *decoder {
	// Counters may share bytes, so a block of n bytes can declare far more than n values.
	// The budget bounds the memory for them; no real block comes near it.
	return &decoder{lossy: lossy, budget: 1<<16 + len(b), now: DefaultTime}
}

// unmarshal sets *m to the model of b, which read decodes. On an error *m stays as it was.
func unmarshal[T any, M interface {
	*T
	Model
}](m M, b []byte, lossy bool, read func(*decoder, []byte) (T, error)) ([]*layout.Error, error) {
	d := newDecoder(b, lossy)
	out, err := read(d, b)
	if d.err != nil {
		return nil, d.err
	}
	if err == nil {
		_, err = M(&out).EncodedLen()
	}
	if err != nil {
		return nil, placed(err, m.Kind(), b)
	}
	for i := range d.objects {
		d.objects[i].DuplicateNames = d.repeats[i]
	}
	*m = out
	return d.list(), nil
}

// strictly returns the error of a decoding that has no losses.
func strictly(_ []*layout.Error, err error) error { return err }

// placed adds the offset to an error that only the whole model shows, such as a parent
// that does not exist.
func placed(err error, kind layout.Kind, b []byte) error {
	e, ok := errors.AsType[*layout.Error](err)
	if !ok || e.Off >= 0 {
		return err
	}
	at := *e
	for path := e.Path; ; path = path.Parent() {
		if part, err := layout.Find(kind, b, path); err == nil {
			at.Off, at.Len = part.Off(), part.Len()
			return &at
		}
	}
}

// lose notes bytes that the model cannot hold.
func (d *decoder) lose(path layout.Path, s layout.Span, format string, args ...any) {
	switch {
	case d.err != nil:
		return
	case len(d.losses) == maxLosses:
		d.more++
		return
	}
	e := &layout.Error{Path: path, Off: s.Off(), Len: s.Len(), Err: layout.Faultf(ErrUnkept, format, args...)}
	if d.lossy {
		d.losses = append(d.losses, e)
	} else {
		d.err = e
	}
}

// loseField notes a field whose value the model cannot hold.
func (d *decoder) loseField(path layout.Path, r *layout.Record, s layout.Span, field, format string, args ...any) {
	f := r.Field(field)
	span, _ := s.Sub(uint64(f.At), uint64(f.Type.Size()))
	d.lose(path.Field(field), span, format, args...)
}

// loseUnlessZero notes padding that is not zero, from its first byte above 0 to its last.
func (d *decoder) loseUnlessZero(path layout.Path, s layout.Span) {
	first := slices.IndexFunc(s.Bytes(), func(c byte) bool { return c != 0 })
	if first < 0 {
		return
	}
	end := len(bytes.TrimRight(s.Bytes(), "\x00"))
	run, _ := s.Sub(uint64(first), uint64(end-first))
	d.lose(path, run, "padding is 0x%02x, must be 0", run.Bytes()[0])
}

// loseUnless notes a field that has another value than the only one that the model writes.
func (d *decoder) loseUnless(want uint32, path layout.Path, r *layout.Record, s layout.Span, field string, got uint32) {
	if got != want {
		d.loseField(path, r, s, field, "is %d, must be %d", got, want)
	}
}

// loseReserved notes a reserved field that is not 0.
func (d *decoder) loseReserved(path layout.Path, r *layout.Record, s layout.Span, field string, got uint32) {
	if got != 0 {
		d.loseField(path, r, s, field, "is reserved and is 0x%x, must be 0", got)
	}
}

// loseExtension notes the bytes by which a record is longer than its structure r.
func (d *decoder) loseExtension(path layout.Path, r *layout.Record, s layout.Span, length uint64) {
	if n := length - uint64(r.Size); n > 0 {
		extension, _ := s.Sub(uint64(r.Size), n)
		d.lose(path.Field("extension"), extension, "%d bytes more than a %s has", n, r.C)
	}
}

// loseAfter notes the bytes of b after the first n, which the model describes.
func (d *decoder) loseAfter(b []byte, n int) {
	if rest := layout.NewSpan(b[n:], int64(n)); rest.Len() > 0 {
		d.lose(layout.Path{}.Field("rest"), rest, "%d bytes after the %d that belong to the record", rest.Len(), n)
	}
}

// list returns the losses.
func (d *decoder) list() []*layout.Error {
	if d.more > 0 {
		last := d.losses[len(d.losses)-1]
		d.losses = append(d.losses, &layout.Error{Off: last.Off, Err: layout.Faultf(ErrUnkept, "and %d more", d.more)})
	}
	return d.losses
}

// broken returns an error at a field of a record.
func broken(path layout.Path, r *layout.Record, s layout.Span, field string, kind error, format string, args ...any) error {
	f := r.Field(field)
	return &layout.Error{Path: path.Field(field), Off: s.Off() + int64(f.At), Len: int(f.Type.Size()), Err: layout.Faultf(kind, format, args...)}
}

// isZero reports whether all bytes are 0.
func isZero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if le.Uint64(b) != 0 {
			return false
		}
	}
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// The slices and strings of a decoded model are cut from chunks instead of being allocated
// one by one. A chunk is large enough to make its allocation cheap, and small enough that a
// caller who keeps one name or the values of one instance keeps little else alive.
const (
	chunkBytes = 4 << 10 // of strings
	chunkItems = 512     // of numbers and lists
)

// chunks allocates slices.
type chunks[T any] struct{ free []T }

// take returns n zero items without spare capacity. times is the expected number of such
// requests, this one included.
func (c *chunks[T]) take(n, times int) []T {
	if len(c.free) < n {
		c.free = make([]T, n*max(1, min(times, chunkItems/n)))
	}
	taken := c.free[:n:n]
	c.free = c.free[n:]
	return taken
}

// textChunks allocates strings.
type textChunks struct{ chunk strings.Builder }

// add returns b as a string. times is the expected number of such requests, this one
// included.
func (c *textChunks) add(b []byte, times int) string {
	if len(b) == 0 || len(b) > chunkBytes/4 { // a long string would waste the rest of the chunk
		return string(b)
	}
	if c.chunk.Cap()-c.chunk.Len() < len(b) {
		c.chunk.Reset() // the strings keep the old chunk alive
		c.chunk.Grow(len(b) * max(1, min(times, chunkBytes/len(b))))
	}
	from := c.chunk.Len()
	c.chunk.Write(b)
	return c.chunk.String()[from:]
}
