package provider

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/perfblock/perfblock/layout"
)

// A system has the functions of Windows that a provider calls. All methods can be called from several goroutines.
type system interface {
	// registration is PerfQueryCounterSetRegistrationInfo for PERF_REG_COUNTERSET_STRUCT.
	registration(set layout.GUID) ([]byte, status)
	// start is PerfStartProviderEx. If control is not nil, the system calls control for each request of a consumer. The
	// argument of control is a code of PERFLIBREQUEST, and the result is a status.
	start(provider layout.GUID, control func(code uint32) uint32) (handle uintptr, s status)
	// setInfo is PerfSetCounterSetInfo. Windows can change the bytes of template.
	setInfo(handle uintptr, template []byte) status
	// create is PerfCreateInstance.
	create(handle uintptr, set layout.GUID, name string, id uint32) (instance uintptr, s status)
	// setReference is PerfSetCounterRefValue. Windows reads the value until the instance is deleted.
	setReference(handle, instance uintptr, counter uint32, value *atomic.Uint64) status
	// delete is PerfDeleteInstance.
	delete(handle, instance uintptr) status
	// stop is PerfStopProvider. A second call for a provider ends the process.
	stop(handle uintptr) status
}

// A status is a Win32 error code.
type status uint32

const (
	notEnoughMemory  status = 8
	invalidParameter status = 87
	alreadyExists    status = 183
	statusNoData     status = 232
	notFound         status = 1168
	unknownSet       status = 4200 // ERROR_WMI_GUID_NOT_FOUND
	instanceNotFound status = 4201 // ERROR_WMI_INSTANCE_NOT_FOUND: a set has no instances
)

// collectStart is the request code that Windows passes to the callback function of a provider before a consumer reads
// values.
const collectStart = 5

// An Error reports that a call of a Windows function failed.
type Error struct {
	Call   string // the name of the function
	Status uint32 // the Win32 error code
}

// callError returns an error for a call, or nil if the status is success.
func callError(call string, s status) error {
	if s == success {
		return nil
	}
	return &Error{call, uint32(s)}
}

// Error returns the call, the error code, and what to do.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s returned %d", e.Call, e.Status)
	if name := layout.StatusName(e.Status); name != "" {
		text += " (" + name + ")"
	}
	switch status(e.Status) {
	case notEnoughMemory, 14, 1450: // ERROR_OUTOFMEMORY, ERROR_NO_SYSTEM_RESOURCES
		text += "; delete instances that are not needed"
	case 127: // ERROR_PROC_NOT_FOUND
		text += "; this version of Windows does not have the function"
	case alreadyExists:
		text += "; another provider of this process may have the same GUID: close that provider"
	case notFound:
		text += "; the provider was started without this counter set or counter: start the provider with a definition that has the set and the counter"
	}
	return text
}

// Unwrap returns [ErrDuplicate] if Windows already has the instance.
func (e *Error) Unwrap() error {
	if e.Call == "PerfCreateInstance" && status(e.Status) == alreadyExists {
		return ErrDuplicate
	}
	return nil
}

// A standIn replaces Windows on other systems and in tests. It makes the checks that Microsoft documents, and returns
// the same error codes as Windows. It panics for a call that would be an access violation in Windows.
//
// Sources: https://learn.microsoft.com/windows/win32/api/perflib and the page of each function.
type standIn struct {
	mu         sync.Mutex
	last       uintptr // the last handle that was returned
	providers  map[uintptr]*standInProvider
	registered map[layout.GUID][]byte // the registrations of counter sets
}

type standInProvider struct {
	control   func(code uint32) uint32
	sets      map[layout.GUID]map[uint32]layout.Attrib // the counters, by id
	instances map[uintptr]*standInInstance
}

type standInInstance struct {
	set    layout.GUID
	name   string
	id     uint32
	values map[uint32]*atomic.Uint64 // by id of the counter
}

func newStandIn() *standIn { return &standIn{providers: make(map[uintptr]*standInProvider)} }

// next returns a new handle. The caller has locked mu.
func (s *standIn) next() uintptr {
	s.last += 8
	return s.last
}

// provider returns the provider with the handle. The caller has locked mu.
func (s *standIn) provider(handle uintptr) *standInProvider {
	p := s.providers[handle]
	if p == nil {
		panic("provider: a call for a provider that is not started is an access violation in Windows")
	}
	return p
}

func (s *standIn) registration(set layout.GUID) ([]byte, status) {
	if b := s.registered[set]; b != nil {
		return b, success
	}
	return nil, unknownSet
}

func (s *standIn) start(provider layout.GUID, control func(code uint32) uint32) (uintptr, status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	handle := s.next()
	s.providers[handle] = &standInProvider{control, make(map[layout.GUID]map[uint32]layout.Attrib), make(map[uintptr]*standInInstance)}
	return handle, success
}

func (s *standIn) setInfo(handle uintptr, template []byte) status {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.provider(handle)
	info, err := layout.ReadCounterSetInfo(template)
	if err != nil || info.NumCounters() == 0 {
		return invalidParameter
	}
	if p.sets[info.CounterSetGuid()] != nil {
		return alreadyExists
	}
	counters := make(map[uint32]layout.Attrib)
	for c, err := range info.Counters() {
		if err != nil {
			return invalidParameter
		}
		counters[c.CounterId()] = c.Attrib()
	}
	p.sets[info.CounterSetGuid()] = counters
	return success
}

func (s *standIn) create(handle uintptr, set layout.GUID, name string, id uint32) (uintptr, status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.provider(handle)
	if p.sets[set] == nil {
		return 0, notFound
	}
	if strings.Contains(name, "\x00") {
		return 0, invalidParameter
	}
	for _, in := range p.instances {
		if in.set == set && in.id == id && fold(in.name) == fold(name) {
			return 0, alreadyExists
		}
	}
	instance := s.next()
	p.instances[instance] = &standInInstance{set, name, id, make(map[uint32]*atomic.Uint64)}
	return instance, success
}

func (s *standIn) setReference(handle, instance uintptr, counter uint32, value *atomic.Uint64) status {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.provider(handle)
	in := p.instances[instance]
	if in == nil {
		return invalidParameter
	}
	attrib, is := p.sets[in.set][counter]
	if !is {
		return notFound
	}
	if attrib&layout.PERF_ATTRIB_BY_REFERENCE == 0 {
		return invalidParameter
	}
	in.values[counter] = value
	return success
}

func (s *standIn) delete(handle, instance uintptr) status {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.provider(handle)
	if p.instances[instance] == nil {
		return invalidParameter
	}
	delete(p.instances, instance)
	return success
}

func (s *standIn) stop(handle uintptr) status {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.provider(handle)
	delete(s.providers, handle)
	return success
}
