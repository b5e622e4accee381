package provider

import (
	"sync"
	"sync/atomic"

	"github.com/perfblock/perfblock/layout"
)

// A recorder is a replacement for Windows that records the calls. It can make one call fail.
type recorder struct {
	*standIn
	mu     sync.Mutex
	calls  []string
	fail   int // the position of the call that fails, or -1
	status status

	blockedName string        // the Windows function whose calls wait for `released`
	released    chan struct{} // closed when the calls may continue; nil if no call waits
}

func newRecorder() *recorder { return &recorder{standIn: newStandIn(), fail: -1} }

// addCall records a call, waits if the function is blocked, and returns the status for the call.
func (r *recorder) addCall(name string) status {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, name)
	if released := r.released; released != nil && name == r.blockedName {
		r.mu.Unlock()
		<-released
		r.mu.Lock()
	}
	if len(r.calls)-1 == r.fail {
		return r.status
	}
	return success
}

func (r *recorder) start(id layout.GUID, control func(code uint32) uint32) (uintptr, status) {
	if s := r.addCall("PerfStartProviderEx"); s != success {
		return 0, s
	}
	return r.standIn.start(id, control)
}

func (r *recorder) setInfo(handle uintptr, template []byte) status {
	if s := r.addCall("PerfSetCounterSetInfo"); s != success {
		return s
	}
	return r.standIn.setInfo(handle, template)
}

func (r *recorder) create(handle uintptr, set layout.GUID, name string, id uint32) (uintptr, status) {
	if s := r.addCall("PerfCreateInstance"); s != success {
		return 0, s
	}
	return r.standIn.create(handle, set, name, id)
}

func (r *recorder) setReference(handle, instance uintptr, counter uint32, value *atomic.Uint64) status {
	if s := r.addCall("PerfSetCounterRefValue"); s != success {
		return s
	}
	return r.standIn.setReference(handle, instance, counter, value)
}

func (r *recorder) delete(handle, instance uintptr) status {
	if s := r.addCall("PerfDeleteInstance"); s != success {
		return s
	}
	return r.standIn.delete(handle, instance)
}

func (r *recorder) stop(handle uintptr) status {
	if s := r.addCall("PerfStopProvider"); s != success {
		return s
	}
	return r.standIn.stop(handle)
}
