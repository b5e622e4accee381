package builder

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A decoder turns bytes into a model. It records an ErrUnkept error for each part that the model cannot hold.
//
// Many methods have a parameter `remaining`: an estimate of how many records a list still has, the current record
// included. The estimate is at most the number of records that fit in the input. A method that requires memory can
// allocate the memory for all of these records at once.
type decoder struct {
	lossy  bool
	err    error // the first ErrUnkept error, if the decoder is not lossy
	losses []*layout.Error
	more   int   // number of errors that are not in the list
	budget int   // number of values that may still be decoded; a text counts as four
	now    int64 // PerfTime100nSec of the decoded model
	// The slices and strings of the model come from these allocators.
	strings    textChunks
	numbers    chunks[uint64]
	lists      chunks[string]
	ids        chunks[int32]
	references chunks[uint32]
	scratch    []byte // the UTF-8 of the text that is being decoded
	rows       layout.Rows
	names      nameList // the names of the current object or result
	origin     []int    // position in the input of each counter of the current object, -1 for a base that addBase added
}

// maxLosses is the largest number of ErrUnkept errors that a decoder lists.
const maxLosses = 1000

func newDecoder(b []byte, lossy bool) *decoder {
	// The budget limits the memory for values: counters may share bytes, so a block of n bytes can have far more than n
	// values. Blocks from Windows need far less than this budget.
	return &decoder{lossy: lossy, budget: 1<<16 + len(b), now: DefaultTime}
}

// A modelOf is a pointer to a model of type T.
type modelOf[T any] interface {
	*T
	Model
}

// unmarshal is [Model.UnmarshalBinary].
func unmarshal[T any, M modelOf[T]](m M, b []byte) error {
	_, err := decode(m, b, newDecoder(b, false))
	return err
}

// lossy is [Model.UnmarshalLossy].
func lossy[T any, M modelOf[T]](m M, b []byte) ([]*layout.Error, error) {
	return decode(m, b, newDecoder(b, true))
}

// decode decodes b into *m and returns the ErrUnkept errors. On an error it does not change *m.
func decode[T any, M modelOf[T]](m M, b []byte, d *decoder) ([]*layout.Error, error) {
	var out T
	err := d.decodeInto(M(&out), b)
	if d.err != nil {
		return nil, d.err
	}
	if err == nil {
		err = d.checkModel(M(&out))
	}
	if err != nil {
		return nil, withOffset(err, m.Kind(), b)
	}
	*m = out
	return d.list(), nil
}

// checkModel returns an error if a decoded model cannot be encoded. If decoding has dropped no data, the instances are
// valid and need no check.
func (d *decoder) checkModel(m Model) (err error) {
	exact := len(d.losses) == 0
	switch m := m.(type) {
	case *DataBlock:
		_, err = m.plan(exact)
	case *Objects:
		_, _, err = m.plan(exact)
	case *QueryData:
		_, err = m.plan(exact)
	default:
		_, err = m.EncodedLen()
	}
	return err
}

// withOffset sets Off and Len of an error of EncodedLen to the offset and length of the part of b at the error's Path.
// If b has no such part, withOffset uses the nearest parent that is in b.
func withOffset(err error, kind layout.Kind, b []byte) error {
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

// lose records an ErrUnkept error about the bytes s, which the model cannot hold.
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

// loseField records an ErrUnkept error about a field. s starts with the record r.
func (d *decoder) loseField(path layout.Path, r *layout.Record, s layout.Span, field, format string, args ...any) {
	f := r.Field(field)
	span, _ := s.Sub(uint64(f.At), uint64(f.Type.Size()))
	d.lose(path.Field(field), span, format, args...)
}

// loseUnlessZero records an ErrUnkept error if padding has bytes other than 0. The error covers the bytes from the
// first nonzero byte to the last.
func (d *decoder) loseUnlessZero(path layout.Path, s layout.Span) {
	first := slices.IndexFunc(s.Bytes(), func(c byte) bool { return c != 0 })
	if first < 0 {
		return
	}
	end := len(bytes.TrimRight(s.Bytes(), "\x00"))
	run, _ := s.Sub(uint64(first), uint64(end-first))
	d.lose(path, run, "padding is 0x%02x, must be 0", run.Bytes()[0])
}

// loseEnd records ErrUnkept errors for non-zero padding and for a wrong dwSize. `end` is the offset where the content
// ends and the padding starts.
func (d *decoder) loseEnd(path layout.Path, r *layout.Record, s layout.Span, end uint64) {
	padding, _ := s.Sub(end, uint64(s.Len())-end)
	d.loseUnlessZero(path.Field("padding"), padding)
	if want := roundUp(end, layout.Align); uint64(s.Len()) != want {
		d.loseField(path, r, s, "dwSize", "is %d, must be %d", s.Len(), want)
	}
}

// loseUnless records an ErrUnkept error if got differs from want, the value that encoding writes.
func (d *decoder) loseUnless(want uint32, path layout.Path, r *layout.Record, s layout.Span, field string, got uint32) {
	if got != want {
		d.loseField(path, r, s, field, "is %d, must be %d", got, want)
	}
}

// loseReserved records an ErrUnkept error about a reserved field that is not 0.
func (d *decoder) loseReserved(path layout.Path, r *layout.Record, s layout.Span, field string, got uint32) {
	if got != 0 {
		d.loseField(path, r, s, field, "is reserved and is 0x%x, must be 0", got)
	}
}

// loseExtension records an ErrUnkept error if the declared length of a record is larger than its structure r.
func (d *decoder) loseExtension(path layout.Path, r *layout.Record, s layout.Span, length uint64) {
	if n := length - uint64(r.Size); n > 0 {
		extension, _ := s.Sub(uint64(r.Size), n)
		d.lose(path.Field("extension"), extension, "%s after the %d bytes of a %s", quote.Count(int(n), "byte"), r.Size, r.C)
	}
}

// loseAfter records an ErrUnkept error if b has more than the n bytes of the record.
func (d *decoder) loseAfter(b []byte, n int) {
	if after := layout.NewSpan(b[n:], int64(n)); after.Len() > 0 {
		d.lose(here.Field("rest"), after, "%s after the %d bytes of the record", quote.Count(after.Len(), "byte"), n)
	}
}

// list returns the ErrUnkept errors. If there are more than maxLosses errors, list returns the first maxLosses errors
// and one last error with the number of omitted errors.
func (d *decoder) list() []*layout.Error {
	if d.more > 0 {
		last := d.losses[len(d.losses)-1]
		d.losses = append(d.losses, &layout.Error{Off: last.Off, Err: layout.Faultf(ErrUnkept, "and %d more", d.more)})
	}
	return d.losses
}

// broken returns an error about a field of the record r. s starts with this record.
func broken(path layout.Path, r *layout.Record, s layout.Span, field string, kind error, format string, args ...any) error {
	f := r.Field(field)
	return &layout.Error{Path: path.Field(field), Off: s.Off() + int64(f.At), Len: int(f.Type.Size()), Err: layout.Faultf(kind, format, args...)}
}

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

// For speed, the values of all instances of an object share one array, and many strings share one chunk. A caller who
// keeps one slice or string keeps the whole array or chunk in memory.

// chunkBytes is the size of a chunk of strings.
const chunkBytes = 4 << 10

type chunks[T any] struct{ free []T }

// take returns a slice of n zero items with capacity n. If take allocates memory, it also allocates the items for the
// next calls.
func (c *chunks[T]) take(n, remaining int) []T {
	if len(c.free) < n {
		c.free = make([]T, n*max(1, remaining))
	}
	taken := c.free[:n:n]
	c.free = c.free[n:]
	return taken
}

type textChunks struct{ chunk strings.Builder }

func (c *textChunks) add(b []byte, remaining int) string {
	if len(b) > chunkBytes/4 { // a long string would waste the rest of the chunk
		return string(b)
	}
	if c.chunk.Cap()-c.chunk.Len() < len(b) {
		c.chunk.Reset() // the strings keep the old chunk alive
		c.chunk.Grow(len(b) * max(1, min(remaining, chunkBytes/len(b))))
	}
	from := c.chunk.Len()
	c.chunk.Write(b)
	return c.chunk.String()[from:]
}
