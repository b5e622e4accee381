package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/fatih/color"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/layout"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"perfblock": main})
}

// inOrder runs scripts one after the other, because perform sets variables of the process.
type inOrder struct{ *testing.T }

func (inOrder) Parallel()     {}
func (inOrder) Verbose() bool { return testing.Verbose() }
func (t inOrder) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inOrder{t}) })
}

// TestScripts runs the scripts in testdata/script.
func TestScripts(t *testing.T) {
	deadline, _ := t.Deadline()
	testscript.RunT(inOrder{t}, testscript.Params{
		Dir:                 "testdata/script",
		Deadline:            deadline,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "")                  // the user's setting must not change the results
			e.Setenv("GORACE", "atexit_sleep_ms=100") // a program with the race detector sleeps 1 second at its end
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "permissions" { // whether file permissions restrict the user
				return runtime.GOOS != "windows" && os.Geteuid() != 0, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "repeat": repeat, "bundle": bundle},
	})
}

// status runs perfblock and requires the exit status N. If the last argument is <FILE, perfblock reads FILE as standard
// input. The script command stdin has no effect on status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "perfblock" {
		ts.Fatalf("usage: status N perfblock ARGS... [<FILE]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got, stderr := perform(ts, args[2:])
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	for line := range strings.SplitSeq(stderr, "\n") {
		if line != "" && !strings.HasPrefix(line, "perfblock: ") {
			ts.Fatalf("standard error has %q, which does not start with the name of the command", line)
		}
	}
}

// perform runs perfblock in the process of the test. Starting a process would take longer than most commands of the
// scripts. Script lines with exec start perfblock as a process.
func perform(ts *testscript.TestScript, args []string) (status int, stderr string) {
	var input string
	if n := len(args); n > 0 && strings.HasPrefix(args[n-1], "<") {
		args, input = args[:n-1], ts.ReadFile(args[n-1][1:])
	}
	folder, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(folder)
	for _, name := range []string{"NO_COLOR", "PATH"} { // the variables that scripts set
		if old, is := os.LookupEnv(name); is {
			defer os.Setenv(name, old)
		} else {
			defer os.Unsetenv(name)
		}
		os.Setenv(name, ts.Getenv(name))
	}

	stdin, in, err := os.Pipe()
	ts.Check(err)
	var wait sync.WaitGroup
	wait.Go(func() { io.WriteString(in, input); in.Close() })
	collect := func(buffer *bytes.Buffer) *os.File {
		r, w, err := os.Pipe()
		ts.Check(err)
		wait.Go(func() { io.Copy(buffer, r); r.Close() })
		return w
	}
	var out, errs bytes.Buffer
	defer func(in, out, errs *os.File, colored io.Writer) {
		os.Stdin, os.Stdout, os.Stderr, color.Output = in, out, errs, colored
	}(os.Stdin, os.Stdout, os.Stderr, color.Output)
	os.Stdin, os.Stdout, os.Stderr = stdin, collect(&out), collect(&errs)
	color.Output = os.Stdout
	status = run(args)
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		f.Close()
	}
	wait.Wait()
	ts.Stdout().Write(out.Bytes())
	ts.Stderr().Write(errs.Bytes())
	return status, errs.String()
}

// repeat writes a file with N copies of a text.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N TEXT FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(args[1], n)), 0o666))
}

// bundle writes a bundle with the blocks and a title table.
func bundle(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: bundle FILE [QUERY=]BLOCK...")
	}
	table := titles.Table{Pairs: []titles.Pair{{Key: "1", Name: "1847"}, {Key: "238", Name: "Processor of the bundle"}}}
	text, err := table.AppendMultiSZ(nil)
	ts.Check(err)
	b := capture.Bundle{Computer: "HOST", Members: []capture.Member{{Name: "titles/Counter 009.bin", Kind: capture.TitlesKind, Query: "Counter 009", Bytes: text}}}
	for i, path := range args[1:] {
		query, rest, found := strings.Cut(path, "=")
		if !found {
			query, rest = "", path
		}
		kind, found := block.KindInName(rest)
		if !found {
			kind = layout.DataBlockKind
		}
		m := capture.Member{Name: fmt.Sprintf("v1/%04d.%v.bin", i+1, kind), Kind: kind.String(), Query: query, Bytes: []byte(ts.ReadFile(rest))}
		b.Members = append(b.Members, m)
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(b.Write(f))
	ts.Check(f.Close())
}
