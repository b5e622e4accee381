package builder

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Refresh sets new values in an object that stands, one instance after the other:
//
//	r := template.Refresh(object)
//	for i := 0; r.Next(); i++ {
//		r.Set64(requests, sites[i].Requests)
//	}
//	rest, err := r.Done()
//
// Instances, their names and order stay, and so does a value that is not set: also those
// of all that come after, if Done is called before Next has reported the end. Nothing
// grows, so that there is always room. Values are copied, and may be reused when
// the call that gives them returns.
//
// The first error sticks, as in a [Fill]; the values before it are the new ones, those of the
// instance at fault may be zero. A Refresh is for going through once. It must not be
// copied once it is in use, and is not safe for concurrent use.
type Refresh struct {
	row
	template *Template
	b        []byte // the object
	rest     []byte // what is behind it
	at       int    // the next instance
	left     int    // instances to come
}

// Refresh starts with the object that b starts with. It must be one that this template
// has filled, the same as it was or copied; one of another template, or rebased
// otherwise, is an error that wraps [ErrForeign]. b is written to in place, up to the end
// of the object, and is not kept beyond [Refresh.Done].
func (t *Template) Refresh(b []byte) Refresh {
	r := Refresh{template: t, rest: b}
	size := int(layout.PERF_OBJECT_TYPE.Size)
	if len(b) < size {
		r.foreign("%d bytes, too few for an object", len(b))
		return r
	}
	o := wire.GetObjectType(b)
	want := t.header
	want.TotalByteLength, want.PerfTime = o.TotalByteLength, o.PerfTime
	if want.NumInstances == 0 && o.NumInstances >= 0 {
		want.NumInstances = o.NumInstances
	}
	defined := size + len(t.counters)
	if o != want || uint64(o.TotalByteLength) > uint64(len(b)) || int(o.TotalByteLength) < defined ||
		!bytes.Equal(b[size:defined], t.counters) {
		r.foreign("%s", t.difference(b, &o))
		return r
	}
	r.b, r.rest = b[:o.TotalByteLength:o.TotalByteLength], b[o.TotalByteLength:]
	r.at, r.left = defined, int(max(o.NumInstances, 0))
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		r.left = 1
	}
	return r
}

// difference says why b does not start with an object of the template, although there
// is the header o.
func (t *Template) difference(b []byte, o *wire.ObjectType) string {
	switch {
	case layout.HasSignature(b):
		return "a data block; its objects are behind the HeaderLength"
	case o.ObjectNameTitleIndex != t.header.ObjectNameTitleIndex:
		return fmt.Sprintf("the object has the title %d and not %d", o.ObjectNameTitleIndex, t.header.ObjectNameTitleIndex)
	case uint64(o.TotalByteLength) > uint64(len(b)):
		return fmt.Sprintf("%d bytes of the object's %d", len(b), o.TotalByteLength)
	}
	return "the object has other definitions"
}

// PerfTime sets the object's own clock, in ticks of its PerfFreq.
func (r *Refresh) PerfTime(ticks int64) {
	switch {
	case r.err != nil:
	case r.template == nil:
		r.foreign("a PerfTime, and no object")
	case ticks < 0:
		r.fail(layout.Path{}.Field("PerfTime"), layout.Faultf(layout.ErrRange, "%d is below 0", ticks))
	default:
		o := wire.GetObjectType(r.b)
		o.PerfTime = ticks
		o.Put(r.b)
	}
}

// SetText is [Fill.SetText].
func (r *Refresh) SetText(h HandleText, s string) { r.setText(h, s) }

// Next goes to the next instance, at first to the first, and reports whether there is
// one. An object of PERF_NO_INSTANCES has one counter block, which comes up once.
func (r *Refresh) Next() bool {
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
			r.foreign("its ByteLength is %d", at)
			return false
		}
	}
	if uint64(len(rest)) < at+length || wire.GetCounterBlock(rest[at:]).ByteLength != uint32(length) {
		r.foreign("it has no counter block of %d bytes", length)
		return false
	}
	r.block, r.of = rest[at:][:length], r.template.form
	r.at += int(at + length)
	return true
}

// Done returns the bytes behind the object, for the next one there, and the first error.
func (r *Refresh) Done() (rest []byte, err error) {
	if r.err == nil && r.left == 0 && r.at != len(r.b) {
		r.foreign("%d bytes behind the last instance", len(r.b)-r.at)
	}
	return r.rest, r.err
}

func (r *Refresh) foreign(format string, args ...any) {
	r.fail(layout.Path{}, layout.Faultf(ErrForeign, format, args...))
}
