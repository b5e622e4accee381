package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
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

// listen runs the command and calls do for every line that it prints.
func listen(cmd *exec.Cmd, do func(string)) error {
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	read := make(chan struct{})
	go func() {
		defer close(read)
		eachLine(r, do)
	}()
	err := cmd.Run()
	w.Close()
	<-read
	return err
}
