package provider

import (
	"fmt"
	"sync/atomic"

	"github.com/perfblock/perfblock/layout"
)

// A system has the functions of Windows that a provider calls: those of Windows, or a replacement on other systems. The
// handles of providers and instances are opaque. All methods can be called from several goroutines.
type system interface {
	// registration is PerfQueryCounterSetRegistrationInfo for PERF_REG_COUNTERSET_STRUCT.
	registration(set layout.GUID) ([]byte, status)
	// start is PerfStartProviderEx. The system calls control for each request of a consumer, with a code of PERFLIBREQUEST.
	// control returns a status, and can be nil.
	start(provider layout.GUID, control func(code uint32) uint32) (handle uintptr, s status)
	// setInfo is PerfSetCounterSetInfo. It can change the template.
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

// collectStart is the code of PERFLIBREQUEST before a consumer reads values.
const collectStart = 5

// An Error is a call that Windows has refused.
type Error struct {
	Call   string // the name of the function
	Status uint32 // the Win32 error code
}

// failed returns an error for a call, or nil if the status is success.
func failed(call string, s status) error {
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
		text += "; the template has no such counter set or counter: start the provider with the definition that has it"
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
