package provider

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A rule is a rule of package validate, with the function that checks a call.
type rule struct {
	validate.Rule
	check func(m *callResult, report report)
}

// A report adds a finding about a value of a call. value is the name of the value in the log, such as bytes.
type report func(value, got, want string)

func init() {
	for _, r := range rules {
		r.Since, r.Forms = "v0.1.0", []string{CallsForm}
		if r.Sources == nil {
			r.Sources = []validate.Source{collectPage}
		}
		validate.Register(&r.Rule)
	}
}

const learn = "https://learn.microsoft.com/en-us/windows/win32/"

var (
	openPage    = validate.Source{Clause: "PM_OPEN_PROC", URL: learn + "api/winperf/nc-winperf-pm_open_proc"}
	collectPage = validate.Source{Clause: "PM_COLLECT_PROC", URL: learn + "api/winperf/nc-winperf-pm_collect_proc"}
	closePage   = validate.Source{Clause: "PM_CLOSE_PROC", URL: learn + "api/winperf/nc-winperf-pm_close_proc"}
	queryPage   = validate.Source{Clause: "Using the Registry Functions to Consume Counter Data", URL: learn + "perfctrs/using-the-registry-functions-to-consume-counter-data"}
	entriesPage = validate.Source{Clause: "Creating Other Registry Entries", URL: learn + "perfctrs/creating-other-registry-entries"}
)

// rules has the rules about the calls of a provider, PERF3xxx. A rule without Sources has collectPage as its source.
var rules = []*rule{
	{validate.Rule{
		ID: "PERF3001", Name: "prov-return-code", Severity: validate.Error, Event: 1014,
		Doc: "Collect returns ERROR_SUCCESS (0) or ERROR_MORE_DATA (234)",
		Why: "After any other value, Windows drops the data of the provider and logs an event.",
		Fix: "If there is no data, return ERROR_SUCCESS with 0 bytes and 0 objects.",
	}, returnCode},
	{validate.Rule{
		ID: "PERF3002", Name: "prov-bytes-align", Severity: validate.Error, Event: 1016,
		Doc: "*lpcbTotalBytes, the number of bytes that Collect returns, is a multiple of 8",
		Why: "The next provider writes after these bytes, so its objects are not aligned.",
		Fix: "Round the TotalByteLength of the last object up to a multiple of 8, and write 0 to the added bytes.",
	}, bytesAlign},
	{validate.Rule{
		ID: "PERF3003", Name: "prov-bytes-bound", Severity: validate.Error, Event: 1001,
		Doc: "*lpcbTotalBytes is at most the size of the buffer",
		Why: "Windows drops the data and stops calling the provider, because the provider has probably written past the end of the buffer.",
		Fix: "Compute the size before you write. If the buffer is smaller, return ERROR_MORE_DATA.",
	}, bytesBound},
	{validate.Rule{
		ID: "PERF3004", Name: "prov-pointer-match", Severity: validate.Error, Event: 2000,
		Doc: "Collect moves *lppData by the number of bytes it returns",
		Why: "The next provider writes at this pointer. If Collect moves the pointer by more or fewer bytes than it returns, Windows drops the data.",
		Fix: "Add the number of bytes to *lppData.",
	}, pointerMatch},
	{validate.Rule{
		ID: "PERF3005", Name: "prov-object-sum", Severity: validate.Error, Event: 1003,
		Doc: "the lengths of the objects add up to the number of bytes that Collect returns",
		Why: "Readers use the length of an object to find the next object. If the sum of the lengths is wrong, Windows drops the data.",
		Fix: "Set TotalByteLength of each object to the distance to the next object.",
	}, objectSum},
	{validate.Rule{
		ID: "PERF3006", Name: "prov-object-count", Severity: validate.Error,
		Doc: "*lpNumObjectTypes is the number of objects in the data",
		Why: "Windows adds the number to NumObjectTypes of the data block. If the number is too large, readers read after the last object.",
		Fix: "Count the objects, not their instances.",
	}, objectCount},
	{validate.Rule{
		ID: "PERF3007", Name: "prov-no-data", Severity: validate.Error,
		Doc: "a Collect that returns 0 bytes returns 0 objects and does not move *lppData",
		Why: "Windows does not set *lpNumObjectTypes before the call. If Collect leaves a wrong number there, readers search for objects that do not exist.",
		Fix: "Set *lpcbTotalBytes and *lpNumObjectTypes to 0 at the start of Collect.",
	}, noData},
	{validate.Rule{
		ID: "PERF3008", Name: "prov-more-data-outputs", Severity: validate.Error,
		Doc: "a Collect that returns ERROR_MORE_DATA returns 0 bytes and 0 objects, and does not move *lppData",
		Why: "Even after ERROR_MORE_DATA, Windows counts *lpcbTotalBytes bytes as data. A provider cannot request a buffer size in *lpcbTotalBytes: Windows chooses a larger buffer itself and calls again.",
		Fix: "Set *lpcbTotalBytes and *lpNumObjectTypes to 0 before you return ERROR_MORE_DATA.",
	}, moreDataOutputs},
	{validate.Rule{
		ID: "PERF3009", Name: "prov-guard", Severity: validate.Error, Event: 1002,
		Doc: "Collect writes only to its buffer",
		Why: "A write outside the buffer changes memory of the program that reads counters. Windows tests 1 KB before and after the buffer.",
		Fix: "Compare the size of the buffer with the size of the data before you write.",
	}, guard},
	{validate.Rule{
		ID: "PERF3010", Name: "prov-data-block", Severity: validate.Error,
		Doc:     "the data starts with an object, unless the query starts with Foreign",
		Why:     "Windows writes the PERF_DATA_BLOCK itself. Readers would read a second PERF_DATA_BLOCK as an object.",
		Fix:     "Write the objects only.",
		Sources: []validate.Source{collectPage, {Clause: "Performance Data Format", URL: learn + "perfctrs/performance-data-format"}},
	}, dataBlock},
	{validate.Rule{
		ID: "PERF3011", Name: "prov-unrequested", Severity: validate.Info,
		Doc:     "a query of title indexes returns only the objects with these indexes and the objects of their parent instances",
		Why:     "Otherwise, each query costs as much time and memory as a query of all objects. A possible cause is a search for digits: a provider finds its title 238 in the query 2380.",
		Fix:     "Split the query at its spaces, and compare whole numbers with the title indexes of your objects.",
		Sources: []validate.Source{queryPage, collectPage},
	}, unrequested},
	{validate.Rule{
		ID: "PERF3012", Name: "prov-metadata", Severity: validate.Warning,
		Doc:     "a provider that answers MetadataGlobal or MetadataCostly sets NumInstances to -2 or -3, and its registry value Collect Supports Metadata is 1",
		Why:     "Windows passes these queries only to providers whose Performance key has the value Collect Supports Metadata. Readers expect no values in the answer.",
		Fix:     "Set the registry value Collect Supports Metadata to 1, and set NumInstances to PERF_METADATA_MULTIPLE_INSTANCES or PERF_METADATA_NO_INSTANCES. Otherwise return no data for these queries.",
		Sources: []validate.Source{entriesPage},
	}, metadata},
	{validate.Rule{
		ID: "PERF3013", Name: "prov-duration", Severity: validate.Warning, Event: 1015,
		Doc:     "Open and Collect return within 10 seconds, unless the registry value Open Timeout or Collect Timeout sets another limit",
		Why:     "The program that reads counters waits for the call. If the call takes longer than the limit, Windows logs an event and may stop calling the provider.",
		Fix:     "Compute the values in a separate thread or process. The function Collect then copies finished values.",
		Sources: []validate.Source{entriesPage},
	}, duration},
	{validate.Rule{
		ID: "PERF3014", Name: "prov-open-close-return", Severity: validate.Warning, Event: 1008,
		Doc:     "Open and Close return ERROR_SUCCESS (0)",
		Why:     "If Open returns another value, Windows logs an event and does not call the provider again.",
		Fix:     "Return ERROR_SUCCESS. If the source of the values is not ready, let Collect return no data until the source is ready.",
		Sources: []validate.Source{openPage, closePage},
	}, openCloseReturn},
	{validate.Rule{
		ID: "PERF3015", Name: "prov-exception", Severity: validate.Error, Event: 1010,
		Doc:     "Open, Collect and Close return: they and their threads cause no exception, do not hang and do not end the process",
		Why:     "The functions run in each program that reads counters. Windows stops calling a provider after an exception, and an exit ends the program.",
		Fix:     "Handle the exceptions of your code in each function, limit each wait, and do not call ExitProcess.",
		Sources: []validate.Source{collectPage, openPage, closePage},
	}, exception},
}

// A log has a line for each call, and the findings about the calls. The zero log is empty.
type log struct {
	text     strings.Builder
	lines    int
	findings []validate.Finding
	known    map[findingKey]bool // has the key of each finding
}

// A findingKey identifies a finding. A rule has at most one finding for each function and query.
type findingKey struct {
	rule            *rule
	function, query string
}

// add adds the line of a call, and the findings about the call.
func (l *log) add(m *callResult) {
	line := m.line()
	l.text.WriteString(line.String() + "\n")
	l.lines++
	for _, r := range rules {
		r.check(m, func(value, got, want string) {
			key := findingKey{r, m.Function, m.Query}
			if l.known[key] {
				return
			}
			if l.known == nil {
				l.known = make(map[findingKey]bool)
			}
			l.known[key] = true
			path := callPath(m.call.String()).Field(value)
			l.findings = append(l.findings, validate.Finding{Rule: &r.Rule, Path: path, Line: l.lines, Column: max(line.columns[value], 1), Got: got, Want: want})
		})
	}
}

func callPath(call string) layout.Path { return layout.Path{}.Field(call) }

// collectReturned reports whether the call is a call of Collect that returned with one of the statuses.
func (m *callResult) collectReturned(statuses ...uint32) bool {
	return m.Function == "Collect" && m.failure == "" && m.err == "" && slices.Contains(statuses, m.Status)
}

// hasObjects reports whether the call returned data that fits into the buffer and starts with an object.
func (m *callResult) hasObjects() bool {
	return m.collectReturned(success) && m.Bytes > 0 && uint64(m.Bytes) <= uint64(m.Size) && !m.written.header
}

func returnCode(m *callResult, report report) {
	switch {
	case m.err != "":
		report("error", "the error is "+strconv.QuoteToASCII(m.err), "must be nil, or wrap builder.ErrMoreData")
	case m.Function == "Collect" && m.failure == "" && m.Status != success && m.Status != moreData:
		report("status", fmt.Sprintf("Collect returns %d", m.Status), "must be ERROR_SUCCESS (0) or ERROR_MORE_DATA (234)")
	}
}

// bytesAlign checks that the number of bytes is a multiple of 8. If bytesBound reports the number, bytesAlign does not
// check it.
func bytesAlign(m *callResult, report report) {
	if m.collectReturned(success) && uint64(m.Bytes) <= uint64(m.Size) && m.Bytes%layout.Align != 0 {
		report("bytes", fmt.Sprintf("the number of bytes is %d", m.Bytes), "must be a multiple of 8")
	}
}

func bytesBound(m *callResult, report report) {
	if m.collectReturned(success) && uint64(m.Bytes) > uint64(m.Size) {
		report("bytes", fmt.Sprintf("the number of bytes is %d", m.Bytes), fmt.Sprintf("must be at most %d, the size of the buffer", m.Size))
	}
}

func pointerMatch(m *callResult, report report) {
	if m.collectReturned(success) && m.Bytes > 0 && !m.noPointer && m.Pointer != int64(m.Bytes) {
		report("pointer", fmt.Sprintf("the pointer is moved by %d bytes", m.Pointer), fmt.Sprintf("must be moved by %d, the number of bytes returned", m.Bytes))
	}
}

// objectSum checks that the lengths of the objects add up to the number of bytes. If the number of bytes is not a
// multiple of 8, bytesAlign reports the number, and objectSum reports nothing.
func objectSum(m *callResult, report report) {
	if m.hasObjects() && m.Bytes%layout.Align == 0 && m.written.sum() != uint64(m.Bytes) {
		report("data", fmt.Sprintf("the lengths of the objects add up to %d bytes", m.written.sum()), fmt.Sprintf("must be %d, the number of bytes returned", m.Bytes))
	}
}

// objectCount checks the number of objects, unless objectSum reports a wrong length.
func objectCount(m *callResult, report report) {
	if n := len(m.written.objects); m.hasObjects() && m.written.sum() == uint64(m.Bytes) && uint64(m.Objects) != uint64(n) {
		report("objects", fmt.Sprintf("the number of objects is %d", m.Objects), fmt.Sprintf("must be %d, as in the data", n))
	}
}

func noData(m *callResult, report report) {
	if m.collectReturned(success) && m.Bytes == 0 {
		noOutputs(m, report, "because the number of bytes is 0")
	}
}

func moreDataOutputs(m *callResult, report report) {
	if m.collectReturned(moreData) {
		noOutputs(m, report, "because Collect returns ERROR_MORE_DATA")
	}
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

func guard(m *callResult, report report) {
	if w := m.Outside; w.N > 0 {
		report("changed", "Collect writes at "+plural(int(w.N), "offset ", "the offsets ")+w.String()+" of the buffer", fmt.Sprintf("must write only to its %d bytes", m.Size))
	}
}

func dataBlock(m *callResult, report report) {
	if m.collectReturned(success) && m.written.header && !strings.HasPrefix(m.Query, "Foreign") {
		report("data", "the data starts with the signature PERF of a data block", "must start with an object")
	}
}

func unrequested(m *callResult, report report) {
	requested := make(map[uint32]bool)
	for word := range strings.FieldsSeq(m.Query) {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return // not a query of titles
		}
		requested[uint32(n)] = true
	}
	if len(requested) == 0 || !m.hasObjects() {
		return
	}
	parents := make(map[uint32][]uint32)
	for _, o := range m.written.objects {
		if len(o.parents) > 0 {
			parents[o.title] = append(parents[o.title], o.parents...)
		}
	}
	for next := slices.Collect(maps.Keys(requested)); len(next) > 0; { // the parents of parents too
		title := next[len(next)-1]
		next = next[:len(next)-1]
		for _, p := range parents[title] {
			if !requested[p] {
				requested[p] = true
				next = append(next, p)
			}
		}
	}
	var others []string
	for _, o := range m.written.objects {
		if !requested[o.title] {
			others = append(others, strconv.FormatUint(uint64(o.title), 10))
		}
	}
	if len(others) > loggedObjects {
		others = append(others[:loggedObjects], "others")
	}
	if len(others) > 0 {
		report("data", "the data has "+plural(len(others), "the object ", "the objects ")+quote.List(others, "and"), "should have only the objects of the query "+strconv.Quote(m.Query)+", and the objects that contain the parents of their instances")
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func metadata(m *callResult, report report) {
	if !strings.HasPrefix(m.Query, "Metadata") || !m.hasObjects() {
		return
	}
	for _, o := range m.written.objects {
		switch isMetadata := o.instances < layout.PERF_NO_INSTANCES; {
		case m.hasMetadata && !isMetadata:
			report("data", fmt.Sprintf("NumInstances of the object %d is %d", o.title, o.instances), "must be -2 or -3, because the query is "+m.Query)
			return
		case !m.hasMetadata && isMetadata:
			report("data", fmt.Sprintf("NumInstances of the object %d is %d", o.title, o.instances), "must be -1 or more, unless the registry value \"Collect Supports Metadata\" is 1")
			return
		}
	}
}

func duration(m *callResult, report report) {
	if (m.Function == "Open" || m.Function == "Collect") && m.failure == "" && m.Took > m.limit {
		report("time", m.Function+" takes "+seconds(m.Took), "must take at most "+seconds(m.limit))
	}
}

func openCloseReturn(m *callResult, report report) {
	if (m.Function == "Open" || m.Function == "Close") && m.failure == "" && m.Status != success {
		report("status", fmt.Sprintf("%s returns %d", m.Function, m.Status), "must be ERROR_SUCCESS (0)")
	}
}

// exception reports a process that fails after a call, and a call that does not return. In the second case, if the call
// has written outside its buffer, the function guard reports the call, and exception does not.
func exception(m *callResult, report report) {
	switch {
	case m.late:
		report("failure", fmt.Sprintf("the process fails after %s has returned: %s", m.Function, m.failure), "must run on")
	case m.failure != "" && m.Outside.N == 0:
		report("failure", fmt.Sprintf("%s does not return: %s", m.Function, m.failure), "must return")
	}
}
