package provider

import (
	"fmt"
	"strconv"
	"time"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A place says whether a buffer is next to a page that cannot be accessed.
type place string

const (
	inside  place = ""               // the buffer is between two ranges with a pattern
	atEnd   place = "before a guard" // the buffer ends at most 7 bytes before an inaccessible page
	atStart place = "after a guard"  // the buffer starts where an inaccessible page ends
)

// A call is a function name with the arguments. The process that loads a DLL gets the calls as JSON.
type call struct {
	Function string // LoadLibrary, Open, Collect, Close or FreeLibrary
	Query    string
	Size     int // bytes of the buffer
	Place    place
}

// String returns the start of the log line of the call: the function with its arguments, but without the Place.
func (c call) String() string {
	if c.Function != "Collect" {
		return c.Function + "()"
	}
	return fmt.Sprintf("Collect(%s, %d)", strconv.QuoteToASCII(c.Query), c.Size)
}

// An outcome is the result of a call. If the call did not return, failure says why, and only Outside and Took of the
// returnValues can be set.
type outcome struct {
	failure   string // why the call did not return, such as exit 3; "" if it returned
	late      bool   // the process failed between the previous call and this call, so this call was not made
	err       string // the error of a Go function; if the error wraps builder.ErrMoreData, err is "" and Status is 234
	noPointer bool   // the call was made to a Go function, which moves no pointer
	returnValues
}

// A callResult is a call with its outcome.
type callResult struct {
	call
	outcome
	written contents

	limit       time.Duration
	hasMetadata bool // the Performance key of the provider has Collect Supports Metadata = 1
}

func callPath(call string) layout.Path { return layout.Path{}.Field(call) }

// callRules has the rules about calls that fail or take too long.
var callRules = []*rule{
	{validate.Rule{
		ID: "PERF3013", Name: "prov-duration", Severity: validate.Warning, Event: 1015,
		Doc:     "Open and Collect return within their time limits: the registry values Open Timeout and Collect Timeout, by default 10 seconds",
		Why:     "The program that reads counters waits for the call. If the call takes longer than the limit, Windows logs an event and may stop calling the provider.",
		Fix:     "Compute the values in a separate thread or process. The function Collect then copies finished values.",
		Sources: []validate.Source{entriesPage},
	}, func(m *callResult, report report) {
		if (m.Function == "Open" || m.Function == "Collect") && m.failure == "" && m.Took > m.limit {
			report("time", m.Function+" takes "+seconds(m.Took), "must take at most "+seconds(m.limit))
		}
	}},
	{validate.Rule{
		ID: "PERF3015", Name: "prov-exception", Severity: validate.Error, Event: 1010,
		Doc:     "Open, Collect and Close come back to the caller: they and their threads cause no exception, do not hang and do not end the process",
		Why:     "The functions run in each program that reads counters. Windows stops calling a provider after an exception, and an exit ends the program.",
		Fix:     "Handle the exceptions of your code in each function, limit each wait, and do not call ExitProcess.",
		Sources: []validate.Source{collectPage, openPage, closePage},
	}, func(m *callResult, report report) {
		switch {
		case m.late:
			report("failure", fmt.Sprintf("the process fails after %s has returned: %s", m.Function, m.failure), "must run on")
		case m.failure != "" && m.Outside.N == 0: // otherwise the rule prov-guard reports the call
			report("failure", fmt.Sprintf("%s does not return: %s", m.Function, m.failure), "must return")
		}
	}},
}
