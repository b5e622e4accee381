package provider

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// instanceBlock returns the PERF_COUNTERSET_INSTANCE that Windows has made for an instance. Windows owns the memory
// until the instance is deleted.
func instanceBlock(in *instance) []byte {
	address := *(*unsafe.Pointer)(unsafe.Pointer(&in.handle))
	const dwSize = 16
	return unsafe.Slice((*byte)(address), *(*uint32)(unsafe.Add(address, dwSize)))
}

// TestWindowsInstances creates and deletes 1,000 instances. It checks that Windows has the name and the id of each
// instance, and the addresses of its values.
func TestWindowsInstances(t *testing.T) {
	t.Parallel()
	set := queues()
	p := start(t, newSystem(), Options{}, set)
	for round := range 2 { // the instances of the second round have new ids
		var all []*Values
		for i := range 500 {
			q := create(t, p, set, fmt.Sprintf("instance %d \U0001F600", i))
			q.Counters[0].Add(uint64(i))
			all = append(all, q)
		}
		for i, q := range all {
			in := q.lease.instance
			block := instanceBlock(in)
			if err := validate.Bytes(layout.InstanceBlockKind, block, validate.Context{}).Err(validate.Warning); err != nil {
				t.Fatalf("instance %d: %v", i, err)
			}
			var got builder.CounterSetInstance
			if err := got.UnmarshalBinary(block); err != nil {
				t.Fatalf("instance %d: %v", i, err)
			}
			want := builder.CounterSetInstance{CounterSetGuid: idOf("Queues"), InstanceId: in.id, Name: in.name, Values: []uint64{
				uint64(uintptr(unsafe.Pointer(&in.values[0]))), uint64(uintptr(unsafe.Pointer(&in.values[1]))),
			}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("instance %d in Windows (-want +got):\n%s", i, diff)
			}
			if address := *(**uint64)(unsafe.Pointer(&got.Values[0])); *address != uint64(i) {
				t.Fatalf("instance %d: the value is %d", i, *address)
			}
		}
		inSnapshot(t, p)
		if round == 0 {
			for i, q := range all {
				if err := q.Delete(); err != nil {
					t.Fatalf("instance %d: %v", i, err)
				}
				q.Counters[0].Add(1)
			}
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWindowsErrors checks that Windows and the stand-in return the same error codes.
func TestWindowsErrors(t *testing.T) {
	t.Parallel()
	set := queues()
	template := func() []byte {
		s, err := set.open(idOf("Test"))
		if err != nil {
			t.Fatal(err)
		}
		return s.template
	}()
	for name, s := range map[string]system{"stand-in": newStandIn(), "Windows": newSystem()} {
		if b, got := s.registration(idOf("Queues")); got == success { // Wine does not have the function
			t.Errorf("%s: a set that is not registered has the registration %x", name, b)
		}
		handle, status := s.start(idOf("Test"), nil)
		if status != success {
			t.Fatal(name, status)
		}
		if got := s.setInfo(handle, template[:layout.SizeofCounterSetInfo]); got != invalidParameter {
			t.Errorf("%s: a short template: status %d", name, got)
		}
		if got := s.setInfo(handle, template); got != success {
			t.Errorf("%s: status %d", name, got)
		}
		if got := s.setInfo(handle, template); got != alreadyExists {
			t.Errorf("%s: the same set again: status %d", name, got)
		}
		if _, got := s.create(handle, idOf("Other"), "a", 0); got != notFound {
			t.Errorf("%s: an unknown set: status %d", name, got)
		}
		if _, got := s.create(handle, idOf("Queues"), "a\x00", 0); got != invalidParameter {
			t.Errorf("%s: a NUL: status %d", name, got)
		}
		instance, got := s.create(handle, idOf("Queues"), "a", 0)
		if got != success {
			t.Errorf("%s: status %d", name, got)
		}
		if _, got := s.create(handle, idOf("Queues"), "a", 0); got != alreadyExists {
			t.Errorf("%s: the same instance again: status %d", name, got)
		}
		if got := s.setReference(handle, instance, 99, new(atomic.Uint64)); got != notFound {
			t.Errorf("%s: an unknown counter: status %d", name, got)
		}
		if got := s.delete(handle, instance); got != success {
			t.Errorf("%s: status %d", name, got)
		}
		if got := s.stop(handle); got != success {
			t.Errorf("%s: status %d", name, got)
		}
	}
}

// TestWindowsSlots checks that each provider has its own slot, and that the end of a provider makes only its own slot
// free.
func TestWindowsSlots(t *testing.T) {
	var l slotList
	control := func(uint32) uint32 { return 0 }
	first := l.take(control)
	second := l.take(control)
	first.release()
	if first.control.Load() != nil || second.control.Load() == nil {
		t.Error("the slot of the second provider was freed, or that of the first was not")
	}
	if l.take(control) != first || l.take(control) == second {
		t.Error("the next provider does not get the free slot, or another provider gets the slot of the second provider")
	}
}

// TestWindowsCallback checks that each provider has its own callback function, and that later providers use the
// functions again.
func TestWindowsCallback(t *testing.T) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	request := func(s *slot, code uintptr) uint32 {
		buffer := make([]byte, 64)
		r, _, _ := syscall.SyscallN(s.address, code, uintptr(unsafe.Pointer(&buffer[0])), uintptr(len(buffer)))
		return uint32(r)
	}
	for range 3 {
		var calls [2]int
		var all []*Provider
		for i := range calls {
			o := Options{Logger: quiet, Collect: func() {
				if calls[i]++; calls[i] == 3 {
					panic("fault")
				}
			}}
			all = append(all, start(t, newSystem(), o, queues()))
		}
		if n := len(slots.list); n != 2 {
			t.Fatalf("%d callback functions, want 2", n)
		}
		for i, p := range all {
			own := p.system.(*perflib).slot
			for call, want := range []uint32{0, 0, uint32(statusNoData), 0} {
				if got := request(own, collectStart); got != want || calls[i] != call+1 {
					t.Errorf("provider %d, call %d: status %d after %d calls of Collect, want %d", i, call, got, calls[i], want)
				}
			}
			if got := request(own, 1); got != 0 || calls[i] != 4 {
				t.Errorf("provider %d: another request: status %d after %d calls of Collect", i, got, calls[i])
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			if got := request(own, collectStart); got != 0 || calls[i] != 4 {
				t.Errorf("provider %d: after Close: status %d after %d calls of Collect", i, got, calls[i])
			}
		}
	}
	var all []*Provider
	for range mostSlots {
		all = append(all, start(t, newSystem(), Options{Collect: func() {}}, queues()))
	}
	_, err := Options{Collect: func() {}}.Start(define(queues()))
	if e, is := errors.AsType[*Error](err); !is || e.Status != 1450 {
		t.Errorf("one provider with a callback too many: %v", err)
	}
	for _, p := range all {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
