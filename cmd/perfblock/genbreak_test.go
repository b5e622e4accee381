package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/validate"
)

// TestBreakAll lints the blocks of gen --break all. Lint must report the findings that the manifest lists.
func TestBreakAll(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason string
		args   []string
		blocks int // the smallest number of blocks that gen must make
	}{
		{"generated blocks", []string{"--seed", "5"}, 240},
		{"a workload", []string{"--workload", "cpu"}, 100},
		{"query data", []string{"../../testdata/specs/perflib/answers.yaml"}, 50},
		{"objects", []string{"--workload", "tiny", "--kind", "objects"}, 40},
	} {
		t.Run(row.reason, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			runCommand(t, slices.Concat([]string{"gen", "--break", "all", "-o", folder}, row.args)...)
			var m faultManifest
			text, err := os.ReadFile(filepath.Join(folder, manifestFile))
			if err == nil {
				err = json.Unmarshal(text, &m)
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Blocks) < row.blocks {
				t.Errorf("%d blocks, want at least %d", len(m.Blocks), row.blocks)
			}
			rules := map[string]bool{}
			alike := map[string][]*faultBlock{} // by their flags
			for i := range m.Blocks {
				b := &m.Blocks[i]
				rules[b.Name] = true
				alike[strings.Join(b.Flags, " ")] = append(alike[strings.Join(b.Flags, " ")], b)
			}
			for _, blocks := range alike {
				lintAlike(t, folder, blocks)
			}
			for _, without := range m.Without {
				rules[without.Name] = true
				if _, err := fuzz.Break(without.Name, fuzz.Seed(0), fuzz.Config{}); err == nil && row.args[0] == "--seed" {
					t.Errorf("%s has a breaker and no block: %s", without.Name, without.Reason)
				}
			}
			for _, r := range validate.Rules() {
				if !rules[r.Name] {
					t.Errorf("the manifest does not have %s", r.Name)
				}
			}
		})
	}
}

// lintAlike lints blocks that need the same flags.
func lintAlike(t *testing.T, folder string, blocks []*faultBlock) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report.json")
	args := []string{"lint", "--no-config", "--fail-on", "never", "--format", "json", "-o", out}
	for i, arg := range blocks[0].Flags {
		if i%2 == 1 && (blocks[0].Flags[i-1] == "--identifiers" || blocks[0].Flags[i-1] == "--reginfo") {
			arg = filepath.Join(folder, arg)
		}
		args = append(args, arg)
	}
	for _, b := range blocks {
		args = append(args, filepath.Join(folder, b.File))
	}
	root := newRoot()
	root.SetArgs(args)
	if err := root.Execute(); err != nil && err != errFailed {
		t.Fatalf("perfblock %q: %v", args, err)
	}
	var report struct{ Files []lintedFile }
	text, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err != nil || len(report.Files) != len(blocks) {
		t.Fatalf("perfblock %q: %d files in the report, want %d, %v", args, len(report.Files), len(blocks), err)
	}
	for i, b := range blocks {
		b.check(t, &report.Files[i])
	}
}

// A lintedFile is a block in the JSON of lint.
type lintedFile struct {
	Kind     string
	Findings []struct{ Name, Path string }
}

// check compares the findings of lint with the findings in the manifest.
func (b *faultBlock) check(t *testing.T, linted *lintedFile) {
	t.Helper()
	if linted.Kind != b.Kind {
		t.Errorf("%s: lint takes the block for %s, the manifest has %s", b.Name, linted.Kind, b.Kind)
	}
	type place struct{ rule, path string }
	got, broken := map[place]bool{}, map[string]bool{}
	for _, f := range linted.Findings {
		got[place{f.Name, f.Path}] = true
	}
	for _, f := range b.Findings {
		if p := (place{f.Name, f.Path}); !got[p] {
			t.Errorf("%s: lint does not find %v", b.Name, p)
		}
		broken[f.Name] = true
		delete(got, place{f.Name, f.Path})
	}
	for p := range got {
		if !slices.Contains(b.Before, p.rule) { // Before has the rules that the original block breaks
			t.Errorf("%s: lint finds %v, which the manifest does not have", b.Name, p)
		}
	}
	if want := append([]string{b.Name}, b.Also...); !slices.Equal(slices.Sorted(maps.Keys(broken)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the findings are of %v, want %q", broken, want)
	}
}
