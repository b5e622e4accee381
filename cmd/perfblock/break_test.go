package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/validate"
)

// What gen breaks lint sees, with the flags that gen names and no others, and
// without them it does not: of every rule. It is of a kind that the rule is about.
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
				if !slices.Contains(r.Kinds(), b.Kind) {
					t.Errorf("seed %d: it is a %v, and the rule is about %v", seed, b.Kind, r.Kinds())
				}
				to := filepath.Join(t.TempDir(), "block")
				flags := lintFlags(b, to)
				if !strings.Contains(lintedWith(t, b, to, flags), `"name":"`+r.Name+`"`) {
					t.Errorf("seed %d: lint does not see it with %q", seed, flags)
				}
				kind, err := kindOf(source{path: to, b: b.Block}, "")
				switch named := slices.Contains(flags, "--kind "+b.Kind.String()); {
				case named == (err == nil && kind == b.Kind):
					t.Errorf("seed %d: by itself it is a %v, %v, and the flags are %q", seed, kind, err, flags)
				case len(flags) > 0 && !named && strings.Contains(lintedWith(t, b, to, nil), `"name":"`+r.Name+`"`):
					t.Errorf("seed %d: lint sees it without %q", seed, flags)
				}
			}
		})
	}
}

// A rule can be broken in each kind of block that it is about.
func TestBreakOfEveryKind(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		if len(r.Kinds()) == 0 {
			t.Errorf("%s is about no kind", r.Name)
		}
		for _, k := range r.Kinds() {
			c := genCommand{broken: ruleFlag{r}, seed: 3}
			c.kind.value = k.String()
			if b, err := c.breakOf(true); err != nil || b.Kind != k {
				t.Errorf("%s: a %v, %v", r.Name, b.Kind, err)
			}
		}
	}
}

// lintedWith returns what lint reports of a block at that path, nothing if it cannot
// judge it.
func lintedWith(t *testing.T, b fuzz.Broken, block string, flags []string) string {
	t.Helper()
	for _, f := range append(toldFiles(b, block), toldFile{path: block, b: b.Block}) {
		if err := os.WriteFile(f.path, f.b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := block + ".json"
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
	os.Remove(out)
	return string(report)
}
