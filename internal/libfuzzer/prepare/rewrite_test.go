package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestRewriteFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text, want string
		targets         []string
	}{
		{
			"a target, with its seeds and its comments",
			"package a_test\n\nimport \"testing\"\n\n// A word.\nfunc FuzzA(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) {})\n}\n",
			"package a_test\n\nimport (\n\t\"m/libfuzzer\"\n)\n\n// A word.\nfunc FuzzA(f *libfuzzer.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *libfuzzer.T, n int) {})\n}\n",
			[]string{"FuzzA"},
		},
		{
			"what both have stays as it is",
			"package a\n\nimport \"testing\"\n\nfunc helper(t testing.TB) {}\n\nfunc TestA(t *testing.T) { helper(t) }\n",
			"package a\n\nimport (\n\t\"m/libfuzzer\"\n\t\"testing\"\n)\n\nfunc helper(t testing.TB) {}\n\nfunc TestA(t *libfuzzer.T) { helper(t) }\n",
			nil,
		},
		{
			"any letter but a small one, and none",
			"package a\n\nimport \"testing\"\n\nfunc Fuzz_x(f *testing.F) {}\n\nfunc Fuzz2(f *testing.F) {}\n\nfunc FuzzÄ(f *testing.F) {}\n\nfunc Fuzzä(f *testing.F) {}\n",
			"package a\n\nimport (\n\t\"m/libfuzzer\"\n)\n\nfunc Fuzz_x(f *libfuzzer.F) {}\n\nfunc Fuzz2(f *libfuzzer.F) {}\n\nfunc FuzzÄ(f *libfuzzer.F) {}\n\nfunc Fuzzä(f *libfuzzer.F) {}\n",
			[]string{"Fuzz_x", "Fuzz2", "FuzzÄ"},
		},
		{"a file that tests nothing", "package a\n\nvar x = 1\n", "package a\n\nvar x = 1\n", nil},
		{
			"functions that go test takes for no target",
			"package a\n\nimport \"testing\"\n\nfunc Fuzzy(f *testing.F) {}\n\nfunc FuzzB(t *testing.T) {}\n\nfunc (x) FuzzC(f *testing.F) {}\n\nfunc Fuzz(f *testing.F) {}\n",
			"package a\n\nimport (\n\t\"m/libfuzzer\"\n)\n\nfunc Fuzzy(f *libfuzzer.F) {}\n\nfunc FuzzB(t *libfuzzer.T) {}\n\nfunc (x) FuzzC(f *libfuzzer.F) {}\n\nfunc Fuzz(f *libfuzzer.F) {}\n",
			[]string{"Fuzz"},
		},
	} {
		path := filepath.Join(t.TempDir(), "a_test.go")
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, targets, err := rewriteFile(path, "m/libfuzzer")
		if err != nil || string(got) != tt.want || !slices.Equal(targets, tt.targets) {
			t.Errorf("%s: %v, %v\n%s", tt.why, targets, err, got)
		}
	}
}

// What is prepared loses its tests, so that only a copy is.
func TestOnlyACopyIsPrepared(t *testing.T) {
	t.Parallel()
	for why, of := range map[string]string{"a checkout": ".", "a folder in one": "a"} {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, "a"), 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			".git":        "",
			"go.mod":      "module m\n\ngo 1.26\n",
			"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc FuzzA(f *testing.F) {}\n",
		} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := prepare(filepath.Join(root, of), "tool", io.Discard); err == nil {
			t.Errorf("%s is prepared", why)
		}
		if _, err := os.Stat(filepath.Join(root, "a", "a_test.go")); err != nil {
			t.Errorf("%s: %v", why, err)
		}
	}
}
