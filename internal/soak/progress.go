package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// A report is what the engine says of a turn every few seconds. Of coverage it speaks only
// where the compiler can count it. It goes through the seeds and what is kept first, and
// counts these too.
type report struct {
	execs, rate, fresh, total int64

	first int64 // inputs to go through before the first that is new
}

var (
	reported  = regexp.MustCompile(`^fuzz: elapsed: [^,]+, execs: (\d+) \((\d+)/sec\)(?:, new interesting: (\d+) \(total: (\d+)\))?`)
	beginning = regexp.MustCompile(`^fuzz: elapsed: [^,]+, (?:gathering baseline coverage|testing seed corpus): (\d+)/(\d+) completed`)
)

// read takes the numbers of a line of the engine's, if it has some.
func (r *report) read(line string) bool {
	m, numbers := reported.FindStringSubmatch(line), []*int64{&r.execs, &r.rate, &r.fresh, &r.total}
	if m == nil {
		m, numbers = beginning.FindStringSubmatch(line), []*int64{&r.execs, &r.first}
	}
	if m == nil {
		return false
	}
	for i, n := range numbers {
		if m[1+i] == "" {
			return true
		}
		v, err := strconv.ParseInt(m[1+i], 10, 64)
		if err != nil {
			return false
		}
		*n = v
	}
	return true
}

// begun reports whether there was an input that was not there before.
func (r *report) begun() bool { return r.execs > r.first }

// A screen shows how far it is: on a terminal one line that changes, else a line for each
// turn.
type screen struct {
	w    io.Writer
	live bool
}

func (s *screen) progress(t *target, now report, left string) {
	if s.live {
		fmt.Fprintf(s.w, "\r\x1b[K%s", line(t, now, left))
	}
}

// turned shows a turn that is over.
func (s *screen) turned(t *target, now report) {
	if s.live {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
	if t.failed != nil {
		fmt.Fprintf(s.w, "%s failed\n", t.name)
	} else if t.ended {
		fmt.Fprintf(s.w, "%s ended by itself before its turn was over\n", t.name)
	} else if !s.live && !now.begun() {
		fmt.Fprintf(s.w, "%s: %d of the %d inputs that it starts from, and no new one\n", t.name, now.execs, now.first)
	} else if !s.live {
		fmt.Fprintf(s.w, "%s: %d inputs, %d of them new to the coverage\n", t.name, now.execs, now.fresh)
	}
}

func line(t *target, now report, left string) string {
	return fmt.Sprintf("%s: %d inputs, %d/s, %d new to the coverage, %s left", t.name, now.execs, now.rate, now.fresh, left)
}
