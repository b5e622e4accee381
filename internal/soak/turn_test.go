package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// odd is a module with functions that are targets although they do not look like it, and that
// are none although they do.
var odd = map[string]string{
	"a/a_test.go": `package a

import "testing"

func Fuzziness(n int) int { return n }

func FuzzÄpfel(f *testing.F) { f.Skip("there is nothing to do") }

func FuzzSkips(f *testing.F) { f.Skip("there is nothing to do") }

func TestFuzz(t *testing.T) {}

type T struct{}

func (T) FuzzMethod(f *testing.F) {}

const text = "\nfunc FuzzText(f *testing.F) {}\n"
`,
	"a/b_test.go": `package a_test

import (
	"fmt"
	"testing"
)

func init() { fmt.Println("Fuzz targets ahead") }

func Fuzz(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) {}) }
`,
	"b/b_test.go": `package b

import (
	"os"
	"testing"
	"time"
)

func FuzzSlow(f *testing.F) {
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = os.WriteFile("started", nil, 0o644)
		time.Sleep(2 * time.Second)
	})
}
`,
	"b/c_test.go": `package b

import (
	"os"
	"testing"
	"time"
)

var began = time.Now()

func FuzzEndsTheEngine(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if time.Since(began) > time.Second {
			if engine, err := os.FindProcess(os.Getppid()); err == nil {
				_ = engine.Signal(os.Interrupt)
			}
		}
	})
}
`,
	"c/c.go": "package c\n\nfunc FuzzNoTest() {}\n",
	// The tests of these could not be compiled, and need not be.
	"d/d_test.go": "package d\n\nimport \"there/is/none\"\n",
}

func TestTargets(t *testing.T) {
	inModule(t, odd)
	for _, tt := range []struct{ reason, match, want string }{
		{"all", "", "a.FuzzÄpfel a.FuzzSkips a.Fuzz b.FuzzSlow b.FuzzEndsTheEngine"},
		{"some of a package", `^a\.FuzzÄ`, "a.FuzzÄpfel"},
		{"one that is no target", "FuzzText", ""},
	} {
		targets, err := find(t.Context(), t.TempDir(), regexp.MustCompile(tt.match))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, to := range targets {
			names = append(names, to.name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: %s", tt.reason, got)
		}
	}
}

// turns returns how many turns the summary says that the target had.
func turns(name, summary string) string {
	for line := range strings.Lines(summary) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name {
			return fields[1]
		}
	}
	return "no line"
}

// What ends at once is not begun again and again; and where nothing is tried, that is a failure.
func TestTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs targets, for seconds")
	}
	inModule(t, odd)
	for _, tt := range []struct {
		reason string
		args   []string
		code   int
		turns  map[string]string
		told   string
		untold string
	}{
		{"beside one that goes on", []string{"-time", "4s", "-turn", "1s", "-targets", "FuzzSkips|a.Fuzz$"}, exitDone, map[string]string{"a.FuzzSkips": "1"}, "not started again: a.FuzzSkips\n", "No new input"},
		{"alone", []string{"-time", "4s", "-targets", "FuzzSkips|Äpfel"}, exitFailed, map[string]string{"a.FuzzSkips": "1", "a.FuzzÄpfel": "1"}, "not started again: a.FuzzÄpfel, a.FuzzSkips\n", "No new input"},
		{"of a number of inputs none was tried", []string{"-inputs", "10", "-targets", "FuzzSkips"}, exitFailed, map[string]string{"a.FuzzSkips": "1"}, "not started again: a.FuzzSkips\n", "No new input"},
		{"of a number of inputs some were tried", []string{"-inputs", "1000000000000", "-targets", "FuzzEndsTheEngine"}, exitFailed, map[string]string{"b.FuzzEndsTheEngine": "1"}, "not started again: b.FuzzEndsTheEngine\n", "No new input"},
		{"no time for more than a seed", []string{"-time", "1s", "-targets", "FuzzSlow"}, exitFailed, map[string]string{"b.FuzzSlow": "1"}, "more inputs: b.FuzzSlow\n", " failed"},
	} {
		var out, progress bytes.Buffer
		if code := run(t.Context(), tt.args, &out, &progress); code != tt.code {
			t.Errorf("%s: the exit status is %d: %s", tt.reason, code, progress.String())
		}
		for name, want := range tt.turns {
			if got := turns(name, out.String()); got != want {
				t.Errorf("%s: %s had %s turns", tt.reason, name, got)
			}
		}
		if !strings.Contains(out.String(), tt.told) || strings.Contains(out.String(), tt.untold) {
			t.Errorf("%s: %s", tt.reason, out.String())
		}
	}
}
