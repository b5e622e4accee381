package capture

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/perfblock/perfblock/layout"
)

// ErrNotWindows is the error of [Query.Run] on a system other than Windows.
var ErrNotWindows = errors.New("only Windows has performance counters to capture")

// A system has the calls that a capture makes. The calls do not retry, and they do not choose the sizes of buffers.
type system interface {
	// queryValue calls RegQueryValueEx with HKEY_PERFORMANCE_DATA. If the status is 0, n is the number of bytes that
	// Windows wrote.
	queryValue(value string, buf []byte) (n int, status Status)

	// closeKey calls RegCloseKey with HKEY_PERFORMANCE_DATA, which unloads the DLLs of the providers.
	closeKey()

	// These methods call functions of Perflib. If the status is 0, n is the number of bytes that Windows wrote. If the
	// status is notEnoughMemory, n is the required number of bytes.
	enumerateCounterSet(buf []byte) (n int, status Status)
	queryRegistration(set layout.GUID, code layout.PerfRegInfoType, language uint32, buf []byte) (n int, status Status)
	openQuery() (query uintptr, status Status)
	addCounters(query uintptr, identifiers []byte) Status // writes the Status of each identifier
	queryCounterInfo(query uintptr, buf []byte) (n int, status Status)
	queryCounterData(query uintptr, buf []byte) (n int, status Status)
	closeQuery(query uintptr)

	computer() string // the name of the computer, "" if it is not known
	version() string  // the version of Windows, such as 10.0.26100
	now() time.Time

	// wait returns after d, or with the error of ctx when ctx is done.
	wait(ctx context.Context, d time.Duration) error
}

// A Status is a Win32 error code that a call of Windows returned. Status 0 is success and is never an error.
type Status uint32

const (
	accessDenied    Status = 5
	notEnoughMemory Status = 8
	notReady        Status = 21
	noSuchFunction  Status = 127
	lockFailed      Status = 167
	busy            Status = 170
	moreData        Status = 234
	waitTimeout     Status = 258
	notFound        Status = 1168
	noSuchSet       Status = 4200
)

// advice maps a status to its meaning and, if known, a remedy. It does not have the statuses of a busy system:
// [Status.Error] has one text for all of them.
var advice = map[Status]string{
	accessDenied:    " (access denied): run as administrator, or as a member of the group Performance Monitor Users",
	notEnoughMemory: " (not enough memory)",
	noSuchFunction:  " (no such function): the functions for V2 require Windows 10 version 1607 or Windows Server 2016",
	moreData:        " (more data)",
	notFound:        " (not found)",
	noSuchSet:       " (unknown counter set, or its provider does not run)",
}

// Error returns the number of the status. For a known status, the text also has the meaning and, if known, a remedy.
func (s Status) Error() string {
	text := advice[s]
	if s.retry() {
		text = " (busy): another program uses the performance counters; run the command again"
	}
	return fmt.Sprintf("Windows error %d%s", uint32(s), text)
}

// retry reports whether the same call may succeed later.
func (s Status) retry() bool {
	return s == notReady || s == lockFailed || s == busy || s == waitTimeout
}
