package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryFill writes query data into a buffer, its answers by their templates. It is to
// query data what a [Fill] is to objects:
//
//	f := builder.NewFixedQueryFill(buffer, builder.QueryData{PerfTimeStamp: ticks})
//	f.Result(template)
//	for i := range disks {
//		f.Instance(disks[i].Name, disks[i].ID)
//		f.Values(disks[i].Reads, disks[i].Writes)
//	}
//	buffer, err := f.Done()
//
// What is said there of errors, of what is kept and of use by one goroutine at a time
// holds here. Whether names and ids repeat is the caller's to know. The zero QueryFill has
// no header to write, which is an error.
type QueryFill struct {
	filler
	header   wire.DataHeader // of the data; written when its length is known
	template *QueryTemplate  // of the answer at hand
	start    int             // of it
}

// NewQueryFill returns a QueryFill that appends to b, as [NewFill] does, data with the
// clocks of q, which has no Results.
func NewQueryFill(b []byte, q QueryData) QueryFill { return newQueryFill(newRoom(b, false), q) }

// NewFixedQueryFill is [NewQueryFill] for a buffer that cannot grow, as [NewFixedFill] is
// for objects.
func NewFixedQueryFill(b []byte, q QueryData) QueryFill { return newQueryFill(newRoom(b, true), q) }

func newQueryFill(r room, q QueryData) QueryFill {
	f := QueryFill{filler: filler{row: row{query: true}, room: r}}
	var err error
	if f.header, err = q.clocksAlone(); err != nil {
		f.fail(layout.Path{}, err)
	} else if f.take(uint64(layout.PERF_DATA_HEADER.Size)) == nil {
		f.full()
	}
	return f
}

// clocksAlone is header for data whose answers are not in the model.
func (q *QueryData) clocksAlone() (wire.DataHeader, error) {
	if len(q.Results) > 0 {
		return wire.DataHeader{}, layout.Faultf(ErrCount, "%d answers beside the clocks; they come one by one", len(q.Results))
	}
	return q.header()
}

// Result ends the answer before and starts one of the template. One without instances
// has its values at once, which are zeros until they are set.
func (f *QueryFill) Result(t *QueryTemplate) {
	f.end()
	switch {
	case f.err != nil:
		return
	case !f.query:
		f.fail(layout.Path{}, errNoHeader)
		return
	}
	f.objects, f.instances = f.objects+1, 0
	if t == nil || t.form == nil {
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "no template"))
		return
	}
	f.template, f.start = t, f.at
	length := uint64(len(t.head))
	if !t.instances {
		length += uint64(t.form.length)
	}
	b := f.take(length)
	if b == nil {
		f.full()
		return
	}
	if n := copy(b, t.head); !t.instances {
		f.open(b[n:], t.form)
	}
}

// errNoHeader is that of a zero QueryFill.
var errNoHeader error = &layout.Error{Off: -1, Err: layout.Faultf(ErrCount, "no header; NewQueryFill makes one")}

// Instance starts an instance, whose values are zero until they are set. The name is as
// in [QueryInstance].
func (f *QueryFill) Instance(name string, id uint32) {
	t := f.template
	if t == nil || !t.instances || f.err != nil {
		f.misplaced()
		return
	}
	f.settle()
	f.instances++
	b, whole := f.takeASCII(uint64(layout.PERF_INSTANCE_HEADER.Size), name, uint64(t.form.length))
	if b == nil {
		f.anyInstance(name, id)
		return
	}
	wire.InstanceHeader{Size: uint32(whole), InstanceId: id}.Put(b)
	f.open(b[whole:], t.form)
}

// anyInstance starts an instance of any name, or reports why it cannot.
func (f *QueryFill) anyInstance(name string, id uint32) {
	whole, err := planNamed(&layout.PERF_INSTANCE_HEADER, name, 0)
	if err != nil {
		f.fail(layout.Path{}, err)
		return
	}
	b := f.take(whole + uint64(f.template.form.length))
	if b == nil {
		f.full()
		return
	}
	appendInstanceHeader(b[:0], name, id, 0)
	f.open(b[whole:], f.template.form)
}

// misplaced reports an instance where there can be none.
func (f *QueryFill) misplaced() {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "an instance, and no answer"))
	default:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "%v goes with no instances", f.template.header.DwType))
	}
}

// end writes the lengths of the answer at hand.
func (f *QueryFill) end() {
	if f.template == nil || f.err != nil {
		return
	}
	if !f.over {
		f.settle()
		h, at := f.template.header, f.start+f.template.defined()
		h.DwSize = uint32(f.at - f.start)
		h.Put(f.b[f.start:])
		if f.template.instances {
			wire.MultiInstances{DwTotalSize: uint32(f.at - at), DwInstances: uint32(f.instances)}.Put(f.b[at:])
		}
	}
	f.of, f.block = nil, nil
}

// Done ends the last answer and returns the buffer, as [Fill.Done] does.
func (f *QueryFill) Done() ([]byte, error) {
	f.end()
	switch {
	case f.err != nil:
	case !f.query:
		f.fail(layout.Path{}, errNoHeader)
	case !f.over:
		f.header.DwTotalSize, f.header.DwNumCounters = uint32(f.at-len(f.given)), uint32(f.objects)
		f.header.Put(f.b[len(f.given):])
	}
	return f.done()
}
