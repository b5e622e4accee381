package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// What gen breaks lint sees, with the flags that gen names and no others, and
// without them it does not: of every rule.
func TestLintSeesWhatIsBroken(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				b, err := fuzz.Break(r.Name, fuzz.Seed(seed), fuzz.Config{})
				if err != nil {
					t.Fatal(err)
				}
				flags := lintFlags(b)
				if !strings.Contains(lintedWith(t, b, flags), `"name":"`+r.Name+`"`) {
					t.Errorf("seed %d: lint does not see it with %q", seed, flags)
				}
				kind, err := kindOf(source{b: b.Block}, "", layout.V1Kinds())
				switch named := slices.Contains(flags, "--kind "+b.Kind.String()); {
				case named == (err == nil && kind == b.Kind):
					t.Errorf("seed %d: by itself it is a %v, %v, and the flags are %q", seed, kind, err, flags)
				case len(flags) > 0 && !named && strings.Contains(lintedWith(t, b, nil), `"name":"`+r.Name+`"`):
					t.Errorf("seed %d: lint sees it without %q", seed, flags)
				}
			}
		})
	}
}

// lintedWith returns what lint reports of a block, nothing if it cannot judge it.
func lintedWith(t *testing.T, b fuzz.Broken, flags []string) string {
	t.Helper()
	dir := t.TempDir()
	block, out := filepath.Join(dir, "block"), filepath.Join(dir, "out")
	if err := os.WriteFile(block, b.Block, 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"lint", block, "--input", "raw", "--no-config", "--fail-on", "never", "--format", "json", "-o", out}
	for _, flag := range flags { // as a shell would take them apart
		name, value, _ := strings.Cut(flag, " ")
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		args = append(args, name, value)
	}
	root := newRoot()
	root.SetArgs(args)
	if err := root.Execute(); err != nil && err != errFailed {
		t.Fatal(err)
	}
	report, _ := os.ReadFile(out) // which is not there if nothing was judged
	return string(report)
}
