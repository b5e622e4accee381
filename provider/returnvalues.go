package provider

import (
	"fmt"
	"strconv"
	"time"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// returnValues has the values that a call returned. The process that loads a DLL writes them as JSON.
type returnValues struct {
	Status, Bytes, Objects uint32
	Pointer                int64 // the distance by which the pointer to the buffer was moved
	Outside                changedRange
	Data                   []byte // if Status is 0, the first Bytes bytes of the buffer; at most the whole buffer
	Took                   time.Duration
}

// Values of Status.
const (
	success  = 0
	moreData = 234 // ERROR_MORE_DATA
)

// collectReturned reports whether the call is a call of Collect that returned with the status.
func (m *callResult) collectReturned(status uint32) bool {
	return m.Function == "Collect" && m.failure == "" && m.err == "" && m.Status == status
}

// hasObjects reports whether the call returned data that fits into the buffer and starts with an object.
func (m *callResult) hasObjects() bool {
	return m.collectReturned(success) && m.Bytes > 0 && uint64(m.Bytes) <= uint64(m.Size) && !m.written.header
}

// returnRules has the rules about the returned values.
var returnRules = []*rule{
	{validate.Rule{
		ID: "PERF3001", Name: "prov-return-code", Severity: validate.Error, Event: 1014,
		Doc: "Collect returns ERROR_SUCCESS (0) or ERROR_MORE_DATA (234)",
		Why: "After any other value, Windows drops the data of the provider and logs an event.",
		Fix: "If there is no data, return ERROR_SUCCESS with 0 bytes and 0 objects.",
	}, func(m *callResult, report report) {
		switch {
		case m.err != "":
			report("error", "the error is "+strconv.QuoteToASCII(m.err), "must be nil, or wrap builder.ErrMoreData")
		case m.Function == "Collect" && m.failure == "" && m.Status != success && m.Status != moreData:
			report("status", fmt.Sprintf("Collect returns %d", m.Status), "must be ERROR_SUCCESS (0) or ERROR_MORE_DATA (234)")
		}
	}},
	{validate.Rule{
		ID: "PERF3002", Name: "prov-bytes-align", Severity: validate.Error, Event: 1016,
		Doc: "*lpcbTotalBytes, the number of bytes that Collect returns, is a multiple of 8",
		Why: "The objects of the next provider follow these bytes. If the number is not a multiple of 8, these objects are not aligned.",
		Fix: "Round the TotalByteLength of the last object up to a multiple of 8, and write 0 to the added bytes.",
	}, func(m *callResult, report report) {
		// If the number of bytes is larger than the buffer, the rule prov-bytes-bound reports this fault instead.
		if m.collectReturned(success) && uint64(m.Bytes) <= uint64(m.Size) && m.Bytes%layout.Align != 0 {
			report("bytes", fmt.Sprintf("the number of bytes is %d", m.Bytes), "must be a multiple of 8")
		}
	}},
	{validate.Rule{
		ID: "PERF3003", Name: "prov-bytes-bound", Severity: validate.Error, Event: 1001,
		Doc: "*lpcbTotalBytes is at most the size of the buffer",
		Why: "Windows drops the data and stops calling the provider, because the provider has probably written past the end of the buffer.",
		Fix: "Compute the size before you write. If the buffer is smaller, return ERROR_MORE_DATA.",
	}, func(m *callResult, report report) {
		if m.collectReturned(success) && uint64(m.Bytes) > uint64(m.Size) {
			report("bytes", fmt.Sprintf("the number of bytes is %d", m.Bytes), fmt.Sprintf("must be at most %d, the size of the buffer", m.Size))
		}
	}},
	{validate.Rule{
		ID: "PERF3004", Name: "prov-pointer-match", Severity: validate.Error, Event: 2000,
		Doc: "Collect moves *lppData by the number of bytes it returns",
		Why: "The next provider writes at this pointer. If Collect moves the pointer by more or fewer bytes than it returns, Windows drops the data.",
		Fix: "Add the number of bytes to *lppData.",
	}, func(m *callResult, report report) {
		if m.collectReturned(success) && m.Bytes > 0 && !m.noPointer && m.Pointer != int64(m.Bytes) {
			report("pointer", fmt.Sprintf("the pointer is moved by %d bytes", m.Pointer), fmt.Sprintf("must be moved by %d, the number of bytes returned", m.Bytes))
		}
	}},
	{validate.Rule{
		ID: "PERF3007", Name: "prov-no-data", Severity: validate.Error,
		Doc: "a Collect that returns 0 bytes returns 0 objects and does not move *lppData",
		Why: "Windows does not set *lpNumObjectTypes before the call. If Collect leaves a wrong number there, readers search for objects that do not exist.",
		Fix: "Set *lpcbTotalBytes and *lpNumObjectTypes to 0 at the start of Collect.",
	}, func(m *callResult, report report) {
		if m.collectReturned(success) && m.Bytes == 0 {
			noOutputs(m, report, "because the number of bytes is 0")
		}
	}},
	{validate.Rule{
		ID: "PERF3008", Name: "prov-more-data-outputs", Severity: validate.Error,
		Doc: "a Collect that returns ERROR_MORE_DATA returns 0 bytes and 0 objects, and does not move *lppData",
		Why: "Even after ERROR_MORE_DATA, Windows counts *lpcbTotalBytes bytes as data. A provider cannot request a buffer size in *lpcbTotalBytes: Windows chooses a larger buffer itself and calls again.",
		Fix: "Set *lpcbTotalBytes and *lpNumObjectTypes to 0 before you return ERROR_MORE_DATA.",
	}, func(m *callResult, report report) {
		if m.collectReturned(moreData) {
			noOutputs(m, report, "because Collect returns ERROR_MORE_DATA")
		}
	}},
	{validate.Rule{
		ID: "PERF3014", Name: "prov-open-close-return", Severity: validate.Warning, Event: 1008,
		Doc:     "Open and Close return ERROR_SUCCESS (0)",
		Why:     "If Open returns another value, Windows logs an event and does not call the provider again.",
		Fix:     "Return ERROR_SUCCESS. If the source of the values is not ready, let Collect return no data until the source is ready.",
		Sources: []validate.Source{openPage, closePage},
	}, func(m *callResult, report report) {
		if (m.Function == "Open" || m.Function == "Close") && m.failure == "" && m.Status != success {
			report("status", fmt.Sprintf("%s returns %d", m.Function, m.Status), "must be ERROR_SUCCESS (0)")
		}
	}},
}

// noOutputs reports the first nonzero output of a call. The parameter reason says why the outputs must be 0.
func noOutputs(m *callResult, report report, reason string) {
	switch {
	case m.Bytes != 0:
		report("bytes", fmt.Sprintf("the number of bytes is %d", m.Bytes), "must be 0, "+reason)
	case m.Objects != 0:
		report("objects", fmt.Sprintf("the number of objects is %d", m.Objects), "must be 0, "+reason)
	case m.Pointer != 0:
		report("pointer", fmt.Sprintf("the pointer is moved by %d bytes", m.Pointer), "must not be moved, "+reason)
	}
}
