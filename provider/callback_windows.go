package provider

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sys/windows"
)

// slots has the callback functions of all providers of the process. Windows passes nothing to a callback function that
// identifies the provider, so each provider with a callback has its own. Go cannot free a callback function, so a new
// provider uses one of a stopped provider.
var slots slotList

type slotList struct {
	mu   sync.Mutex
	list []*slot
}

// A slot is a callback function, and the provider that uses it.
type slot struct {
	address uintptr                                  // of the function, for Windows
	control atomic.Pointer[func(code uint32) uint32] // nil if no provider uses the slot
	handle  uintptr                                  // of the provider
}

// mostSlots limits the providers with a callback that a process can have at the same time. Go has memory for at least
// 1,024 callback functions, which all packages of the program share.
const mostSlots = 64

// take returns a slot for a provider that is started next, or nil if there are too many.
func (l *slotList) take(control func(code uint32) uint32) *slot {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.list {
		if s.control.CompareAndSwap(nil, &control) {
			return s
		}
	}
	if len(l.list) == mostSlots {
		return nil
	}
	s := new(slot)
	s.control.Store(&control)
	s.address = windows.NewCallback(func(code, _, _ uintptr) uintptr { // code, buffer and size of PERFLIBREQUEST
		if control := s.control.Load(); control != nil {
			return uintptr((*control)(uint32(code)))
		}
		return uintptr(success)
	})
	l.list = append(l.list, s)
	return s
}

// started notes the handle of the provider, or frees the slot if the provider was not started.
func (s *slot) started(handle uintptr, result status) {
	slots.mu.Lock()
	defer slots.mu.Unlock()
	s.handle = handle
	if result != success {
		s.control.Store(nil)
	}
}

// stopping returns the slot of a provider that is stopped next, or nil if it has none. As soon as the provider has stopped,
// Windows can give its handle to another provider, so the slot does not have the handle any more.
func (l *slotList) stopping(handle uintptr) *slot {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.list {
		if s.handle == handle {
			s.handle = 0
			return s
		}
	}
	return nil
}

// free frees the slot after its provider has stopped.
func (s *slot) free() {
	if s != nil {
		s.control.Store(nil)
	}
}
