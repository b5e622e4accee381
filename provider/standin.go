package provider

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/perfblock/perfblock/layout"
)

// A standIn replaces Windows on other systems and in tests. It makes the checks in the documentation of the functions of
// Windows, and returns the same error codes. It panics for a call that would be an access violation in Windows.
//
// Sources: https://learn.microsoft.com/windows/win32/api/perflib and the pages of the functions below it.
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

// provider returns a provider. The caller has locked mu.
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
