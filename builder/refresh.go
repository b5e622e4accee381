package builder

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Refresh overwrites the values of an encoded object in place, one instance after the other:
//
//	r := template.Refresh(object)
//	for i := 0; r.Next(); i++ {
//		r.Set64(requests, sites[i].Requests)
//	}
//	rest, err := r.Done()
//
// Instances, their names and their order stay, as do values that are not set, including those
// of the remaining instances if Done is called before Next returns false. The object keeps its
// length, so there is always room. Values are copied and may be reused when the call returns.
//
// The first error sticks, as in a [Fill]. The values before it are the new ones, those of the
// instance with the error may be zero. A Refresh passes the object once. It must not be
// copied, and is not safe for concurrent use.
type Refresh struct {
	_ noCopy
	row
	template *Template
	b        []byte // the object
	rest     []byte // the bytes after it
	instance []byte // the definition of the current instance; nil where there is none
	at       int    // where the next instance starts
	left     int    // instances to come
}

// Refresh starts with the object at the start of b, which this template has filled, or a
// copy of it. An object of another template, or one rebased otherwise, is an error that
// wraps [ErrForeign]. b is overwritten in place, up to the end of the object, and is not
// kept after [Refresh.Done].
func (t *Template) Refresh(b []byte) Refresh {
	o, err := t.match(b)
	if err != nil {
		return Refresh{template: t, rest: b, row: row{err: err, of: nowhere}}
	}
	left := int(max(o.NumInstances, 0))
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		left = 1
	}
	n := o.TotalByteLength
	return Refresh{template: t, b: b[:n:n], rest: b[n:], at: int(t.header.DefinitionLength), left: left}
}

// match returns the header of the object at the start of b, which must be the template's.
func (t *Template) match(b []byte) (wire.ObjectType, error) {
	size := int(layout.PERF_OBJECT_TYPE.Size)
	if len(b) < size {
		return wire.ObjectType{}, foreign("the buffer has %d bytes, too few for an object", len(b))
	}
	o, want := wire.GetObjectType(b), t.header
	want.TotalByteLength, want.PerfTime = o.TotalByteLength, o.PerfTime
	if want.NumInstances == 0 && o.NumInstances >= 0 {
		want.NumInstances = o.NumInstances
	}
	defined := size + len(t.counters)
	if o != want || uint64(o.TotalByteLength) > uint64(len(b)) || int(o.TotalByteLength) < defined || !bytes.Equal(b[size:defined], t.counters) {
		return o, foreign("%s", t.difference(b, &o))
	}
	return o, nil
}

func foreign(format string, args ...any) error {
	return &layout.Error{Off: -1, Err: layout.Faultf(ErrForeign, format, args...)}
}

// difference returns why the object with the header o at the start of b is not of the template.
func (t *Template) difference(b []byte, o *wire.ObjectType) string {
	switch {
	case layout.HasSignature(b):
		return "the buffer starts with a data block: pass the bytes after its HeaderLength"
	case o.ObjectNameTitleIndex != t.header.ObjectNameTitleIndex:
		return fmt.Sprintf("the object has the title %d, must have %d", o.ObjectNameTitleIndex, t.header.ObjectNameTitleIndex)
	case uint64(o.TotalByteLength) > uint64(len(b)):
		return fmt.Sprintf("the buffer has %d of the object's %d bytes", len(b), o.TotalByteLength)
	}
	return "the object has other definitions than the template"
}

// PerfTime sets the object's own clock, in ticks of its PerfFreq. 0 is refused if a counter is
// computed with the clock.
func (r *Refresh) PerfTime(ticks int64) {
	switch {
	case r.err != nil:
	case r.template == nil:
		r.foreign("Refresh.PerfTime is called without an object")
	default:
		if err := r.template.checkPerfTime(ticks); err != nil {
			r.fail(layout.Path{}.Field("PerfTime"), err)
			return
		}
		o := wire.GetObjectType(r.b)
		o.PerfTime = ticks
		o.Put(r.b)
	}
}

// SetText is [Fill.SetText].
func (r *Refresh) SetText(h HandleText, s string) { r.setText(h, s) }

// Next goes to the next instance, which is the first one at the start, and reports whether
// there is one. The single counter block of an object with PERF_NO_INSTANCES counts as one.
func (r *Refresh) Next() bool {
	r.instance = nil
	if r.left == 0 || r.err != nil {
		r.of, r.block = nil, nil
		return false
	}
	r.left--
	rest, length := r.b[r.at:], uint64(r.template.form.length)
	at := uint64(0) // of the block
	if size := uint64(layout.PERF_INSTANCE_DEFINITION.Size); r.template.header.NumInstances == 0 {
		r.instances++
		if uint64(len(rest)) < size {
			r.foreign("the object ends inside an instance")
			return false
		}
		if at = uint64(wire.GetInstanceDefinition(rest).ByteLength); at < size || at%layout.Align != 0 {
			r.foreign("the ByteLength is %d, must be a multiple of 8 that is at least %d", at, size)
			return false
		}
	}
	if uint64(len(rest)) < at+length || wire.GetCounterBlock(rest[at:]).ByteLength != uint32(length) {
		r.foreign("the instance has no counter block of %d bytes", length)
		return false
	}
	r.block, r.of = rest[at:][:length], r.template.form
	r.instance = rest[:at]
	r.at += int(at + length)
	return true
}

// Name returns the name of the current instance, to find its values by. It is empty for
// an unnamed instance, for a single counter block, and where there is no current instance.
// The name is a view of the object's bytes: only its Text allocates.
func (r *Refresh) Name() layout.Name {
	if len(r.instance) == 0 {
		return layout.Name{}
	}
	in := wire.GetInstanceDefinition(r.instance)
	from, n := uint64(in.NameOffset), uint64(in.NameLength)
	if from+n > uint64(len(r.instance)) {
		return layout.Name{}
	}
	start := int64(r.at) - int64(r.template.form.length) - int64(len(r.instance))
	return layout.Name{Span: layout.NewSpan(r.instance[from:from+n], start+int64(from)), CodePage: r.template.header.CodePage}
}

// Done returns the bytes after the object, where the next object may start, and the first error.
func (r *Refresh) Done() (rest []byte, err error) {
	if r.err == nil && r.left == 0 && r.at != len(r.b) {
		r.foreign("there are %d bytes after the last instance", len(r.b)-r.at)
	}
	return r.rest, r.err
}

func (r *Refresh) foreign(format string, args ...any) {
	r.fail(layout.Path{}, foreign(format, args...))
}
