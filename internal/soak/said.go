package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// said is what a target prints beside the engine's reports. It may be much, as where it
// panics deep in its calls: what it begins with is kept, and what it ends with, as there the
// engine names the input.
type said struct {
	head, tail []string // tail is a ring
	n          int      // lines
	failed     bool     // the engine says that the target failed
	torn       bool     // the engine lost a worker that did not fail
	late       bool     // the engine took the end of its time for a failure
}

const (
	longestHead = 100     // lines
	longestTail = 100     // lines
	longestLine = 1 << 16 // bytes
)

// lost is what the engine says of a worker that a signal ended. Ctrl-C on a terminal reaches
// the workers too, and one that has just begun is ended by it.
var lost = regexp.MustCompile(`^ *(fuzzing process terminated (without fuzzing|by unexpected signal)|communicating with fuzzing process)`)

// late is all that the engine says of a target if its time is over at a bad moment. What a
// target fails on stands farther to the right.
const late = "    context deadline exceeded"

func (s *said) add(line string) {
	s.failed = s.failed || strings.HasPrefix(line, "--- FAIL: ")
	s.torn = s.torn || lost.MatchString(line)
	s.late = s.late || line == late
	switch {
	case len(s.head) < longestHead:
		s.head = append(s.head, line)
	case len(s.tail) < longestTail:
		s.tail = append(s.tail, line)
	default:
		s.tail[(s.n-longestHead)%longestTail] = line
	}
	s.n++
}

// lines returns what was kept, and between the two how many lines were not.
func (s *said) lines() []string {
	left := s.n - len(s.head) - len(s.tail)
	if left == 0 {
		return slices.Concat(s.head, s.tail)
	}
	oldest := left % longestTail
	return slices.Concat(s.head, []string{fmt.Sprintf("[%d lines are left out]", left)}, s.tail[oldest:], s.tail[:oldest])
}

// eachLine calls do for every line of r, the last of which may have no end. What is longer than
// longestLine is cut.
func eachLine(r io.Reader, do func(string)) {
	lines := bufio.NewReaderSize(r, longestLine)
	for {
		part, more, err := lines.ReadLine()
		if err != nil {
			return
		}
		line, cut := string(part), 0
		for more && err == nil {
			part, more, err = lines.ReadLine()
			cut += len(part)
		}
		if cut > 0 {
			line += fmt.Sprintf(" [%d bytes are left out]", cut)
		}
		do(line)
	}
}

// failing returns the inputs that are kept beside the target, on which it failed once.
func (t *target) failing() []string {
	entries, _ := os.ReadDir(filepath.Join(t.dir, "testdata", "fuzz", t.test)) // it may have none
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// failure returns what there is to say of a turn that ended with err, nil if the target did
// not fail; before are the inputs that were kept before. An interrupt is no failure, nor is the
// end of the time, also where the engine takes it for one; but a target may have failed just
// before. The engine itself may then be ended with the input written and nothing said of it.
func (t *target) failure(s *said, err error, interrupted bool, before []string) []string {
	if err == nil {
		return nil
	}
	fresh := slices.DeleteFunc(t.failing(), func(name string) bool { return slices.Contains(before, name) })
	if len(fresh) == 0 && (s.late || interrupted && (!s.failed || s.torn)) {
		return nil
	}
	lines := s.lines()
	for _, name := range fresh {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, name) }) {
			lines = append(lines, "Failing input written to "+path.Join("testdata", "fuzz", t.test, name))
		}
	}
	if len(lines) == 0 {
		return []string{err.Error()}
	}
	return lines
}
