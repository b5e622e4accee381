package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/validate"
)

// TestLintFindsBroken checks, for each rule, that lint finds the fault in a broken block with the flags that gen
// --break prints. Without these flags, lint must not find the fault. The test does not check this if gen prints --kind
// or no flags.
func TestLintFindsBroken(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(long.Count(1, 3)) {
				b, err := fuzz.Break(r.Name, fuzz.Seed(seed), fuzz.Config{})
				if errors.Is(err, fuzz.ErrNoBreaker) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(r.Kinds(), b.Kind) {
					t.Errorf("seed %d: the kind is %v, and the rule checks %v", seed, b.Kind, r.Kinds())
				}
				to := filepath.Join(t.TempDir(), "block")
				flags := lintFlags(b, to)
				if !strings.Contains(lintedWith(t, b, to, flags), `"name":"`+r.Name+`"`) {
					t.Errorf("seed %d: lint does not find the fault with %q", seed, flags)
				}
				kind, _, err := block.Source{Path: to, Bytes: b.Block}.Kind("")
				switch named := slices.Contains(flags, "--kind "+b.Kind.String()); {
				case named == (err == nil && kind == b.Kind):
					t.Errorf("seed %d: without flags the kind is %v, %v, and the flags are %q", seed, kind, err, flags)
				case len(flags) > 0 && !named && strings.Contains(lintedWith(t, b, to, nil), `"name":"`+r.Name+`"`):
					t.Errorf("seed %d: lint finds the fault without %q", seed, flags)
				}
			}
		})
	}
}

// TestBreakOfEveryKind checks that gen --break breaks each rule in a block of each kind that the rule checks. It skips
// a rule and kind if the error is ErrNoBreaker.
func TestBreakOfEveryKind(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		if len(r.Kinds()) == 0 && len(r.Forms) == 0 {
			t.Errorf("%s checks no kind", r.Name)
		}
		for _, k := range r.Kinds() {
			from := ruleBreaker{seed: 3, kind: k.String()}
			if b, err := from.breakRule(r); !errors.Is(err, fuzz.ErrNoBreaker) && (err != nil || b.Kind != k) {
				t.Errorf("%s: a %v, %v", r.Name, b.Kind, err)
			}
		}
	}
}

// lintedWith writes b to the file `block`, and returns the report of lint about this file. It returns "" if lint cannot
// validate the file.
func lintedWith(t *testing.T, b fuzz.Broken, block string, flags []string) string {
	t.Helper()
	for _, f := range append(contextFiles(b, block), contextFile{path: block, b: b.Block}) {
		if err := os.WriteFile(f.path, f.b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := block + ".json"
	args := []string{"lint", block, "--input", "raw", "--no-config", "--fail-on", "never", "--format", "json", "-o", out}
	for _, flag := range flags { // split into arguments as a shell does
		name, value, _ := strings.Cut(flag, " ")
		args = append(args, name, strings.Trim(value, `'"`)) // these values have no quotes inside
	}
	root := newRoot()
	root.SetArgs(args)
	if err := root.Execute(); err != nil && err != errFailed {
		t.Fatal(err)
	}
	report, _ := os.ReadFile(out) // missing if nothing was validated
	os.Remove(out)
	return string(report)
}
