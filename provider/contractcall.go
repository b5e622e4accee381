package provider

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/layout"
)

// A place says whether a buffer is next to a page that cannot be accessed.
type place string

const (
	inside  place = ""               // the buffer is between two ranges with a pattern
	atEnd   place = "before a guard" // the buffer ends where an inaccessible page starts
	atStart place = "after a guard"  // the buffer starts where an inaccessible page ends
)

// A call is a function name with the arguments. The process that loads a DLL gets the calls as JSON.
type call struct {
	Function string // Open, Collect or Close, or a function of Windows that loads or unloads the provider
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

// An outcome is the result of a call. If the call did not return, only failure and Took are set.
type outcome struct {
	failure   string // why the call did not return, such as exit 3; "" if it returned
	late      bool   // the process failed between the previous call and this call, so this call was not made
	err       string // the error that a Go function returned, unless the error says that the buffer is too small
	noPointer bool   // the call was made to a Go function, which moves no pointer
	returnValues
}

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

// A changedRange is a range of bytes that a call changed outside the buffer.
type changedRange struct {
	First, N int64 // First is an offset from the start of the buffer
}

// A callResult is a call with its outcome.
type callResult struct {
	call
	outcome
	written contents

	limit       time.Duration
	hasMetadata bool // the Performance key of the provider has Collect Supports Metadata = 1
}

// dataSize returns the number of bytes of the data that the call wrote to the buffer.
func (m *callResult) dataSize() int {
	if m.failure != "" || m.err != "" || m.Status != success {
		return 0
	}
	return int(min(uint64(m.Bytes), uint64(m.Size)))
}

// A line is a line of the log, and the columns of the values in it.
type line struct {
	text    strings.Builder
	columns map[string]int // from 1
}

func (l *line) String() string { return l.text.String() }

// add adds a value with its name.
func (l *line) add(name, value string) {
	l.text.WriteString("  ")
	l.columns[name] = utf8.RuneCountInString(l.text.String()) + 1
	l.text.WriteString(name + " " + value)
}

// loggedTime is the shortest duration that the log shows. Shorter durations would make the logs of equal runs differ.
const loggedTime = time.Second

// line returns the line of the log:
//
//	Collect("Global", 4096)  status 0  bytes 984  objects 1  pointer +984  data 2 (984 bytes)
func (m *callResult) line() *line {
	l := &line{columns: map[string]int{"": 1}}
	l.text.WriteString(m.call.String())
	if m.Place != inside {
		l.add("buffer", string(m.Place))
	}
	switch {
	case m.failure != "":
		text := m.failure
		if m.late {
			text += ", after the call returned"
		}
		l.add("failure", text)
	case m.err != "":
		l.add("error", strconv.QuoteToASCII(m.err))
	default:
		l.add("status", strconv.FormatUint(uint64(m.Status), 10))
	}
	if m.Function == "Collect" && m.failure == "" {
		l.add("bytes", strconv.FormatUint(uint64(m.Bytes), 10))
		l.add("objects", strconv.FormatUint(uint64(m.Objects), 10))
		if !m.noPointer {
			l.add("pointer", fmt.Sprintf("%+d", m.Pointer))
		}
		if text := m.written.String(); text != "" {
			l.add("data", text)
		}
	}
	if m.Outside.N > 0 {
		l.add("changed", m.Outside.String())
	}
	if m.Took >= loggedTime || m.Took > m.limit {
		l.add("time", seconds(m.Took))
	}
	return l
}

func (w changedRange) String() string {
	if w.N == 1 {
		return fmt.Sprint(w.First)
	}
	return fmt.Sprintf("%d to %d", w.First, w.First+w.N-1)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// loggedObjects is the largest number of objects, or of parents of an object, that a line of the log shows.
const loggedObjects = 8

// String returns the objects with their title indexes.
func (c contents) String() string {
	if c.header {
		return "PERF_DATA_BLOCK"
	}
	var list []string
	for i, o := range c.objects {
		if i == loggedObjects {
			list = append(list, fmt.Sprintf("%d more", len(c.objects)-i))
			break
		}
		list = append(list, o.String())
	}
	return strings.Join(list, ", ")
}

func (o object) String() string {
	text := fmt.Sprintf("%d (%d bytes", o.title, o.length)
	if o.instances < layout.PERF_NO_INSTANCES {
		text += fmt.Sprintf(", NumInstances %d", o.instances)
	}
	if n := len(o.parents); n > 0 {
		text += ", parent " + strings.Trim(fmt.Sprint(o.parents[:min(n, loggedObjects)]), "[]")
	}
	return text + ")"
}

// oneLine returns the text on one line, without control characters and invisible characters. It shortens a text that is
// too long for a line of the log.
func oneLine(text string) string {
	const most = 200
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > most {
		text = string(letters[:most]) + "..."
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}
