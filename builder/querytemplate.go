package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryTemplate is an answer whose type, status and counters are encoded once, to be
// filled with instances again and again: what there is to do where the same counter set is
// asked for each second. As a [Template] it shares nothing with the [Result] it was
// compiled from, is immutable, and safe for concurrent use. The zero QueryTemplate is of no
// answer, and of no use.
//
// A [QueryFill] writes query data with new instances, a [QueryRefresh] new values into
// what stands. Neither allocates, but where a buffer grows and for an error. What they
// write is what [QueryData.AppendBinary] writes for the same instances.
type QueryTemplate struct {
	compiled
	header    wire.CounterHeader // with the dwSize of an answer without instances
	head      []byte             // it and all that stands before the instances or the values
	instances bool               // there may be some; without, there is a value for each counter
}

// Compile returns the template of the answer: of all but its instances and values, which
// are no part of it. Everything is copied. The errors are those of
// [QueryData.AppendBinary] for what is compiled, and a counter of Bytes is one that wraps
// [layout.ErrRange]: the values of a template have each their length.
func (r *Result) Compile() (*QueryTemplate, error) {
	if r == nil {
		return nil, fault(layout.Path{}, "", ErrCount, "no answer to compile")
	}
	t, err := (&Result{Type: r.Type, Status: r.Status, Counters: r.Counters, ShortIDs: r.ShortIDs}).compile()
	if err != nil {
		return nil, within(resultPath(0), err)
	}
	return t, nil
}

// compile is Compile for an answer without instances and values.
func (r *Result) compile() (*QueryTemplate, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	for i, c := range r.Counters {
		if c.Bytes {
			return nil, fault(counterPath(i), "Bytes", layout.ErrRange, "a template has values of 4 and 8 bytes alone")
		}
	}
	t := &QueryTemplate{compiled: compiled{newQueryForm(r.Counters)}, instances: r.hasInstances()}
	if !t.instances {
		r.Values = make([]uint64, len(r.Counters))
	}
	p, err := r.plan()
	if err != nil {
		return nil, err
	}
	t.head = r.append(nil, p)
	t.header = wire.GetCounterHeader(t.head)
	if !t.instances {
		t.head = t.head[:len(t.head)-int(t.form.length)]
	}
	return t, nil
}

// defined returns how many bytes of an answer are always the same, but for its dwSize.
func (t *QueryTemplate) defined() int {
	if t.instances {
		return len(t.head) - int(layout.PERF_MULTI_INSTANCES.Size)
	}
	return len(t.head)
}
