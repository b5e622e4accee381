package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		args   []string
		want   string // of the error
	}{
		{"nothing has to be said", nil, ""},
		{"what the usage shows", []string{"-time", "90m", "-turn", "30s", "-targets", "fuzz.Fuzz"}, ""},
		{"no time", []string{"-time", "0s"}, "a second at least"},
		{"turns that would never end", []string{"-turn", "-1s"}, "a second at least"},
		{"a number without a unit", []string{"-time", "60"}, "-time"},
		{"a number of inputs", []string{"-inputs", "2000", "-targets", "fuzz.Fuzz"}, ""},
		{"no inputs", []string{"-inputs", "0"}, "one at least"},
		{"inputs and a time", []string{"-inputs", "2000", "-time", "1h"}, "in place of"},
		{"no regular expression", []string{"-targets", "("}, "-targets"},
		{"an argument", []string{"./fuzz"}, "./fuzz"},
		{"a flag that there is not", []string{"-fast"}, "-fast"},
	} {
		_, err := parse(tt.args)
		switch {
		case err == nil && tt.want != "":
			t.Errorf("%s: no error", tt.reason)
		case err != nil && (tt.want == "" || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}

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

// sample is a module with a target that is sound, one that fails, and a function that is
// none although its name starts like one's.
var sample = map[string]string{
	"go.mod": "module sample\n\ngo 1.26\n",
	"a/a_test.go": `package a

import (
	"os"
	"testing"
	"time"
)

var began = time.Now()

func FuzzSound(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if time.Since(began) > time.Second { // a worker counts what it has done ten times a second
			_ = os.WriteFile("started", nil, 0o644)
		}
	})
}
`,
	"b/b_test.go": `package b_test

import "testing"

type T struct{}

func (T) FuzzMethod(f *testing.F) {}

func FuzzFails(f *testing.F) {
	f.Add([]byte("x"))
	f.Add([]byte("y"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != 1 {
			t.Fatal("seen to fail")
		}
	})
}
`,
	"c/c.go": "package c\n\nfunc FuzzNoTest() {}\n",
}

// inSample goes to a new copy of the sample.
func inSample(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sample {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func TestSoak(t *testing.T) {
	inSample(t)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-time", "10s", "-turn", "2s"}, &out, &progress); code != exitFailed {
		t.Errorf("the exit status is %d", code)
	}
	crashers, err := filepath.Glob("b/testdata/fuzz/FuzzFails/*")
	if err != nil || len(crashers) != 1 {
		t.Errorf("the corpus has %v, %v", crashers, err)
	}
	for _, want := range []string{"a.FuzzSound", "b.FuzzFails failed, in ", "seen to fail", "Failing input written to testdata"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the summary lacks %q", want)
		}
	}
	if strings.Contains(out.String(), "FuzzMethod") || strings.Contains(out.String(), "FuzzNoTest") {
		t.Error("there are targets that are none")
	}
	// What failed is not tried again, as it would fail at once; the other goes on.
	if n := strings.Count(progress.String(), "b.FuzzFails failed"); n != 1 {
		t.Errorf("it failed %d times", n)
	}
	if n := strings.Count(progress.String(), "a.FuzzSound: "); n < 2 {
		t.Errorf("the sound one had %d turns", n)
	}
	if t.Failed() {
		t.Logf("%s\n%s", progress.String(), out.String())
	}
}

// Of so many inputs there is one turn, and what fails keeps the others from nothing.
func TestInputs(t *testing.T) {
	inSample(t)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-inputs", "700"}, &out, &progress); code != exitFailed {
		t.Errorf("the exit status is %d", code)
	}
	var sound []string
	for line := range strings.Lines(out.String()) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == "a.FuzzSound" {
			sound = fields
		}
	}
	if len(sound) == 0 || sound[1] != "1" || len(sound[2]) != 3 || sound[2] < "700" {
		t.Errorf("the sound one had %q, which is not one turn of 700", sound)
	}
	if n := strings.Count(progress.String(), "b.FuzzFails failed"); n != 1 {
		t.Errorf("the other failed %d times", n)
	}
	if strings.Contains(out.String(), "No new input") {
		t.Error("it is said that none was new")
	}
	if t.Failed() {
		t.Logf("%s\n%s", progress.String(), out.String())
	}
}

// Where there are fewer inputs than seeds, what fails on others is not found, and that is said.
func TestSeedsAlone(t *testing.T) {
	inSample(t)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-inputs", "1", "-targets", "FuzzFails"}, &out, &progress); code != exitFailed {
		t.Errorf("the exit status is %d: %s", code, progress.String())
	}
	if fields := strings.Fields(out.String()); len(fields) < 14 || fields[10] != "1" || fields[13] != "2" || !strings.HasSuffix(out.String(), ": b.FuzzFails\n") {
		t.Errorf("%s", out.String())
	}
}

func TestNoTarget(t *testing.T) {
	inSample(t)
	var out, progress bytes.Buffer
	if code := run(t.Context(), []string{"-targets", "nothing"}, &out, &progress); code != exitFailed || !strings.Contains(progress.String(), "no such target") {
		t.Errorf("the exit status is %d: %s", code, progress.String())
	}
}

// What is told to end in the middle of a turn prints the summary of what it did. A time may be
// ended early; of a number of inputs some were not tried.
func TestInterrupted(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"-time", "1h", "-turn", "1h"}, exitDone},
		{[]string{"-inputs", "1000000000000"}, exitFailed},
	} {
		inSample(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() {
			for ctx.Err() == nil {
				if _, err := os.Stat("a/started"); err == nil {
					stop()
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		var out, progress bytes.Buffer
		if code := run(ctx, append(tt.args, "-targets", "FuzzSound"), &out, &progress); code != tt.code {
			t.Errorf("%q: the exit status is %d: %s", tt.args, code, progress.String())
		}
		if fields := strings.Fields(out.String()); len(fields) < 11 || fields[8] != "a.FuzzSound" || fields[10] == "0" || strings.Contains(out.String(), "failed") {
			t.Errorf("%q: %s", tt.args, out.String())
		}
	}
}
