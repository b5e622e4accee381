package capture

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/perfblock/perfblock/internal/registration"
	"github.com/perfblock/perfblock/layout"
)

// windowsSystem is the [system] of a real Windows.
type windowsSystem struct{}

func open() (system, error) { return windowsSystem{}, nil }

var (
	advapi32             = windows.NewLazySystemDLL("advapi32.dll")
	perfEnumerateSets    = advapi32.NewProc("PerfEnumerateCounterSet")
	perfOpenQueryHandle  = advapi32.NewProc("PerfOpenQueryHandle")
	perfAddCounters      = advapi32.NewProc("PerfAddCounters")
	perfQueryCounterInfo = advapi32.NewProc("PerfQueryCounterInfo")
	perfQueryCounterData = advapi32.NewProc("PerfQueryCounterData")
	perfCloseQueryHandle = advapi32.NewProc("PerfCloseQueryHandle")
)

// callProc calls a function of Perflib. The directive go:uintptrescapes keeps the memory of the arguments in place
// during the call.
//
//go:uintptrescapes
func callProc(proc *windows.LazyProc, args ...uintptr) Status {
	if proc.Find() != nil { // Call would panic
		return noSuchFunction
	}
	status, _, _ := proc.Call(args...)
	return Status(status)
}

// firstByte returns the address of the first byte of buf, or nil if buf is nil.
func firstByte(buf []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(buf)) }

func (windowsSystem) queryValue(value string, buf []byte) (int, Status) {
	name, err := windows.UTF16PtrFromString(value)
	if err != nil {
		return 0, Status(windows.ERROR_INVALID_PARAMETER)
	}
	n := uint32(len(buf))
	err = windows.RegQueryValueEx(windows.HKEY_PERFORMANCE_DATA, name, nil, nil, (*byte)(firstByte(buf)), &n)
	return int(n), statusOf(err)
}

// statusOf returns the status in an error of a registry function.
func statusOf(err error) Status {
	if err == nil {
		return 0
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return Status(number)
	}
	return Status(windows.ERROR_GEN_FAILURE)
}

func (windowsSystem) closeKey() {
	_ = windows.RegCloseKey(windows.HKEY_PERFORMANCE_DATA) // nothing depends on the result
}

func (windowsSystem) enumerateCounterSet(buf []byte) (int, Status) {
	var n uint32 // of GUIDs
	status := callProc(perfEnumerateSets, 0, uintptr(firstByte(buf)), uintptr(len(buf)/layout.SizeofGUID), uintptr(unsafe.Pointer(&n)))
	return int(n) * layout.SizeofGUID, status
}

func (windowsSystem) queryRegistration(set layout.GUID, code layout.PerfRegInfoType, language uint32, buf []byte) (int, Status) {
	n, status := registration.Query(set, code, language, buf)
	return n, Status(status)
}

func (windowsSystem) openQuery() (uintptr, Status) {
	var query uintptr
	status := callProc(perfOpenQueryHandle, 0, uintptr(unsafe.Pointer(&query)))
	return query, status
}

func (windowsSystem) addCounters(query uintptr, identifiers []byte) Status {
	return callProc(perfAddCounters, query, uintptr(firstByte(identifiers)), uintptr(len(identifiers)))
}

func (windowsSystem) queryCounterInfo(query uintptr, buf []byte) (int, Status) {
	var n uint32
	status := callProc(perfQueryCounterInfo, query, uintptr(firstByte(buf)), uintptr(len(buf)), uintptr(unsafe.Pointer(&n)))
	return int(n), status
}

func (windowsSystem) queryCounterData(query uintptr, buf []byte) (int, Status) {
	var n uint32
	status := callProc(perfQueryCounterData, query, uintptr(firstByte(buf)), uintptr(len(buf)), uintptr(unsafe.Pointer(&n)))
	return int(n), status
}

func (windowsSystem) closeQuery(query uintptr) { callProc(perfCloseQueryHandle, query) }

func (windowsSystem) computer() string {
	name, err := windows.ComputerName()
	if err != nil {
		return ""
	}
	return name
}

func (windowsSystem) version() string {
	major, minor, build := windows.RtlGetNtVersionNumbers()
	return fmt.Sprintf("%d.%d.%d", major, minor, build)
}

func (windowsSystem) now() time.Time { return time.Now() }

func (windowsSystem) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
