package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJSONPages builds the specs in docs/diff-json.md and docs/dump-json.md, and runs the command of each example. The
// page must show what the command prints.
func TestJSONPages(t *testing.T) {
	t.Parallel()
	for page, blocks := range map[string][]string{"diff-json.md": {"a", "b"}, "dump-json.md": {"block"}} {
		file, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(file), "\r\n", "\n")
		command := regexp.MustCompile("`perfblock ([^`]+)`\\s+prints").FindStringSubmatch(text)
		specs, shown := fenced(text, "yaml"), fenced(text, "json")
		if command == nil || len(specs) != len(blocks) || len(shown) != 1 {
			t.Fatalf("%s: command %q, %d specs, %d samples of JSON", page, command, len(specs), len(shown))
		}
		dir := t.TempDir()
		for i, name := range blocks {
			if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(specs[i]), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := printed(t, dir, "build", name+".yaml", "-o", name+".bin"); err != nil {
				t.Fatal(err)
			}
		}
		got, err := printed(t, dir, strings.Fields(command[1])...)
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 {
			t.Errorf("%s: %v, want the exit status 1", page, err)
		}
		if d := cmp.Diff(shown[0], elided(got, shown[0])); d != "" {
			t.Errorf("%s (-page +command):\n%s", page, d)
		}
	}
}

// fenced returns those code blocks of a page that have the given language, such as yaml.
func fenced(page, language string) (samples []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		samples = append(samples, m[1])
	}
	return samples
}

// printed returns what perfblock prints to standard output in the folder dir.
func printed(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "perfblock", args...)
	cmd.Dir = dir
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	err := cmd.Run()
	return stdout.String(), err
}

// elided leaves out lines of text where the sample has a line "…", and writes "…" in their place.
func elided(text, sample string) string {
	rest := text
	var b strings.Builder
	for i, part := range strings.Split(sample, "…\n") {
		before, after, found := strings.Cut(rest, part)
		if !found || i == 0 && before != "" {
			return b.String() + rest
		}
		if i > 0 {
			b.WriteString("…\n")
		}
		b.WriteString(part)
		rest = after
	}
	return b.String() + rest
}
