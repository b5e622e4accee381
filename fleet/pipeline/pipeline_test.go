package pipeline

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	//lint:ignore SA1019 the runner prism, which replaces direct, takes minutes to compile: see the build tag prism
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/layout"
)

const files = 2000

// runner is the Beam runner of the tests. With the build tag prism, the tests use Prism, the default runner of the
// command.
var runner = "direct" // it uses no goroutines, and requires only a few packages of Beam

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

// TestLocal checks that the pipeline, on a local runner, writes the same records as the command.
func TestLocal(t *testing.T) {
	command := filepath.Join(t.TempDir(), "perfblock")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	if out, err := exec.Command("go", "-C", "../..", "build", "-o", command, "./cmd/perfblock").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Chdir(t.TempDir())
	paths := captures(t)
	list := strings.Join(paths, "\n")
	lint := exec.Command(command, "lint", "--no-config", "--files-from", "-", "--format", "jsonl", "--exit-zero")
	lint.Stdin = strings.NewReader(list)
	want, err := lint.Output()
	if err != nil {
		t.Fatal(err)
	}

	for _, text := range []string{
		`"input":"hex"`, `"input":"reg"`, `"detected":true`, `"kind":"query-data"`, `.zip!/a/b.bin"`, `"order":1`,
		`"record":"file"`, `"record":"finding"`, `"record":"unjudged"`, `"record":"skipped"`,
	} {
		if !bytes.Contains(want, []byte(text)) {
			t.Errorf("no record of the command has %s, so the test does not check it", text)
		}
	}

	twice := strings.Join(slices.Concat(paths, paths[:9], []string{""}), "\n")
	if err := os.WriteFile("manifest", []byte(twice), 0o666); err != nil {
		t.Fatal(err)
	}
	c := Config{Manifest: "manifest", Output: filepath.Join("out", "findings"), Input: armor.Inputs()[0].Name, Shards: 8}
	p, err := c.Pipeline()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := beam.Run(t.Context(), runner, p); err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob("out/findings-*-of-00008.jsonl")
	if err != nil || len(parts) != 8 {
		t.Fatalf("the shards are %q, error %v", parts, err)
	}
	var got []byte
	for _, part := range parts {
		got = append(got, read(t, part)...)
	}
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		t.Errorf("(-command +pipeline)\n%s", diff)
	}
	merged := func(file string, text []byte) []byte {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(command, "merge", file, "--format", "sarif", "--exit-zero").Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if !bytes.Equal(merged("command", want), merged("pipeline", got)) {
		t.Error("merged reports differ")
	}
	checkSummary(t, read(t, "out/findings-summary.jsonl"))
	if left, _ := filepath.Glob("out/*.partial"); left != nil {
		t.Errorf("files that are not complete: %q", left)
	}
}

// checkSummary checks the summary for the blocks of [captures]. It checks the number of findings of two rules in the
// blocks of HOST1.
func checkSummary(t *testing.T, text []byte) {
	t.Helper()
	sums := map[row]int{}
	for line := range bytes.Lines(text) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		n := r.Findings
		r.Findings = 0
		sums[r] += n
	}
	for _, r := range []row{
		{Rule: "PERF1105", Host: "HOST1"},                  // Version is in the header, so the finding has no provider
		{Rule: "PERF1410", Provider: "238", Host: "HOST1"}, // the name of an instance does not end with a NUL
	} {
		if want := files / 10 / 5; sums[r] != want {
			t.Errorf("%+v has %d findings, want %d", r, sums[r], want)
		}
	}
}

// captures writes blocks, and files that cannot be validated, and returns their paths. Half of the blocks have faults.
func captures(t *testing.T) (paths []string) {
	t.Helper()
	for i := range files {
		path := fmt.Sprintf("%d.bin", i)
		object := builder.NewObject(238).Counter(6, layout.PERF_100NSEC_TIMER_INV).Instance("a", uint64(i))
		data := builder.DataBlock{SystemName: fmt.Sprintf("HOST%d", i/10%5)}
		b, err := data.Add(object).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		switch i % 10 {
		case 0:
			b[layout.PERF_DATA_BLOCK.Field("Version").At] = 9
		case 1:
			copy(b[bytes.Index(b, []byte("a\x00\x00\x00")):], "a\x00b\x00") // overwrites the NUL at the end of the name
		case 2:
			path = fmt.Sprintf("\u202e <b>%d.bin", i)
			b = b[:i%len(b)]
		case 3:
			for at := range b { // hostile lengths and offsets
				b[at] ^= byte(i*31+at*at) & 0x81
			}
		case 4:
			path, b = form(t, i/10, b)
		case 5:
			b = [][]byte{nil, []byte("not a block"), {1, 2, 3}}[i/10%3]
		case 6:
			path = "gone" + path
		}
		if i%10 == 8 {
			path, b = other(t, i/10)
		}
		paths = append(paths, path)
		if i%10 == 6 {
			continue
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if i%10 == 7 && os.Geteuid() != 0 {
			if err := os.Chmod(path, 0); err != nil { // makes the file unreadable; root could still read it
				t.Fatal(err)
			}
		}
	}
	return paths
}

// form returns the block b as text or in an archive, and the path of the file. i selects the format.
func form(t *testing.T, i int, b []byte) (path string, contents []byte) {
	hex := fmt.Sprintf("% x", b)
	switch i % 5 {
	case 0:
		return fmt.Sprintf("%d.hex", i), []byte(hex)
	case 1:
		return fmt.Sprintf("utf16-%d.txt", i), utf16(hex)
	case 2: // a block, and a value that is not a block
		list := strings.ReplaceAll(hex, " ", ",")
		return fmt.Sprintf("%d.reg", i), []byte("Windows Registry Editor Version 5.00\n\n[HKEY_USERS\\A]\n\"Block\"=hex:" + list + "\n\"Other\"=hex:01,02,03\n")
	case 3:
		return fmt.Sprintf("broken%d.hex", i), []byte(hex[:len(hex)/2] + "xyz")
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, contents := range map[string][]byte{"a/b.bin": b, "c.hex": []byte(hex), "note.txt": []byte("a note")} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(contents); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d.zip", i), packed.Bytes()
}

// utf16 returns ASCII text in UTF-16, as PowerShell writes it.
func utf16(text string) []byte {
	b := []byte{0xff, 0xfe}
	for i := range len(text) {
		b = append(b, text[i], 0)
	}
	return b
}

// other returns a block and its path. i selects the kind of the block. If i is a multiple of 3, the file name has no
// kind, and readers must detect the kind from the bytes. Other file names contain the kind.
func other(t *testing.T, i int) (path string, b []byte) {
	kind := layout.Kinds()[i%len(layout.Kinds())]
	b, err := fuzz.Model(kind, fuzz.Seed(uint64(i)), fuzz.Config{}).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if i%3 == 0 {
		return fmt.Sprintf("other%d.bin", i), b
	}
	return fmt.Sprintf("%d.%v.bin", i, kind), b
}

func sorted(text []byte) []string { return slices.Sorted(strings.Lines(string(text))) }

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
