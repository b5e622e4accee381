package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/suppression"
	"github.com/perfblock/perfblock/validate/config"
)

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
	blanks := bytes.Repeat([]byte(" "), 32<<20+1) // longer than every limit
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
		err = row.parse(blanks[:mebibytes<<20+1])
		if err == nil || !strings.Contains(err.Error(), limit) && !strings.Contains(err.Error(), fmt.Sprint(mebibytes<<20)) {
			t.Errorf("%s with 1 byte more than %s: error %v, want an error with the limit", row.name, limit, err)
		}
	}
}
