// Package samples holds nothing but the test that what the documents show is so.
package samples

import (
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate/config"
)

const root = "../.."

// documents hold samples: Go that is run, tested or vetted, specs that are built,
// configurations that are read, commands
// that are run with what they print.
var documents = []string{"README.md", "docs/tutorial-fixtures.md", "docs/tutorial-lint.md", "docs/tutorial-provider.md", "docs/tutorial-query.md", "docs/fuzzing.md"}

// A sample is a fenced block of a document.
type sample struct {
	line     int
	language string
	text     string
	file     string // from "Write `NAME`:" before it
	output   string // the text block behind it
}

func samples(t *testing.T, document string) (list []sample) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("(?m)^Write `([^`]+)`:\n*\\z")
	text := strings.ReplaceAll(string(b), "\r\n", "\n")
	for at := 0; ; {
		fence := regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$").FindStringSubmatchIndex(text[at:])
		if fence == nil {
			return list
		}
		s := sample{line: 1 + strings.Count(text[:at+fence[0]], "\n"), language: text[at+fence[2] : at+fence[3]], text: text[at+fence[4] : at+fence[5]]}
		if m := named.FindStringSubmatch(text[at : at+fence[0]]); m != nil {
			s.file = m[1]
		}
		if s.language == "text" && len(list) > 0 {
			list[len(list)-1].output = s.text
		} else {
			list = append(list, s)
		}
		at += fence[1]
	}
}

func TestSamples(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	if err := os.CopyFS(filepath.Join(work, "testdata"), os.DirFS(filepath.Join(root, "testdata"))); err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(work, "perfblock")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	run(t, root, "go", "build", "-o", command, "./cmd/perfblock")
	for _, document := range documents {
		dir := t.TempDir()
		var files []string // of the document's package
		for _, s := range samples(t, document) {
			switch s.language {
			case "go":
				if b, err := format.Source([]byte(s.text)); err != nil || string(b) != s.text {
					t.Errorf("%s:%d: gofmt makes of it, %v:\n%s", document, s.line, err, b)
				}
				if s.file == "" {
					goSample(t, document, s)
				} else {
					files = append(files, goFile(t, document, s, dir, files))
				}
			case "yaml":
				yamlSample(t, document, s, work)
			case "console":
				consoleSample(t, document, s, work, command)
			default:
				t.Errorf("%s:%d: nobody tests samples of %q", document, s.line, s.language)
			}
		}
	}
}

// run returns what a command prints; it must succeed.
func run(t *testing.T, dir string, command string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), command, args...)
	c.Dir = dir
	b, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", command, strings.Join(args, " "), err, b)
	}
	return string(b)
}

// fragment makes a program of a few lines.
const fragment = `package main

import (
	"fmt"
	"log"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func main() {
%s}
`

func goSample(t *testing.T, document string, s sample) {
	t.Helper()
	if !strings.HasPrefix(s.text, "package ") {
		s.text = fmt.Sprintf(fragment, s.text)
	}
	file := filepath.Join(t.TempDir(), "sample.go")
	verb := "run"
	if strings.HasPrefix(s.text, "package reader_test") {
		file, verb = strings.TrimSuffix(file, ".go")+"_test.go", "vet"
	}
	if err := os.WriteFile(file, []byte(s.text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(t, root, "go", verb, file); s.output != "" && got != s.output {
		t.Errorf("%s:%d: the sample prints\n%s", document, s.line, got)
	}
}

// goFile writes a named sample beside those before it, which it makes one package
// with, and returns its path. A file of tests is run, with its examples.
func goFile(t *testing.T, document string, s sample, dir string, before []string) string {
	t.Helper()
	file := filepath.Join(dir, s.file)
	if err := os.WriteFile(file, []byte(s.text), 0o644); err != nil {
		t.Fatal(err)
	}
	verb := "vet"
	if strings.HasSuffix(file, "_test.go") {
		verb = "test"
	}
	t.Logf("%s:%d: go %s\n%s", document, s.line, verb, run(t, root, "go", slices.Concat([]string{verb}, before, []string{file})...))
	return file
}

func yamlSample(t *testing.T, document string, s sample, work string) {
	t.Helper()
	var err error
	if s.file == config.FileName {
		_, err = config.Parse(document, []byte(s.text))
	} else {
		var parsed *spec.Spec
		if parsed, err = spec.Parse(document, []byte(s.text)); err == nil {
			_, err = parsed.Build()
		}
	}
	if err != nil {
		t.Errorf("%s:%d: %v", document, s.line, err)
	}
	if s.file != "" {
		if err := os.WriteFile(filepath.Join(work, s.file), []byte(s.text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// consoleSample runs each command and compares what it prints, to a line of "…"
// that stands for anything. One that shows nothing must succeed and say nothing.
func consoleSample(t *testing.T, document string, s sample, work, command string) {
	t.Helper()
	for part := range strings.SplitSeq(strings.TrimPrefix(s.text, "$ "), "\n$ ") {
		line, want, _ := strings.Cut(part, "\n")
		args := strings.Fields(line)
		if args[0] != "perfblock" {
			t.Errorf("%s:%d: nobody runs %q", document, s.line, line)
			continue
		}
		c := exec.CommandContext(t.Context(), command, args[1:]...)
		c.Dir = work
		b, err := c.CombinedOutput()
		got := strings.TrimSpace(string(b))
		want, open := strings.CutSuffix(strings.TrimSpace(want), "…")
		if want = strings.TrimSpace(want); got != want && !(open && strings.HasPrefix(got, want)) {
			t.Errorf("%s:%d: %s prints\n%s", document, s.line, line, got)
		}
		if err != nil && want == "" {
			t.Errorf("%s:%d: %s: %v", document, s.line, line, err)
		}
	}
}
