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

// A place is where a buffer is in memory.
type place string

const (
	inside  place = ""               // between two ranges with a pattern
	atEnd   place = "before a guard" // it ends where a page starts that cannot be accessed
	atStart place = "after a guard"  // it starts where such a page ends
)

// A call is a call of a function.
type call struct {
	function string // Open, Collect or Close, or a function of Windows that loads or unloads the provider
	query    string
	size     int // of the buffer
	place    place
}

// String returns the call as it is in the log, without the place.
func (c call) String() string {
	if c.function != "Collect" {
		return c.function + "()"
	}
	return fmt.Sprintf("Collect(%s, %d)", strconv.QuoteToASCII(c.query), c.size)
}

// An outcome is what a call did. Only failure and took are set if the call did not return.
type outcome struct {
	failure string // why the call did not return, such as exit 3; "" if it returned
	late    bool   // the failure came after the call before this one had returned; this call was not made
	err     string // the error that a Go function returned, unless it means that the buffer is too small
	status  uint32

	bytes, objects uint32
	pointer        int64 // the distance by which the pointer to the buffer was moved
	noPointer      bool  // a Go function has no pointer
	outside        writes
	data           []byte // if the status is 0, as many bytes as the buffer has
	took           time.Duration
}

// Values of status.
const (
	success  = 0
	moreData = 234 // ERROR_MORE_DATA
)

// writes is a range of bytes outside the buffer that a call changed.
type writes struct {
	first, n int64 // first is an offset from the start of the buffer
}

// A made is a call that was made.
type made struct {
	call
	outcome
	written contents

	limit       time.Duration
	hasMetadata bool // the provider's key has Collect Supports Metadata = 1
}

// when returns when a call failed, as a part of a sentence.
func (m *made) when() string {
	if m.late {
		return ", after the call returned"
	}
	return ""
}

// dataSize returns the number of bytes of the data that the call wrote to the buffer.
func (m *made) dataSize() int {
	if m.failure != "" || m.err != "" || m.status != success {
		return 0
	}
	return int(min(uint64(m.bytes), uint64(m.size)))
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

// loggedTime is the shortest duration of a call that the log has. With shorter ones, the logs of two equal runs would
// differ.
const loggedTime = time.Second

// line returns the line of the log:
//
//	Collect("Global", 4096)  status 0  bytes 984  objects 1  pointer +984  data 2 (984 bytes)
func (m *made) line() *line {
	l := &line{columns: map[string]int{"": 1}}
	l.text.WriteString(m.call.String())
	if m.place != inside {
		l.add("buffer", string(m.place))
	}
	switch {
	case m.failure != "":
		l.add("failure", m.failure+m.when())
	case m.err != "":
		l.add("error", strconv.QuoteToASCII(m.err))
	default:
		l.add("status", strconv.FormatUint(uint64(m.status), 10))
	}
	if m.function == "Collect" && m.failure == "" {
		l.add("bytes", strconv.FormatUint(uint64(m.bytes), 10))
		l.add("objects", strconv.FormatUint(uint64(m.objects), 10))
		if !m.noPointer {
			l.add("pointer", fmt.Sprintf("%+d", m.pointer))
		}
		if text := m.written.String(); text != "" {
			l.add("data", text)
		}
	}
	if m.outside.n > 0 {
		l.add("changed", m.outside.String())
	}
	if m.took >= loggedTime || m.took > m.limit {
		l.add("time", seconds(m.took))
	}
	return l
}

func (w writes) String() string {
	if w.n == 1 {
		return fmt.Sprint(w.first)
	}
	return fmt.Sprintf("%d to %d", w.first, w.first+w.n-1)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

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

// oneLine returns the text without line ends, control characters and invisible ones, and cut to a length that fits in a
// line of the log.
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
