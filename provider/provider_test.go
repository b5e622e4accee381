package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
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

// start starts a provider with a system and closes it when the test ends.
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

// A recorder is a stand-in that records the calls and lets one of them fail.
type recorder struct {
	*standIn
	mu     sync.Mutex
	calls  []string
	fail   int // the position of the call that fails, or -1
	status status

	// If a channel is set, a call of the function blocked waits until the channel is closed.
	blocked string
	block   chan struct{}
}

func newRecorder() *recorder { return &recorder{standIn: newStandIn(), fail: -1} }

// called records a call and returns the status with which it must fail.
func (r *recorder) called(name string) status {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, name)
	if block := r.block; block != nil && name == r.blocked {
		r.mu.Unlock()
		<-block
		r.mu.Lock()
	}
	if len(r.calls)-1 == r.fail {
		return r.status
	}
	return success
}

func (r *recorder) start(id layout.GUID, control func(code uint32) uint32) (uintptr, status) {
	if s := r.called("PerfStartProviderEx"); s != success {
		return 0, s
	}
	return r.standIn.start(id, control)
}

func (r *recorder) setInfo(handle uintptr, template []byte) status {
	if s := r.called("PerfSetCounterSetInfo"); s != success {
		return s
	}
	return r.standIn.setInfo(handle, template)
}

func (r *recorder) create(handle uintptr, set layout.GUID, name string, id uint32) (uintptr, status) {
	if s := r.called("PerfCreateInstance"); s != success {
		return 0, s
	}
	return r.standIn.create(handle, set, name, id)
}

func (r *recorder) setReference(handle, instance uintptr, counter uint32, value *atomic.Uint64) status {
	if s := r.called("PerfSetCounterRefValue"); s != success {
		return s
	}
	return r.standIn.setReference(handle, instance, counter, value)
}

func (r *recorder) delete(handle, instance uintptr) status {
	if s := r.called("PerfDeleteInstance"); s != success {
		return s
	}
	return r.standIn.delete(handle, instance)
}

func (r *recorder) stop(handle uintptr) status {
	if s := r.called("PerfStopProvider"); s != success {
		return s
	}
	return r.standIn.stop(handle)
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
		{"the manifest of a definition by value does not match the calls of this package", define(byValue), "counter 2 does not have the attribute reference, which its definition and the registered manifest must have; write reference: true"},
		{"the value of a counter is a text", define(newSet("Text", multiple, layout.PERF_COUNTER_TEXT)), "counter 1 is a PERF_COUNTER_TEXT; the value of a counter must be a number of 4 or 8 bytes"},
		{"a counter has no value", define(newSet("None", multiple, layout.PERF_COUNTER_NODATA)), "counter 1 is a PERF_COUNTER_NODATA"},
		{"the instance type is not one of Windows", define(newSet("Kind", 3, layout.PERF_COUNTER_RAWCOUNT)), "InstanceType: is 3"},
		{"the struct is missing", define(noFields), "the function Fields is nil"},
		{"the struct is older than the counters", define(short), "the struct has 0 values for 2 counters; run perfblock define again"},
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

// TestCreateErrors checks which instances Create refuses.
func TestCreateErrors(t *testing.T) {
	t.Parallel()
	named, only, other := queues(), newSet("Only", single, layout.PERF_COUNTER_RAWCOUNT), newSet("Other", multiple, layout.PERF_COUNTER_RAWCOUNT)
	sum := newSet("Sum", layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTER_RAWCOUNT)
	p := start(t, newStandIn(), Options{}, named, only, sum)
	create(t, p, named, "Größe")
	create(t, p, only, "")
	for _, tt := range []struct {
		reason   string
		provider *Provider
		set      *CounterSet[Values]
		name     string
		want     string
		is       error
	}{
		{"Start has failed, and the caller did not check the error", nil, named, "a", `counter set "Queues": the provider is nil; check the error of Start`, nil},
		{"the set is nil", p, nil, "a", "the counter set is nil", nil},
		{"the set belongs to another provider", p, other, "a", `counter set "Other": the provider "Test" does not have this set`, nil},
		{"a name is necessary", p, named, "", `counter set "Queues", instance "": the name is empty`, nil},
		{"Windows ends the name at a NUL", p, named, "a\x00b", `instance "a\x00b": the name has a NUL at byte 1`, nil},
		{"bytes that are not UTF-8 would be replaced", p, named, "a\xff", "the name is not valid UTF-8 at byte 1", nil},
		{"Windows has room for 1,024 code units with the NUL", p, named, strings.Repeat("x", 1024), "the name has 1024 UTF-16 code units; a name must have at most 1023", nil},
		{"a character outside the BMP is two code units", p, named, strings.Repeat("\U0001F600", 512), "the name has 1024 UTF-16 code units", nil},
		{"* selects all instances in a query", p, named, "a*", "the name has a * at byte 1, which is a wildcard in a query", nil},
		{"two instances must not have one name", p, named, "Größe", `the instance exists: "Größe"`, ErrDuplicate},
		{"two names must differ in more than case", p, named, "GRÖßE", `the instance exists: "Größe"; names must differ in more than case`, ErrDuplicate},
		{"a set without instances has no name", p, only, "a", `the set has no instances; pass "" as the name`, nil},
		{"a set without instances has only one", p, only, "", "the instance exists: this set can have only one", ErrDuplicate},
		{"Windows computes _Total", p, sum, "_total", "the name is _Total, the instance that Windows computes", nil},
	} {
		q, err := tt.set.Create(tt.provider, tt.name)
		if q != nil || err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: the error is %v, want %s", tt.reason, err, tt.want)
		}
	}
	for _, tt := range []struct{ reason, name string }{
		{"a name can have 1,023 code units", strings.Repeat("x", 1023)},
		{"characters outside the BMP have two code units each", strings.Repeat("\U0001F600", 511)},
		{"ı is not the lower case of I", "GRÖßE ı"},
		{"characters that consumers replace are allowed", `a(b)#1/c\d`},
		{"_Total is a name like others if Windows does not compute it", "_Total"},
	} {
		if _, err := named.Create(p, tt.name); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}

// TestUndo lets each call of Windows fail, one at a time. The error must name the call and its status, Windows must have
// what it had before, and the same call must succeed later.
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

// TestClose checks the order of the calls, and what the methods do after Close.
func TestClose(t *testing.T) {
	t.Parallel()
	s, named := newRecorder(), queues()
	p := start(t, s, Options{}, named)
	first, second := create(t, p, named, "first"), create(t, p, named, "second")
	if err := first.Delete(); err != nil {
		t.Fatal(err)
	}
	if err := first.Delete(); !errors.Is(err, ErrClosed) {
		t.Errorf("the second Delete returned %v", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"PerfStartProviderEx", "PerfSetCounterSetInfo",
		"PerfCreateInstance", "PerfSetCounterRefValue", "PerfSetCounterRefValue",
		"PerfCreateInstance", "PerfSetCounterRefValue", "PerfSetCounterRefValue",
		"PerfDeleteInstance", "PerfDeleteInstance", "PerfStopProvider",
	}
	if !slices.Equal(s.calls, want) {
		t.Errorf("the calls are %v, want %v", s.calls, want)
	}
	for name, call := range map[string]func() error{
		"Close":    p.Close,
		"Delete":   second.Delete,
		"Create":   func() error { _, err := named.Create(p, "third"); return err },
		"Snapshot": func() error { _, err := p.Snapshot(); return err },
	} {
		if err := call(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close returned %v", name, err)
		}
	}
	if first.Counters[0].Add(1) != 1 || second.Counters[0].Add(2) != 2 {
		t.Error("an Add after Close did not return the new value")
	}
	if !slices.Equal(s.calls, want) {
		t.Errorf("after Close: the calls are %v", s.calls)
	}
	if err := (*Provider)(nil).Close(); err == nil {
		t.Error("Close of a nil Provider returned no error")
	}
	again := start(t, s, Options{}, named) // a definition can be started again
	create(t, again, named, "first")
}

// TestBlocked checks which calls wait, and which do not, while Windows creates or deletes an instance.
func TestBlocked(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"PerfCreateInstance", "PerfDeleteInstance"} {
		synctest.Test(t, func(t *testing.T) {
			s, set := newRecorder(), queues()
			p := start(t, s, Options{}, set)
			q := create(t, p, set, "a")
			s.blocked, s.block = call, make(chan struct{})
			first := make(chan error, 2)
			go func() {
				if call == "PerfDeleteInstance" {
					first <- q.Delete()
					return
				}
				_, err := set.Create(p, "b")
				first <- err
			}()
			synctest.Wait()
			for _, name := range []string{"a", "b"} {
				if blocked := (name == "a") == (call == "PerfDeleteInstance"); !blocked {
					continue
				}
				if _, err := set.Create(p, name); !errors.Is(err, ErrDuplicate) {
					t.Errorf("%s: Create of the same name returned %v", call, err)
				}
				if _, is := inSnapshot(t, p)[name]; is {
					t.Errorf("%s: a snapshot has the instance", call)
				}
			}
			if call == "PerfDeleteInstance" {
				if err := q.Delete(); !errors.Is(err, ErrClosed) {
					t.Errorf("the second Delete returned %v", err)
				}
			}
			closed := make(chan error, 1)
			go func() { closed <- p.Close() }()
			synctest.Wait()
			if len(closed) > 0 || slices.Contains(s.calls, "PerfStopProvider") {
				t.Errorf("%s: Close did not wait", call)
			}
			close(s.block)
			for _, err := range []error{<-first, <-closed} {
				if err != nil {
					t.Errorf("%s: %v", call, err)
				}
			}
			if len(s.providers) > 0 {
				t.Errorf("%s: the provider is not stopped", call)
			}
		})
	}
}

// TestSnapshot checks the block that Snapshot returns for each instance type. No rule may report anything in the block.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	sets := []*CounterSet[Values]{
		queues(), newSet("Only", single, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT), newSet("None", single, layout.PERF_COUNTER_RAWCOUNT),
		newSet("Empty", multiple, layout.PERF_COUNTER_RAWCOUNT), newSet("Sum", layout.PERF_COUNTERSET_SINGLE_AGGREGATE, layout.PERF_COUNTER_RAWCOUNT),
	}
	p := start(t, newStandIn(), Options{}, sets[0], sets[1], sets[2], sets[3], sets[4])
	for _, name := range []string{"first", "deleted", "last"} {
		create(t, p, sets[0], name).Counters[1].Store(1<<32 + 5) // Windows reads 4 bytes
	}
	create(t, p, sets[1], "").Counters[1].Store(1 << 40)
	create(t, p, sets[4], "x")
	deleted := p.sets[sets[0]].names["DELETED"]
	if err := (&Instance{&lease{deleted}}).Delete(); err != nil {
		t.Fatal(err)
	}
	block := snapshot(t, p)
	var data builder.QueryData
	if err := data.UnmarshalBinary(block); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range data.Results {
		got = append(got, fmt.Sprintf("%v %d %d", r.Type, r.Status, r.Values))
		for _, in := range r.Instances {
			got = append(got, fmt.Sprintf("%s %d %d", in.Name, in.InstanceId, in.Values))
		}
	}
	want := []string{
		"PERF_COUNTERSET 0 []", "first 0 [0 5]", "last 2 [0 5]",
		"PERF_MULTIPLE_COUNTERS 0 [0 1099511627776]",
		"PERF_ERROR_RETURN 4201 []", "PERF_ERROR_RETURN 4201 []",
		"PERF_COUNTERSET 0 []", "x 0 [0]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the results are %q, want %q", got, want)
	}
}

// snapshot returns a snapshot, which no rule may report.
func snapshot(t testing.TB, p *Provider) []byte {
	t.Helper()
	block, err := p.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Bytes(layout.QueryDataKind, block, validate.Context{}).Err(validate.Info); err != nil {
		t.Error(err)
	}
	return block
}
