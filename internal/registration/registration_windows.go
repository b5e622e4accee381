package registration

import (
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/perfblock/perfblock/layout"
)

var queryRegistration = windows.NewLazySystemDLL("advapi32.dll").NewProc("PerfQueryCounterSetRegistrationInfo")

// Query calls PerfQueryCounterSetRegistrationInfo. n is the number of bytes in buf, or the number of bytes required if
// the status is ERROR_NOT_ENOUGH_MEMORY.
func Query(set layout.GUID, code layout.PerfRegInfoType, language uint32, buf []byte) (n int, status uint32) {
	if queryRegistration.Find() != nil { // Windows does not have the function, and Call would panic
		return 0, uint32(windows.ERROR_PROC_NOT_FOUND)
	}
	guid, written := windows.GUID(set), uint32(0)
	r, _, _ := queryRegistration.Call(0, uintptr(unsafe.Pointer(&guid)), uintptr(code), uintptr(language),
		uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)), uintptr(unsafe.Pointer(&written)))
	return int(written), uint32(r)
}

// Read returns the registration of a counter set, or a Win32 error code.
func Read(set layout.GUID) (registration []byte, status uint32) {
	return read(func(buf []byte) (int, uint32) { return Query(set, layout.PERF_REG_COUNTERSET_STRUCT, 0, buf) })
}
