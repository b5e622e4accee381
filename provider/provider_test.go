package provider

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

const (
	multiple = layout.PERF_COUNTERSET_MULTI_INSTANCES
	single   = layout.PERF_COUNTERSET_SINGLE_INSTANCE
)

// idOf returns a GUID for a name of at most 8 bytes.
func idOf(name string) layout.GUID {
	id := layout.GUID{Data1: 1}
	copy(id.Data4[:], name)
	return id
}

// newSet returns a counter set whose counters have the ids 1, 2 and so on.
func newSet(name string, kind layout.InstanceType, types ...layout.CounterType) *CounterSet[Values] {
	info := builder.CounterSetInfo{CounterSetGuid: idOf(name), InstanceType: kind}
	for i, t := range types {
		info.Define(builder.CounterInfo{CounterId: uint32(i + 1), Type: t, Attrib: layout.PERF_ATTRIB_BY_REFERENCE})
	}
	return NewCounterSet(name, info)
}

// queues returns a counter set with instances.
func queues() *CounterSet[Values] {
	return newSet("Queues", multiple, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_RAWCOUNT)
}

// define returns the definition of a provider.
func define(sets ...Set) Definition {
	return Definition{Name: "Test", GUID: idOf("Test"), CounterSets: sets}
}

// start starts a provider that calls the functions of s. At the end of the test, it closes the provider.
func start(t testing.TB, s system, o Options, sets ...Set) *Provider {
	t.Helper()
	p, err := o.start(define(sets...), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return p
}

// create creates an instance.
func create(t testing.TB, p *Provider, s *CounterSet[Values], name string) *Values {
	t.Helper()
	q, err := s.Create(p, name)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestStartErrors checks which definitions Start refuses, and that the error says why and what to do.
func TestStartErrors(t *testing.T) {
	t.Parallel()
	large := newSet("Large", multiple)
	for id := range uint32(mostCounters + 1) {
		large.Info.Counter(id, layout.PERF_COUNTER_RAWCOUNT)
	}
	large = NewCounterSet("Large", large.Info)
	repeated := queues()
	repeated.Info.Counters[1].CounterId = 1
	noGUID := queues()
	noGUID.Info.CounterSetGuid = layout.GUID{}
	noFields := &CounterSet[Values]{Name: "Queues", Info: queues().Info}
	short := &CounterSet[Values]{Name: "Queues", Info: queues().Info, Fields: func(v *Values) (*Instance, []Value) { return &v.Instance, nil }}
	withFields := func(in *Instance, values ...Value) *CounterSet[Values] {
		return &CounterSet[Values]{Name: "Queues", Info: queues().Info, Fields: func(*Values) (*Instance, []Value) { return in, values }}
	}
	byValue := queues()
	byValue.Info.Counters[1].Attrib = 0
	type fields struct {
		Instance
		Published Uint32
		Depth     Uint32
	}
	narrow := &CounterSet[fields]{Name: "Queues", Info: queues().Info, Fields: func(f *fields) (*Instance, []Value) {
		return &f.Instance, []Value{&f.Published, &f.Depth}
	}}
	for _, tt := range []struct {
		reason string
		d      Definition
		want   string
	}{
		{"without a GUID Windows cannot identify the provider", Definition{Name: "Test", CounterSets: []Set{queues()}}, `provider "Test": the GUID is not set; generate the definition with perfblock define`},
		{"a provider without sets shows nothing", define(), "there are no counter sets; a provider must have at least one"},
		{"a set is nil", define(nil), "counter set 0 is nil"},
		{"a pointer to a set is nil", define((*CounterSet[Values])(nil)), "a counter set is nil"},
		{"two sets have one GUID", define(queues(), newSet("Queues", single, layout.PERF_COUNTER_RAWCOUNT)), `counter sets "Queues" and "Queues" have the same GUID`},
		{"a set has no GUID", define(noGUID), `counter set "Queues": the GUID is not set`},
		{"a set has no counters", define(newSet("Empty", multiple)), `counter set "Empty": Counters: is empty`},
		{"a set has too many counters", define(large), "there are 64001 counters; a set must have at most 64000"},
		{"two counters have one id", define(repeated), "counter[1].CounterId: is 1, must differ from the CounterId of counter[0]"},
		{"a counter without the attribute reference does not match the calls of this package", define(byValue), `counter 2 does not have the attribute "reference", which its definition and the registered manifest must have; write reference: true`},
		{"the value of a counter is a text", define(newSet("Text", multiple, layout.PERF_COUNTER_TEXT)), "counter 1 is a PERF_COUNTER_TEXT; the value of a counter must be a number of 4 or 8 bytes"},
		{"a counter has no value", define(newSet("None", multiple, layout.PERF_COUNTER_NODATA)), "counter 1 is a PERF_COUNTER_NODATA"},
		{"the instance type is not one of Windows", define(newSet("Kind", 3, layout.PERF_COUNTER_RAWCOUNT)), "InstanceType: is 3"},
		{"the struct is missing", define(noFields), "the function Fields is nil"},
		{"the struct is older than the counters", define(short), "the struct has 0 values for 2 counters; run perfblock define again"},
		{"the struct has no Instance", define(withFields(nil, new(Uint64), new(Uint32))), "the function Fields returns a nil Instance; generate the definition with perfblock define"},
		{"a value is nil", define(withFields(new(Instance), new(Uint64), nil)), "the function Fields returns a nil Value for counter 2; generate the definition with perfblock define"},
		{"a field is too narrow", define(narrow), "counter 1 is a PERF_COUNTER_BULK_COUNT of 8 bytes, and its field in the struct has another width; run perfblock define again"},
	} {
		s := newRecorder()
		p, err := Options{}.start(tt.d, s)
		if p != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %s", tt.reason, err, tt.want)
		}
		if len(s.calls) > 0 {
			t.Errorf("%s: Start called %v", tt.reason, s.calls)
		}
	}
}

// TestRegistration checks that Start returns an error if the registration of a set does not match the program. Start then
// makes no other call of Windows.
func TestRegistration(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		change func(r *builder.CounterSetRegInfo)
		want   string
	}{
		{"the registration is that of the program", func(*builder.CounterSetRegInfo) {}, ""},
		{"a manifest without the attribute, so that consumers would read addresses", func(r *builder.CounterSetRegInfo) { r.Counters[1].Attrib = 0 }, `provider "Test": counter set "Queues": counter 2 is registered without the attribute "reference", must have this attribute; run perfblock provider install with the manifest of this program`},
		{"a manifest of an older program", func(r *builder.CounterSetRegInfo) { r.Counters = r.Counters[:1] }, "counter 2 is not registered; run perfblock provider install"},
	} {
		s, set := newRecorder(), queues()
		r := builder.NewCounterSetRegInfo(set.Info.CounterSetGuid, multiple)
		for _, c := range set.Info.Counters {
			r.Define(builder.CounterRegInfo{CounterId: c.CounterId, Type: c.Type, Attrib: c.Attrib, DetailLevel: layout.PERF_DETAIL_NOVICE})
		}
		tt.change(r)
		b, err := r.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		s.registered = map[layout.GUID][]byte{set.Info.CounterSetGuid: b}
		p, err := Options{}.start(define(newSet("Other", single, layout.PERF_COUNTER_RAWCOUNT), set), s)
		if (tt.want == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), tt.want) || p != nil || len(s.calls) > 0) {
			t.Errorf("%s: %v after the calls %v, want %q", tt.reason, err, s.calls, tt.want)
		}
	}
}

// TestUndo makes each call of a Windows function fail, one at a time. A failed Start or Create must leave nothing in
// Windows, and a second try must succeed.
func TestUndo(t *testing.T) {
	t.Parallel()
	only := newSet("Only", single, layout.PERF_COUNTER_RAWCOUNT)
	for fail, call := range []string{
		0: "PerfStartProviderEx", 1: "PerfSetCounterSetInfo", 2: "PerfSetCounterSetInfo", // Start
		3: "PerfCreateInstance", 4: "PerfSetCounterRefValue", 5: "PerfSetCounterRefValue", // Create
		6:  "PerfDeleteInstance",                         // Delete
		10: "PerfDeleteInstance", 11: "PerfStopProvider", // Close, after a second Create
	} {
		if call == "" {
			continue
		}
		s, named, failures := newRecorder(), queues(), 0
		s.fail, s.status = fail, notEnoughMemory
		check := func(err error) {
			t.Helper()
			if err != nil {
				failures++
			}
			if e, is := errors.AsType[*Error](err); err != nil && (!is || e.Call != call || e.Status != uint32(notEnoughMemory) || !strings.Contains(err.Error(), call+" returned 8 (ERROR_NOT_ENOUGH_MEMORY); delete instances")) {
				t.Errorf("%s, call %d: the error is %v", call, fail, err)
			}
		}
		p, err := Options{}.start(define(named, only), s)
		if check(err); err != nil {
			if len(s.providers) > 0 {
				t.Errorf("call %d: a provider is left", fail)
			}
			if p, err = (Options{}).start(define(named, only), s); err != nil {
				t.Fatal(err)
			}
		}
		q, err := named.Create(p, "a")
		if check(err); err != nil {
			if p := s.providers[p.handle]; len(p.instances) > 0 {
				t.Errorf("call %d: %d instances are left", fail, len(p.instances))
			}
			q = create(t, p, named, "a")
		}
		err = q.Delete()
		if check(err); err != nil {
			if err := q.Delete(); err != nil {
				t.Errorf("call %d: Delete again: %v", fail, err)
			}
		}
		create(t, p, named, "A")
		check(p.Close())
		if failures != 1 {
			t.Errorf("call %d: %d errors, want 1", fail, failures)
		}
		if err := p.Close(); !errors.Is(err, ErrClosed) {
			t.Errorf("call %d: the second Close returned %v", fail, err)
		}
		if len(s.providers) > 0 != (call == "PerfStopProvider") {
			t.Errorf("call %d: %d providers are left", fail, len(s.providers))
		}
	}
}
