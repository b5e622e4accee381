package builder

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryRefresh sets new clocks and values in query data that stands, one answer and
// one instance after the other. It is to query data what a [Refresh] is to objects:
//
//	r := builder.NewQueryRefresh(data, builder.QueryData{PerfTimeStamp: ticks})
//	r.Result(template)
//	for r.Next() {
//		r.Values(disks[r.InstanceId()].Reads, disks[r.InstanceId()].Writes)
//	}
//	err := r.Done()
//
// Instances, their names and order stay, and so does a value that is not set: also those of
// all answers that come after, if Done is called before. Errors and what may be shared are
// as with a Refresh.
type QueryRefresh struct {
	row
	header  wire.DataHeader // with the new clocks
	head    []byte          // its place, until it is written
	rest    []byte          // of the data, behind the answer
	answers uint32          // how many there are in it
	b       []byte          // the answer
	at      int             // the next instance
	total   int             // how many there are
	lone    bool            // there are values without, still to come
	id      uint32          // of the instance at hand
}

// NewQueryRefresh starts with the data at the start of b. It is data as a [QueryFill] makes
// it; where it is not, the error wraps [ErrForeign]. b is written to in place, up to the end
// of the data, and is not kept beyond [QueryRefresh.Done].
//
// The clocks of q, which has no Results, are written when the first answer has shown to be
// of its template, or by Done where none was asked for. A field that is zero stays as it is
// in the data; but SystemTime and PerfTime100NSec are one moment, so that one of them alone
// sets both.
func NewQueryRefresh(b []byte, q QueryData) QueryRefresh {
	r := QueryRefresh{row: row{query: true}}
	header, err := q.clocksAlone()
	if err != nil {
		r.fail(layout.Path{}, err)
		return r
	}
	size := int(layout.PERF_DATA_HEADER.Size)
	if len(b) < size {
		r.foreign("%d bytes, too few for query data", len(b))
		return r
	}
	was := wire.GetDataHeader(b)
	total := was.DwTotalSize
	if uint64(total) > uint64(len(b)) || int(total) < size {
		r.foreign("%d bytes for data of a dwTotalSize of %d", len(b), total)
		return r
	}
	r.head, r.header = b[:size:size], q.clocksOver(header, was)
	r.rest, r.answers = b[size:total:total], was.DwNumCounters
	return r
}

// clocksOver returns the header that was with what q sets of the clocks, which are
// checked and in the other header.
func (q *QueryData) clocksOver(set, was wire.DataHeader) wire.DataHeader {
	if q.PerfTimeStamp != 0 {
		was.PerfTimeStamp = set.PerfTimeStamp
	}
	if q.PerfFreq != 0 {
		was.PerfFreq = set.PerfFreq
	}
	if q.PerfTime100NSec != 0 || q.SystemTime != (layout.SystemTime{}) {
		was.PerfTime100NSec, was.SystemTime = set.PerfTime100NSec, set.SystemTime
	}
	return was
}

// setClocks writes the clocks, once.
func (r *QueryRefresh) setClocks() {
	if r.head != nil {
		r.header.Put(r.head)
		r.head = nil
	}
}

// Result goes to the next answer, at first to the first. It must be one that this template
// has filled, the same as it was or copied; one of another template is an error that wraps
// [ErrForeign].
func (r *QueryRefresh) Result(t *QueryTemplate) {
	r.leave()
	switch {
	case r.err != nil:
		return
	case !r.query: // a zero QueryRefresh
		r.foreign("an answer, and no data")
		return
	}
	r.objects, r.instances = r.objects+1, 0
	switch {
	case t == nil || t.form == nil:
		r.fail(layout.Path{}, layout.Faultf(ErrCount, "no template"))
		return
	case r.answers == 0:
		r.foreign("the data has no more answers")
		return
	}
	defined := t.defined()
	if len(r.rest) < len(t.head) {
		r.foreign("%d bytes, too few for the answer", len(r.rest))
		return
	}
	h, want := wire.GetCounterHeader(r.rest), t.header
	if t.instances {
		want.DwSize = h.DwSize
	}
	size := int(layout.PERF_COUNTER_HEADER.Size)
	if h != want || uint64(h.DwSize) > uint64(len(r.rest)) || int(h.DwSize) < len(t.head) || !bytes.Equal(r.rest[size:defined], t.head[size:defined]) {
		r.foreign("%s", t.difference(r.rest, &h))
		return
	}
	r.b, r.rest = r.rest[:h.DwSize:h.DwSize], r.rest[h.DwSize:]
	r.raw, r.at, r.total = t.form, len(t.head), 0
	r.lone = !t.instances && want.DwType != layout.PERF_ERROR_RETURN
	r.answers--
	if t.instances {
		in := wire.GetMultiInstances(r.b[defined:])
		if uint64(in.DwTotalSize) != uint64(len(r.b)-defined) {
			r.foreign("its dwTotalSize is %d, and there are %d bytes", in.DwTotalSize, len(r.b)-defined)
			return
		}
		r.total = int(in.DwInstances)
	}
	r.setClocks()
}

// difference says why b does not start with an answer of the template, although there
// is the header h.
func (t *QueryTemplate) difference(b []byte, h *wire.CounterHeader) string {
	switch {
	case h.DwType != t.header.DwType:
		return fmt.Sprintf("the answer is a %v and no %v", h.DwType, t.header.DwType)
	case uint64(h.DwSize) > uint64(len(b)):
		return fmt.Sprintf("%d bytes of the answer's %d", len(b), h.DwSize)
	}
	return "the answer has another status, other counters or another length"
}

// Next goes to the next instance, at first to the first, and reports whether there is
// one. An answer without instances has its values once, and a PERF_ERROR_RETURN none.
func (r *QueryRefresh) Next() bool {
	if r.instances == r.total || r.err != nil {
		return r.once()
	}
	r.instances++
	b, at := r.b, r.at
	if at > len(b)-leastInstance {
		r.foreign("the answer ends inside an instance")
		return false
	}
	in := wire.GetInstanceHeader(b[at:])
	from := uint64(at) + uint64(in.Size)
	end := from + uint64(r.raw.length)
	switch {
	case in.Size < leastInstance || in.Size%layout.Align != 0:
		r.foreignSize(in.Size)
		return false
	case end > uint64(len(b)) || !r.raw.keeps(b[from:end:end]):
		r.foreign(otherLengths)
		return false
	}
	r.id, r.at = in.InstanceId, int(end)
	r.block, r.of = b[from:end:end], r.raw
	return true
}

// once is Next where there are no more instances, or never were some.
func (r *QueryRefresh) once() bool {
	r.block, r.of, r.id = nil, nil, 0
	if !r.lone || r.err != nil {
		return false
	}
	block := r.b[r.at:]
	if r.lone = false; !r.raw.keeps(block) {
		r.foreign(otherLengths)
		return false
	}
	r.block, r.of, r.at = block, r.raw, len(r.b)
	return true
}

// InstanceId returns that of the instance at hand, by which its values may be looked up. It
// is 0 where there is none.
func (r *QueryRefresh) InstanceId() uint32 { return r.id }

// leave looks at what is behind the last instance of the answer at hand.
func (r *QueryRefresh) leave() {
	if r.err == nil && r.instances == r.total && !r.lone && r.at != len(r.b) {
		r.foreign("%d bytes behind the last instance", len(r.b)-r.at)
	}
	r.of, r.block, r.id = nil, nil, 0
}

// Done returns the first error.
func (r *QueryRefresh) Done() error {
	r.leave()
	if r.err == nil && r.answers == 0 && len(r.rest) > 0 {
		r.objects, r.instances = 0, 0
		r.foreign("%d bytes behind the last answer", len(r.rest))
	}
	if r.err == nil {
		r.setClocks()
	}
	return r.err
}

func (r *QueryRefresh) foreign(format string, args ...any) {
	r.id = 0
	r.fail(layout.Path{}, layout.Faultf(ErrForeign, format, args...))
}

// leastInstance is what a PERF_INSTANCE_HEADER takes at the least, with a NUL and padding.
const leastInstance = 16

// foreignSize is a function of its own, as a number for foreign would slow Next down.
func (r *QueryRefresh) foreignSize(n uint32) { r.foreign("its Size is %d", n) }

// otherLengths is what is wrong with values that are not of the template.
const otherLengths = "it has no values of those lengths"
