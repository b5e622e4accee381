package builder

import (
	"bytes"
	"errors"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// UnmarshalBinary sets *d to the model of the block b, so that encoding *d gives
// b again, byte for byte. It copies what it keeps. On an error *d is as it was;
// the error is an [*layout.Error] at an offset in b that wraps [ErrUnkept] for
// what a model cannot hold, and another kind for what is broken.
func (d *DataBlock) UnmarshalBinary(b []byte) error {
	_, err := d.decode(b, false)
	return err
}

// UnmarshalLossy is [DataBlock.UnmarshalBinary], but drops what a model cannot hold
// and returns a list of it, each an error that wraps [ErrUnkept]; of more than
// 1,000 the last says how many are left out. What readers would disagree on or
// crash over is still an error.
func (d *DataBlock) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return d.decode(b, true) }

// UnmarshalBinary sets *o to the models of the objects that fill b. It is as
// [DataBlock.UnmarshalBinary].
func (o *Objects) UnmarshalBinary(b []byte) error {
	_, err := o.decode(b, false)
	return err
}

// UnmarshalLossy is to [Objects.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (o *Objects) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return o.decode(b, true) }

// A decoder turns bytes into a model. Its methods return an error to stop.
type decoder struct {
	lossy  bool
	losses []*layout.Error
	more   int // losses beyond those listed
	budget int // values that may still be decoded
	now    int64
	// What is decoded is cut from these.
	strings    textChunks
	numbers    chunks[uint64]
	lists      chunks[string]
	ids        chunks[int32]
	references chunks[uint32]
	scratch    []byte // for a text on its way
	// repeats holds for each object whether names repeat, as [Object.DuplicateNames]
	// will. That is set until the whole is planned, which would look again.
	repeats []bool
	// origin gives each counter of the model at hand its position in the block, of
	// which decoding may add some: -1 for those.
	origin []int
}

const maxLosses = 1000

func newDecoder(b []byte, lossy bool) *decoder {
	// Counters may share their bytes, so a block could hold far more values than
	// bytes; what no real block does is not worth its memory.
	return &decoder{lossy: lossy, budget: 1<<16 + len(b), now: DefaultTime}
}

// lose notes bytes that the model cannot hold, or returns the error that says so.
func (d *decoder) lose(path layout.Path, s layout.Span, format string, args ...any) error {
	if len(d.losses) == maxLosses {
		d.more++
		return nil
	}
	e := &layout.Error{Path: path, Off: s.Off(), Len: s.Len(), Err: layout.Faultf(ErrUnkept, format, args...)}
	if !d.lossy {
		return e
	}
	d.losses = append(d.losses, e)
	return nil
}

// isZero reports whether there is nothing but zeros.
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

// loseUnlessZero notes padding that is not zero, from the first such byte to the last.
func (d *decoder) loseUnlessZero(path layout.Path, s layout.Span) error {
	isSet := func(c byte) bool { return c != 0 }
	first := slices.IndexFunc(s.Bytes(), isSet)
	if first < 0 {
		return nil
	}
	end := len(bytes.TrimRight(s.Bytes(), "\x00"))
	run, _ := s.Sub(uint64(first), uint64(end-first))
	return d.lose(path, run, "padding of 0x%02x instead of 0", run.Bytes()[0])
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

// loseField notes a field whose value the model cannot hold.
func (d *decoder) loseField(path layout.Path, r *layout.Record, s layout.Span, field, format string, args ...any) error {
	f := r.Field(field)
	span, _ := s.Sub(uint64(f.At), uint64(f.Type.Size()))
	return d.lose(path.Field(field), span, format, args...)
}

func (o *Objects) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	d := newDecoder(b, lossy)
	var out Objects
	for v, err := range layout.ReadObjects(b) {
		if err != nil {
			return nil, err
		}
		object, err := d.object(v)
		if err != nil {
			return nil, placed(err, layout.ObjectsKind, b)
		}
		out = append(out, object)
	}
	if _, _, err := out.plan(); err != nil {
		return nil, placed(err, layout.ObjectsKind, b)
	}
	d.setRepeats(out)
	*o = out
	return d.list(), nil
}

// setRepeats sets whether names repeat, now that the objects are planned.
func (d *decoder) setRepeats(objects []Object) {
	for i := range objects {
		objects[i].DuplicateNames = d.repeats[i]
	}
}

// placed gives an error that only the model as a whole shows, such as a parent
// that is not there, its place in the bytes.
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
