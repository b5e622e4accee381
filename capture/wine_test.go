package capture_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/internal/wine"
	"github.com/perfblock/perfblock/layout"
)

// TestWine captures a block of a provider under Wine, and compares this block with a block that a consumer in C reads.
// Only the times may differ.
func TestWine(t *testing.T) {
	t.Parallel()
	w := wine.New(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	windows := func(path string) string { return "Z:" + strings.ReplaceAll(path, "/", `\`) }
	run := func(name string, args ...string) {
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	const cc = "x86_64-w64-mingw32-gcc"
	run(cc, "-shared", "-o", in("provider.dll"), "testdata/provider.c")
	run(cc, "-o", in("consumer.exe"), "testdata/consumer.c", "-ladvapi32")
	wine.Compile(t, "amd64", "../cmd/perfblock", in("perfblock.exe"), "build")
	reg, err := os.ReadFile("testdata/provider.reg")
	if err != nil {
		t.Fatal(err)
	}
	reg = bytes.ReplaceAll(reg, []byte("PROVIDER"), []byte(strings.ReplaceAll(windows(in("provider.dll")), `\`, `\\`)))
	if err := os.WriteFile(in("provider.reg"), reg, 0o666); err != nil {
		t.Fatal(err)
	}
	w.Run(t, "reg", "import", windows(in("provider.reg")))
	w.Run(t, in("consumer.exe"), windows(in("consumer.bin")))
	w.RunGo(t, in("perfblock.exe"), "capture", "Global", "5000", "--count", "2", "--interval", "10ms", "-o", windows(in("capture.zip")))
	w.RunGo(t, in("perfblock.exe"), "capture", "--anonymise", "-o", windows(in("public.zip")))

	want, err := os.ReadFile(in("consumer.bin"))
	if err != nil {
		t.Fatal(err)
	}
	bundle := bundleIn(t, in("capture.zip"))
	var names []string
	for _, m := range bundle.Members {
		names = append(names, m.Name)
		if m.Sample > 0 {
			if diff := cmp.Diff(lasting(want), lasting(m.Bytes)); diff != "" {
				t.Errorf("%s (-consumer +capture)\n%s", m.Name, diff)
			}
		}
	}
	if diff := cmp.Diff([]string{
		"titles/Counter 009.bin", "titles/Help 009.bin", "v1/0001-1.data-block.bin", "v1/0001-2.data-block.bin", "v1/0002-1.data-block.bin", "v1/0002-2.data-block.bin",
	}, names); diff != "" {
		t.Errorf("members (-want +got)\n%s\nnotes %q", diff, bundle.Notes)
	}
	if text := strings.Join(lasting(want), " "); !strings.Contains(text, "\x11\x00\x00\x00") || !strings.Contains(text, "o\x00r\x00d\x00e\x00r\x00s") {
		t.Errorf("the block has no values of the provider: %q", text)
	}

	public := bundleIn(t, in("public.zip"))
	last := public.Members[len(public.Members)-1].Bytes
	if bytes.Contains(last, []byte("o\x00r\x00d\x00e\x00r\x00s")) || public.Anonymised == nil || public.Anonymised.Instances != 1 || public.Computer != "" {
		t.Errorf("%+v, computer %q: % x", public.Anonymised, public.Computer, last)
	}
}

func bundleIn(t *testing.T, path string) *capture.Bundle {
	t.Helper()
	contents, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := capture.Read(contents)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// lasting returns the parts of a data block except the times, because two calls return different times.
func lasting(b []byte) (parts []string) {
	for p := range layout.Walk(layout.DataBlockKind, b) {
		path := p.Path.String()
		if strings.HasPrefix(path, "SystemTime") || strings.HasPrefix(path, "PerfTime") {
			continue
		}
		parts = append(parts, path+"="+string(p.Bytes()))
	}
	return parts
}
