package main

import (
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
