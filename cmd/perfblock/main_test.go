package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"

	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/suppression"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate/config"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"perfblock": main})
}

// TestScripts runs the scripts in testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
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

// status runs a command and requires the exit status N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	for line := range strings.SplitSeq(ts.ReadFile("stderr"), "\n") {
		if line != "" && !strings.HasPrefix(line, "perfblock: ") {
			ts.Fatalf("standard error has %q, which does not start with the name of the command", line)
		}
	}
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

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ given, want, reason string }{
		{"dmup", " (did you mean dump?)", "two letters are swapped"},
		{"buid", " (did you mean build?)", "a letter is missing"},
		{"DUMP", " (did you mean dump?)", "the case of letters is ignored"},
		{"comp", " (did you mean completion?)", "the start of a word is similar"},
		{"xyzzy", "", "no name is near"},
		{"", "", "nothing is similar to the empty word"},
		{"g", "", "one letter is too short to be similar"},
	} {
		if got := didYouMean(tt.given, []string{"build", "dump", "gen", "completion"}); got != tt.want {
			t.Errorf("%q: got %q, want %q: %s", tt.given, got, tt.want, tt.reason)
		}
	}
}

// TestHelp checks that every command has a short and a long help text and examples, and that the
// help describes each word that a flag accepts.
func TestHelp(t *testing.T) {
	t.Parallel()
	root := newRoot()
	for _, c := range append(root.Commands(), root) {
		if c.Name() == "help" || c.Name() == "completion" { // cobra's own
			continue
		}
		if c.Long == "" || c.Short == "" || c.Example == "" {
			t.Errorf("%s: a text is missing", c.Name())
		}
		for line := range strings.SplitSeq(c.Long+"\n"+c.Example+"\n"+c.Flags().FlagUsages(), "\n") {
			if len(line) > 100 {
				t.Errorf("%s: a line of %d columns: %s", c.Name(), len(line), line)
			}
		}
	}
	for _, c := range root.Commands() {
		text := fmt.Sprint(c.Long, c.Flags().FlagUsages())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			words, ok := f.Value.(*choice)
			if !ok {
				return
			}
			for _, o := range words.options {
				plain := f.Name == "color" || f.Name == "findings" // the words need no description
				if !strings.Contains(text, o.name) || !plain && !strings.Contains(text, o.doc) {
					t.Errorf("%s: the help does not describe --%s %s", c.Name(), f.Name, o.name)
				}
			}
		})
	}
}

// TestLimitsInDocs checks that docs/rationale.md and the help of lint have the same size limits.
func TestLimitsInDocs(t *testing.T) {
	t.Parallel()
	if strconv.IntSize < 64 {
		t.Skip("the documentation has the limits of systems with 64 bits")
	}
	b, err := os.ReadFile("../../docs/rationale.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range inputLimits()[:2] {
		if !strings.Contains(string(b), l.name) {
			t.Errorf("docs/rationale.md does not have %s, the limit of the %s", l.name, l.doc)
		}
	}
}

// TestLimitsOfTexts checks that reading a text fails if the text is one byte longer than the limit in the help of lint,
// and that the error tells this limit.
func TestLimitsOfTexts(t *testing.T) {
	t.Parallel()
	read := func(file string) func([]byte) error {
		return func(b []byte) error { _, err := definition.Read(file, b, nil); return err }
	}
	for _, row := range []struct {
		doc, name string
		parse     func(text []byte) error
	}{
		{"size of a text that defines counters or their names", "a definition", read("a.yaml")},
		{"size of a text that defines counters or their names", "a manifest", read("a.man")},
		{"size of a text that defines counters or their names", "an .ini file", read("a.ini")},
		{"size of a text that defines counters or their names", "a header", read("a.h")},
		{"size of a text that defines counters or their names", "a .reg file", read("a.reg")},
		{"size of a text that defines counters or their names", "a title database", func(b []byte) error { _, err := titles.Read(b); return err }},
		{"size of a .perfblock.yaml", "a configuration", func(b []byte) error { _, err := config.Parse(config.FileName, b); return err }},
		{"size of a list of suppressions", "a list", func(b []byte) error { _, err := suppression.Parse("list.yaml", b); return err }},
	} {
		i := slices.IndexFunc(inputLimits(), func(o option) bool { return o.doc == row.doc })
		if i < 0 {
			t.Fatalf("the help does not name a limit for the %s", row.doc)
		}
		limit := inputLimits()[i].name
		mebibytes, err := strconv.Atoi(strings.TrimSuffix(limit, " MiB"))
		if err != nil {
			t.Fatal(err)
		}
		err = row.parse(bytes.Repeat([]byte(" "), mebibytes<<20+1))
		if err == nil || !strings.Contains(err.Error(), limit) && !strings.Contains(err.Error(), fmt.Sprint(mebibytes<<20)) {
			t.Errorf("%s with 1 byte more than %s: error %v, want an error with the limit", row.name, limit, err)
		}
	}
}
