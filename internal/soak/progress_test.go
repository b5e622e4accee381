package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, line string
		want         report
		ok           bool
	}{
		{"a usual line", "fuzz: elapsed: 1m3s, execs: 15494 (3751/sec), new interesting: 14 (total: 97)", report{execs: 15494, rate: 3751, fresh: 14, total: 97}, true},
		{"without coverage", "fuzz: elapsed: 2s, execs: 81036 (40306/sec)", report{execs: 81036, rate: 40306}, true},
		{"before it starts", "fuzz: elapsed: 0s, gathering baseline coverage: 0/83 completed", report{first: 83}, true},
		{"with all that it starts from", "fuzz: elapsed: 4s, gathering baseline coverage: 83/83 completed, now fuzzing with 2 workers", report{execs: 83, first: 83}, true},
		{"on the way to that, without coverage", "fuzz: elapsed: 3s, testing seed corpus: 5/83 completed", report{execs: 5, first: 83}, true},
		{"what a target prints", "execs: 3 (1/sec)", report{}, false},
		{"a number too large", "fuzz: elapsed: 3s, execs: 99999999999999999999 (1/sec), new interesting: 1 (total: 1)", report{}, false},
	} {
		var r report
		if ok := r.read(tt.line); ok != tt.ok || r != tt.want {
			t.Errorf("%s: %v %+v", tt.reason, ok, r)
		}
	}
}

// A target that came to no new input has not been tried, and that is said.
func TestNoNewInput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		now    report
		line   string
		told   bool
	}{
		{"it ended among the seeds", report{execs: 50, first: 471}, "t: 50 of the 471 inputs that it starts from, and no new one\n", true},
		{"it ended behind the last of them", report{execs: 471, first: 471}, "t: 471 of the 471 inputs that it starts from, and no new one\n", true},
		{"one input was new", report{execs: 472, first: 471}, "t: 472 inputs, 0 of them new to the coverage\n", false},
	} {
		var said, out bytes.Buffer
		(&screen{w: &said}).turned(&target{name: "t"}, tt.now)
		if said.String() != tt.line {
			t.Errorf("%s: it says %q", tt.reason, said.String())
		}
		summary(&out, []*target{{name: "t", begun: tt.now.begun()}, {name: "failed", failed: []string{"x"}}})
		if told := strings.Contains(out.String(), "more inputs: t\n"); told != tt.told {
			t.Errorf("%s: the summary is %s", tt.reason, out.String())
		}
	}
}

// On a terminal there is one line that changes, and what is over leaves nothing of it but what
// has to be known.
func TestLiveLine(t *testing.T) {
	t.Parallel()
	const clear = "\r\x1b[K"
	now := report{execs: 5, rate: 2, fresh: 1, first: 3}
	for _, tt := range []struct {
		reason string
		live   bool
		target target
		want   string
	}{
		{"a sound one", true, target{name: "t"}, clear + "t: 5 inputs, 2/s, 1 new to the coverage, 3s left" + clear},
		{"one that failed", true, target{name: "t", failed: []string{"x"}}, clear + "t: 5 inputs, 2/s, 1 new to the coverage, 3s left" + clear + "t failed\n"},
		{"one that ended", true, target{name: "t", ended: true}, clear + "t: 5 inputs, 2/s, 1 new to the coverage, 3s left" + clear + "t ended by itself before its turn was over\n"},
		{"no terminal", false, target{name: "t"}, "t: 5 inputs, 1 of them new to the coverage\n"},
		{"one that ended, on no terminal", false, target{name: "t", ended: true}, "t ended by itself before its turn was over\n"},
	} {
		var said bytes.Buffer
		s := screen{w: &said, live: tt.live}
		s.progress(&tt.target, now, "3s")
		s.turned(&tt.target, now)
		if said.String() != tt.want {
			t.Errorf("%s: it says %q", tt.reason, said.String())
		}
	}
}
