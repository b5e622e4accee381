package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// until returns what is done as soon as there is the file.
func until(t *testing.T, file string) context.Context {
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(file); err == nil {
				stop()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return ctx
}

// What is told to end in the middle of a turn prints the summary of what it did. A time may be
// ended early; of a number of inputs some were not tried.
func TestInterrupted(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"-time", "1h", "-turn", "1h"}, exitDone},
		{[]string{"-inputs", "2000000000"}, exitFailed},
	} {
		inModule(t, sample)
		ctx := until(t, "a/started")
		var out, progress bytes.Buffer
		if code := run(ctx, append(tt.args, "-targets", "FuzzSound"), &out, &progress); code != tt.code {
			t.Errorf("%q: the exit status is %d: %s", tt.args, code, progress.String())
		}
		if fields := strings.Fields(out.String()); len(fields) < 11 || fields[8] != "a.FuzzSound" || fields[10] == "0" || strings.Contains(out.String(), "failed") {
			t.Errorf("%q: %s", tt.args, out.String())
		}
		if strings.Contains(out.String(), "No new input") || strings.Contains(out.String(), "by themselves") {
			t.Errorf("%q: what the engine counts when it ends is not there: %s", tt.args, out.String())
		}
	}
}

// A target that has failed when the interrupt comes has failed. The engine is at making the
// input smaller, which it gives up.
func TestFailedBeforeInterrupt(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1") // of two workers the second may fail before the engine knows that the first one did
	inModule(t, map[string]string{"a/a_test.go": `package a

import (
	"os"
	"testing"
	"time"
)

func FuzzFails(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 4 {
			return
		}
		if _, err := os.Stat("failed"); err == nil {
			_ = os.WriteFile("smaller", nil, 0o644)
			time.Sleep(100 * time.Millisecond)
		}
		_ = os.WriteFile("failed", nil, 0o644)
		t.Fatal("seen to fail")
	})
}
`})
	var out, progress bytes.Buffer
	code := run(until(t, "a/smaller"), []string{"-time", "1h", "-turn", "1h"}, &out, &progress)
	kept, err := filepath.Glob("a/testdata/fuzz/FuzzFails/*")
	if err != nil || len(kept) != 1 {
		t.Fatalf("the corpus has %v, %v", kept, err)
	}
	if code != exitFailed || !strings.Contains(out.String(), "seen to fail") || !strings.Contains(out.String(), filepath.Base(kept[0])) {
		t.Errorf("the exit status is %d: %s", code, out.String())
	}
}

// What is interrupted before it comes to anything new has not failed.
func TestInterruptedAmongSeeds(t *testing.T) {
	inModule(t, odd)
	var out, progress bytes.Buffer
	code := run(until(t, "b/started"), []string{"-targets", "FuzzSlow"}, &out, &progress)
	if code != exitDone || !strings.Contains(out.String(), "more inputs: b.FuzzSlow\n") {
		t.Errorf("the exit status is %d: %s", code, out.String())
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	ended := errors.New("exit status 1")
	const noTests = "Tried again: exec: no command"
	for _, tt := range []struct {
		reason      string
		err         error
		interrupted bool
		said        []string
		fresh       bool // an input was written
		want        []string
	}{
		{"it ended well", nil, false, []string{"PASS"}, false, nil},
		{"it failed", ended, false, []string{"--- FAIL: FuzzX (0.01s)"}, false, []string{"--- FAIL: FuzzX (0.01s)"}},
		{"its time was over", ended, false, []string{"--- FAIL: FuzzX (0.01s)", "    context deadline exceeded", "FAIL"}, false, nil},
		{"what it tests took too long", ended, false, []string{"--- FAIL: FuzzX (0.01s)", "        x_test.go:1: context deadline exceeded"}, false, []string{"--- FAIL: FuzzX (0.01s)", "        x_test.go:1: context deadline exceeded"}},
		{"it failed as its time was over", ended, false, []string{"    context deadline exceeded"}, true, []string{"    context deadline exceeded", "Failing input written to testdata/fuzz/FuzzX/fresh", noTests}},
		{"it failed without a word", ended, false, nil, false, []string{"exit status 1"}},
		{"it lost its workers by itself", ended, false, []string{"--- FAIL: FuzzX (0.01s)", "    communicating with fuzzing process: EOF"}, false, []string{"--- FAIL: FuzzX (0.01s)", "    communicating with fuzzing process: EOF"}},
		{"an interrupt is none", ended, true, []string{"PASS"}, false, nil},
		{"an interrupt that ends the engine while it begins is none", ended, true, nil, false, nil},
		{"it failed on a seed before the interrupt", ended, true, []string{"--- FAIL: FuzzX (0.01s)"}, false, []string{"--- FAIL: FuzzX (0.01s)"}},
		{"the interrupt ended a worker while it began", ended, true, []string{"--- FAIL: FuzzX (0.01s)", "    fuzzing process terminated without fuzzing: EOF"}, false, nil},
		{"the interrupt ended a worker while it worked", ended, true, []string{"--- FAIL: FuzzX (0.01s)", "    communicating with fuzzing process: EOF"}, false, nil},
		{"the interrupt is called a signal", ended, true, []string{"--- FAIL: FuzzX (0.01s)", "    fuzzing process terminated by unexpected signal; no crash will be recorded: signal: interrupt"}, false, nil},
		{"the interrupt ended the engine between input and word", ended, true, nil, true, []string{"Failing input written to testdata/fuzz/FuzzX/fresh", noTests}},
		{"the engine takes what was interrupted for passed", ended, true, []string{"PASS"}, true, []string{"Failing input written to testdata/fuzz/FuzzX/fresh", noTests}},
		{"somebody else wrote an input", nil, false, []string{"PASS"}, true, nil},
		{"the input is told once", ended, true, []string{"--- FAIL: FuzzX (0.01s)", "    To re-run: FuzzX/fresh"}, true, []string{"--- FAIL: FuzzX (0.01s)", "    To re-run: FuzzX/fresh"}},
	} {
		to := &target{test: "FuzzX", dir: t.TempDir()}
		kept := filepath.Join(to.dir, "testdata", "fuzz", "FuzzX")
		if err := os.MkdirAll(kept, 0o755); err != nil {
			t.Fatal(err)
		}
		write := func(name string) {
			if err := os.WriteFile(filepath.Join(kept, name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write("old")
		before := to.failing()
		if tt.fresh {
			write("fresh")
		}
		var s said
		for _, line := range tt.said {
			s.add(line)
		}
		if got := to.failure(&s, tt.err, tt.interrupted, before); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.reason, got)
		}
	}
}
