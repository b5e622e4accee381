package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// A report is what the engine says of a turn every few seconds. Of coverage it speaks only
// where the compiler can count it.
type report struct{ execs, rate, fresh, total int64 }

var reported = regexp.MustCompile(`^fuzz: elapsed: [^,]+, execs: (\d+) \((\d+)/sec\)(?:, new interesting: (\d+) \(total: (\d+)\))?`)

// read takes the numbers of a line of the engine's, if it has some.
func (r *report) read(line string) bool {
	m := reported.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	for i, n := range []*int64{&r.execs, &r.rate, &r.fresh, &r.total} {
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
		return
	}
	if !s.live {
		fmt.Fprintf(s.w, "%s: %d inputs, %d of them new to the coverage\n", t.name, now.execs, now.fresh)
	}
}

func line(t *target, now report, left string) string {
	return fmt.Sprintf("%s: %d inputs, %d/s, %d new to the coverage, %s left", t.name, now.execs, now.rate, now.fresh, left)
}
