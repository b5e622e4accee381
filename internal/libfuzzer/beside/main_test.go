package beside

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/libfuzzer"
)

func TestWrite(t *testing.T) { // not parallel: a target's body runs in its folder
	root, out := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"binary.dict":                        `"PERF"`,
		"text.dict":                          `"objects: "`,
		"fuzz/testdata/fuzz/FuzzA/kept":      "go test fuzz v1\nuint8(2)\n[]byte(\"kept\")\n",
		"fuzz/testdata/fuzz/FuzzOther/alien": "go test fuzz v1\nint(2)\n",
		"spec/empty":                         "",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	target := Target{"FuzzA", func(f *libfuzzer.F) {
		f.Add(uint8(1), []byte("seed"))
		f.Add(uint8(1), []byte("seed"))
		f.Fuzz(func(*libfuzzer.T, uint8, []byte) {})
	}}
	for _, tt := range []struct {
		folder, words string
		inputs        []string
	}{
		{"fuzz", `"PERF"`, []string{"\x01seed", "\x02kept"}},
		{"spec", `"objects: "`, []string{"\x01seed"}},
	} {
		path := filepath.Join(out, tt.folder+"_FuzzA")
		if err := write(root, tt.folder, target, path); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path+".dict"); string(got) != tt.words {
			t.Errorf("%s has the words %s", tt.folder, got)
		}
		if got := read(t, path+".options"); string(got) != "[libfuzzer]\nmax_len = 4096\n" {
			t.Errorf("%s has the options %q", tt.folder, got)
		}
		archive := read(t, path+"_seed_corpus.zip")
		if got := unzipped(t, archive); !slices.Equal(got, tt.inputs) {
			t.Errorf("%s has the seeds %q, not %q", tt.folder, got, tt.inputs)
		}
		if err := write(root, tt.folder, target, path); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read(t, path+"_seed_corpus.zip"), archive) {
			t.Errorf("%s has another archive of the same seeds", tt.folder)
		}
	}
	if err := write(root, "fuzz", Target{"FuzzOther", target.Body}, filepath.Join(out, "x")); err == nil {
		t.Error("arguments that the target does not take are kept for it")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unzipped are an archive's files, in the order of their bytes.
func unzipped(t *testing.T, archive []byte) []string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]bool{}
	for _, f := range r.File {
		file, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(file)
		if err != nil || inputs[string(b)] {
			t.Fatalf("%q is there twice, or: %v", b, err)
		}
		inputs[string(b)] = true
	}
	return slices.Sorted(maps.Keys(inputs))
}

func TestZipped(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seeds.zip")
	if err := zipped(path, [][]byte{[]byte("b"), {}, []byte("a"), []byte("b")}); err != nil {
		t.Fatal(err)
	}
	if got := unzipped(t, read(t, path)); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
}
