package provider

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/validate"
)

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
	l.text.WriteString(line.text.String() + "\n")
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

// A line is a line of the log, and the columns of the values in it.
type line struct {
	text    strings.Builder
	columns map[string]int // from 1
}

// add adds a value with its name.
func (l *line) add(name, value string) {
	l.text.WriteString("  ")
	l.columns[name] = utf8.RuneCountInString(l.text.String()) + 1
	l.text.WriteString(name + " " + value)
}

// loggedTime is the shortest time that the log shows for a call within its limit. For a call over its limit, the log
// always shows the time. All other times are left out, because they would make the logs of equal runs differ.
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

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

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
