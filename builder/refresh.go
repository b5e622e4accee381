package builder

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/internal/quote"
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
// The length of the object, the instances, their names and their order stay the same. Values that
// are not set do not change. If Done is called before Next returns false, the values of the
// remaining instances do not change. Each call copies its arguments, so that the caller may change
// them after the call.
//
// Done returns the first error; calls after the first error have no effect. Values that were
// set before the error are in the object. The values of the instance with the error may be 0.
//
// A Refresh visits each instance once. It must not be copied, and is not safe for concurrent
// use. The zero Refresh has no object: Next returns false and Done returns an error.
type Refresh struct {
	_ noCopy
	currentBlock
	template *Template
	b        []byte // the object
	after    []byte // the bytes after the object
	length   uint64 // the length of a counter block
	instance uint64 // the offset of the current instance, or the value of next if there is no current instance
	next     uint64 // the offset of the next instance
	count    int    // the number of instances that the object declares
	single   bool   // the object has PERF_NO_INSTANCES, and Next has not yet visited its counter block
}

// Refresh returns a Refresh of the object at the start of b. A [Fill] with this template must have
// written the object; b may be a copy of the written bytes. An object of another template, or of a
// template that was rebased to other title indexes, is an error that wraps [ErrForeign]. The
// Refresh overwrites b in place, up to the end of the object. After [Refresh.Done] it does not use
// b.
func (t *Template) Refresh(b []byte) Refresh {
	o, err := t.match(b)
	if err != nil {
		return Refresh{template: t, after: b, currentBlock: currentBlock{err: err, format: discarded}}
	}
	n, at := o.TotalByteLength, uint64(o.DefinitionLength)
	return Refresh{
		currentBlock: currentBlock{missing: errNoNext}, template: t, b: b[:n:n], after: b[n:], length: uint64(t.format.length),
		instance: at, next: at, count: int(max(o.NumInstances, 0)), single: o.NumInstances == layout.PERF_NO_INSTANCES,
	}
}

// match returns the header of the object at the start of b. It returns an error if the template
// cannot have written the object.
func (t *Template) match(b []byte) (wire.Object, error) {
	const size = layout.SizeofObjectType
	if t == nil || t.format == nil {
		return wire.Object{}, fault("", ErrForeign, "the Template is nil or zero, must be from Object.Compile")
	}
	if len(b) < size {
		return wire.Object{}, fault("", ErrForeign, "the buffer has %s, must have an object, which takes at least %d", quote.Count(len(b), "byte"), size)
	}
	o, want := wire.Object{}, t.header
	o.Get(b)
	want.TotalByteLength, want.PerfTime = o.TotalByteLength, o.PerfTime
	if want.NumInstances == 0 && o.NumInstances >= 0 {
		want.NumInstances = o.NumInstances
	}
	defined := size + len(t.counters)
	if o != want || uint64(o.TotalByteLength) > uint64(len(b)) || int(o.TotalByteLength) < defined || !bytes.Equal(b[size:defined], t.counters) {
		return o, fault("", ErrForeign, "%s", t.difference(b, &o))
	}
	return o, nil
}

// difference returns the reason why the template cannot have written the object at the start of b. o is the header
// of this object.
func (t *Template) difference(b []byte, o *wire.Object) string {
	switch {
	case layout.HasSignature(b):
		return "the buffer starts with a data block, must start with an object: skip the first HeaderLength bytes"
	case o.ObjectNameTitleIndex != t.header.ObjectNameTitleIndex:
		return fmt.Sprintf("ObjectNameTitleIndex is %d, must be %d, as in the Template: use the Template that wrote the object", o.ObjectNameTitleIndex, t.header.ObjectNameTitleIndex)
	case uint64(o.TotalByteLength) > uint64(len(b)):
		return fmt.Sprintf("the buffer has %s, must have at least %d, the TotalByteLength of the object", quote.Count(len(b), "byte"), o.TotalByteLength)
	}
	return "the definitions of the object differ from those of the Template, must be the same: use the Template that wrote the object"
}

// PerfTime sets the PerfTime of the object, in ticks of its PerfFreq. If a counter is computed with PerfTime, 0 is an
// error.
func (r *Refresh) PerfTime(ticks int64) {
	switch {
	case r.err != nil:
	case r.template == nil:
		r.fail(errZeroRefresh)
	default:
		if err := r.template.checkPerfTime(ticks); err != nil {
			r.fail(err)
			return
		}
		var o wire.Object
		o.Get(r.b)
		o.PerfTime = ticks
		o.Put(r.b)
	}
}

// Next moves to the next instance and returns true. The first call moves to the first instance. Next returns false
// after the last instance and after an error. The counter block of an object with PERF_NO_INSTANCES counts as an
// instance.
func (r *Refresh) Next() bool {
	const size = layout.SizeofInstanceDefinition
	b, at := r.b, r.next
	if r.err != nil || r.instances == r.count || at+size > uint64(len(b)) {
		return r.nextSlowly()
	}
	definition := uint64(le.Uint32(b[at : at+4])) // the ByteLength of the definition
	block := at + definition
	next := block + r.length
	if definition < size || definition%layout.Align != 0 || next > uint64(len(b)) {
		return r.nextSlowly()
	}
	if uint64(le.Uint32(b[block:block+4])) != r.length {
		return r.nextSlowly()
	}
	r.block, r.format = b[block:next], r.template.format
	r.instance, r.next = at, next
	r.instances++
	return true
}

// nextSlowly handles the rare cases of Next: an object with PERF_NO_INSTANCES, the end of the instances, and
// errors.
func (r *Refresh) nextSlowly() bool {
	const size = layout.SizeofInstanceDefinition
	r.instance = r.next
	rest := r.b[r.next:]
	switch {
	case r.err != nil:
		return false
	case r.single && uint64(len(rest)) >= r.length && le.Uint32(rest) == uint32(r.length):
		r.single = false
		r.block, r.format = rest[:r.length], r.template.format
		r.next += r.length
		return true
	case !r.single && r.instances == r.count:
		r.block, r.format = nil, nil
		return false
	}
	record := "object"
	if !r.single {
		record = "instance"
	}
	err := fault("", ErrForeign, "the %s has no counter block of %d bytes, must have a counter block of this length, as in the Template", record, r.length)
	if !r.single {
		r.instances++
		if len(rest) < size {
			err = fault("", ErrForeign, "%s of the object remain, must be at least %d, the size of an instance definition", quote.Count(len(rest), "byte"), size)
		} else if n := le.Uint32(rest[instanceDefinitionByteLength:]); n < size || n%layout.Align != 0 {
			err = fault("", ErrForeign, "ByteLength is %d, must be a multiple of 8 that is at least %d", n, size)
		}
	}
	r.fail(err)
	return false
}

// Name returns the name of the current instance, so that the caller can select the values for this instance. The
// name is empty for an unnamed instance, for an object with PERF_NO_INSTANCES, and if there is no current
// instance. Name does not allocate. The result refers to the bytes of the object.
func (r *Refresh) Name() layout.Name {
	if r.instance == r.next {
		return layout.Name{}
	}
	definition := r.b[r.instance : r.next-r.length]
	if len(definition) == 0 {
		return layout.Name{}
	}
	from, n := uint64(le.Uint32(definition[instanceDefinitionNameOffset:])), uint64(le.Uint32(definition[instanceDefinitionNameLength:]))
	if from+n > uint64(len(definition)) {
		return layout.Name{}
	}
	return layout.Name{Span: layout.NewSpan(definition[from:from+n], int64(r.instance+from)), CodePage: r.template.header.CodePage}
}

// Done returns the first error, and the bytes after the object. These bytes may start with the next object. Later
// calls are errors and change nothing.
func (r *Refresh) Done() (rest []byte, err error) {
	switch {
	case r.err != nil:
	case r.template == nil:
		r.fail(errZeroRefresh)
	case !r.single && r.instances == r.count && r.next != uint64(len(r.b)):
		r.fail(fault("", ErrForeign, "the object has %s after the last instance, must have none", quote.Count(len(r.b)-int(r.next), "byte")))
	}
	r.instance = r.next
	if err = r.err; err == nil {
		r.err, r.format, r.block = errRefreshDone, discarded, nil
	}
	return r.after, err
}

var errRefreshDone = fault("", ErrCount, "Refresh.Done was called before: call Template.Refresh for another Refresh")

var errZeroRefresh = layout.Faultf(ErrForeign, "the Refresh is zero, must be from Template.Refresh")
