package provider

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/perfblock/perfblock/internal/registration"
	"github.com/perfblock/perfblock/layout"
)

// The uses of package unsafe in this file:
//
//   - A pointer to Go memory becomes a uintptr only in the arguments of LazyProc.Call, which keeps the memory valid.
//     Windows does not keep these pointers: it copies the context, the template and the name.
//   - allocate makes a slice of the memory at an address of VirtualAlloc. This memory is zero, starts at a multiple of
//     64 KiB, and is never freed, so the slice is always valid.

var (
	advapi32               = windows.NewLazySystemDLL("advapi32.dll")
	perfStartProviderEx    = advapi32.NewProc("PerfStartProviderEx")
	perfSetCounterSetInfo  = advapi32.NewProc("PerfSetCounterSetInfo")
	perfCreateInstance     = advapi32.NewProc("PerfCreateInstance")
	perfSetCounterRefValue = advapi32.NewProc("PerfSetCounterRefValue")
	perfDeleteInstance     = advapi32.NewProc("PerfDeleteInstance")
	perfStopProvider       = advapi32.NewProc("PerfStopProvider")
)

// newSystem returns the functions of Windows, for one provider.
func newSystem() system { return new(perflib) }

// perflib calls the functions of Windows for one provider.
type perflib struct{ slot *slot } // nil if the provider has no callback function

// A providerContext is a PERF_PROVIDER_CONTEXT. Package layout does not have this structure, because it contains
// pointers.
type providerContext struct {
	contextSize, reserved         uint32
	controlCallback               uintptr
	memAlloc, memFree, memContext uintptr
}

func (*perflib) registration(set layout.GUID) ([]byte, status) {
	b, s := registration.Read(set)
	return b, status(s)
}

func (p *perflib) start(provider layout.GUID, control func(code uint32) uint32) (uintptr, status) {
	for _, function := range []*windows.LazyProc{perfStartProviderEx, perfSetCounterSetInfo, perfCreateInstance, perfSetCounterRefValue, perfDeleteInstance, perfStopProvider} {
		if function.Find() != nil { // Call would panic
			return 0, status(windows.ERROR_PROC_NOT_FOUND)
		}
	}
	context := providerContext{contextSize: uint32(unsafe.Sizeof(providerContext{}))}
	if control != nil {
		if p.slot = slots.take(control); p.slot == nil {
			return 0, status(windows.ERROR_NO_SYSTEM_RESOURCES)
		}
		context.controlCallback = p.slot.address
	}
	id, handle := windows.GUID(provider), uintptr(0)
	r, _, _ := perfStartProviderEx.Call(uintptr(unsafe.Pointer(&id)), uintptr(unsafe.Pointer(&context)), uintptr(unsafe.Pointer(&handle)))
	if status(r) != success {
		p.slot.release()
	}
	return handle, status(r)
}

func (*perflib) setInfo(handle uintptr, template []byte) status {
	template = slices.Clone(template) // Windows may change it
	r, _, _ := perfSetCounterSetInfo.Call(handle, uintptr(unsafe.Pointer(&template[0])), uintptr(len(template)))
	return status(r)
}

func (*perflib) create(handle uintptr, set layout.GUID, name string, id uint32) (uintptr, status) {
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return 0, invalidParameter
	}
	setID := windows.GUID(set)
	instance, _, err := perfCreateInstance.Call(handle, uintptr(unsafe.Pointer(&setID)), uintptr(unsafe.Pointer(text)), uintptr(id))
	if instance != 0 {
		return instance, success
	}
	if code, is := err.(windows.Errno); is && code != 0 { // from GetLastError
		return 0, status(code)
	}
	return 0, status(windows.ERROR_GEN_FAILURE)
}

func (*perflib) setReference(handle, instance uintptr, counter uint32, value *atomic.Uint64) status {
	r, _, _ := perfSetCounterRefValue.Call(handle, instance, uintptr(counter), uintptr(unsafe.Pointer(value)))
	return status(r)
}

func (*perflib) delete(handle, instance uintptr) status {
	r, _, _ := perfDeleteInstance.Call(handle, instance)
	return status(r)
}

func (p *perflib) stop(handle uintptr) status {
	r, _, _ := perfStopProvider.Call(handle)
	p.slot.release()
	return status(r)
}

// allocate returns n values in memory that is not on the Go heap.
func allocate(n int) ([]atomic.Uint64, error) {
	address, err := windows.VirtualAlloc(0, uintptr(n)*unsafe.Sizeof(atomic.Uint64{}), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, fmt.Errorf("VirtualAlloc of %d values: %w", n, err)
	}
	// go vet refuses each conversion of a uintptr to a pointer. The conversion is right for this address, because it is
	// outside the Go heap.
	return unsafe.Slice(*(**atomic.Uint64)(unsafe.Pointer(&address)), n), nil
}

// slots has the callback functions of all providers of the process. Each provider has its own function, because the
// arguments of a call do not name the provider. Go cannot free a callback function, so later providers use the
// functions again.
var slots slotList

type slotList struct {
	mu   sync.Mutex
	list []*slot
}

// A slot is a callback function, and the provider that uses it.
type slot struct {
	address uintptr                                  // of the function, for Windows
	control atomic.Pointer[func(code uint32) uint32] // nil if no provider uses the slot
}

// mostSlots is the maximum number of providers with a callback function. Go allows at least 1,024 callback functions
// for all packages of a program together.
const mostSlots = 64

// take returns a slot for a provider that the caller starts next, or nil if there are mostSlots providers.
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

// release makes the slot free after its provider has stopped, or could not be started.
func (s *slot) release() {
	if s != nil {
		s.control.Store(nil)
	}
}
