package armor_test

import (
	"bytes"
	"errors"
	"go/format"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/fixture"
)

func input(t *testing.T, name string) armor.Input {
	t.Helper()
	in, err := armor.InputNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func write(t testing.TB, format, name string, b []byte) string {
	t.Helper()
	f, err := armor.FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Write(&out, name, b); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fixtures returns the blocks that testdata has dumps of.
func fixtures(t testing.TB) []fixture.Block {
	t.Helper()
	blocks, err := fixture.Blocks("../../testdata/specs")
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

func dumps(t testing.TB) (texts [][]byte) {
	t.Helper()
	if err := filepath.WalkDir("../../testdata/golden", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}

// roundTrips are the inputs that read what each format writes. Base64 may be hex as well,
// and any text may be bytes: these two have to be named.
var roundTrips = []struct{ format, input string }{
	{"binary", "raw"}, {"hex", "hex"}, {"hex", "auto"}, {"base64", "base64"}, {"c", "hex"}, {"c", "auto"}, {"go", "hex"}, {"go", "auto"},
}

func FuzzRoundTrip(f *testing.F) {
	add := func(b []byte) {
		for i := range roundTrips {
			f.Add(b, uint8(i))
		}
	}
	for _, s := range []string{"\x00", "P\x00E\x00R\x00F\x00 and more than sixteen bytes", "\xff\xfe", strings.Repeat("57 bytes are a line of base64 ", 4)} {
		add([]byte(s))
	}
	for _, x := range fixtures(f) {
		if len(x.Bytes) <= 512 { // a longer one is more of the same lines
			add(x.Bytes)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, i uint8) {
		if len(b) == 0 {
			return // no text stands for no bytes: a cut-off file must not pass for one
		}
		pair := roundTrips[int(i)%len(roundTrips)]
		text := write(t, pair.format, "block", b)
		got, _, err := input(t, pair.input).Decode([]byte(text))
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s read as %s: % x, %v of\n%s", pair.format, pair.input, got, err, text)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, tt := range decodings {
		f.Add([]byte(tt.text))
	}
	for _, x := range fixtures(f) {
		for _, format := range armor.Formats() {
			f.Add([]byte(write(f, format.Name, "block", x.Bytes)))
		}
	}
	for _, text := range dumps(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, in := range armor.Inputs() {
			b, as, err := in.Decode(text)
			var place *armor.PlaceError
			switch {
			case err != nil && !errors.As(err, &place):
				t.Errorf("%s: %v has no place", in.Name, err)
			case err != nil && (place.Line < 1 || place.Col < 1 || place.Line > bytes.Count(text, []byte("\n"))+1):
				t.Errorf("%s: %v is outside of the text", in.Name, err)
			case err == nil && len(b) > len(text):
				t.Errorf("%s as %s: %d bytes of %d", in.Name, as.Name, len(b), len(text))
			}
		}
	})
}

// A compiler is the judge of C, in both languages and with every warning.
func TestCompiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, cc := range [][]string{{"gcc", "-x", "c", "-std=c99"}, {"g++", "-x", "c++", "-std=c++11"}} {
		if _, err := exec.LookPath(cc[0]); err != nil {
			t.Logf("%s is not installed", cc[0])
			continue
		}
		for _, b := range []string{"", "x", strings.Repeat("\xff\x00", 100)} {
			file := filepath.Join(dir, "block.c")
			program := write(t, "c", "cpu_block", []byte(b)) + "char check[sizeof cpu_block >= cpu_block_len ? 1 : -1]; int f(void); int f(void) { return cpu_block[0]; }\n"
			if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
				t.Fatal(err)
			}
			args := append(cc[1:len(cc):len(cc)], "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", file)
			if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s\n%s", cc, err, out, program)
			}
		}
	}
}

func TestGofmtAgrees(t *testing.T) {
	t.Parallel()
	for _, b := range []string{"", "x", strings.Repeat("\xff\x00", 100)} {
		text := write(t, "go", "fixtures.Block", []byte(b))
		got, err := format.Source([]byte(text))
		if err != nil || string(got) != text {
			t.Errorf("gofmt makes of it, with %v\n%s", err, got)
		}
		if !strings.Contains(text, "package fixtures\n") {
			t.Errorf("it is of another package:\n%s", text)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		format, name string
		ok           bool
		reason       string
	}{
		{"c", "cpu", true, ""},
		{"c", "class", false, "C++ reserves it"},
		{"c", "range", true, "only Go reserves it"},
		{"c", "a.b", false, "C has no packages"},
		{"c", "a b", false, "two words"},
		{"c", "0a", false, "a digit first"},
		{"c", "é", false, "not every compiler takes it"},
		{"c", "", false, "no name"},
		{"c", "x[1]; int y", false, "it would be code"},
		{"go", "range", false, "a keyword"},
		{"go", "class", true, "only C++ reserves it"},
		{"go", "main.block", true, "of a command"},
		{"go", "block.main", false, "cannot be a variable in package main"},
		{"go", "a.b.c", false, "one package at the most"},
		{"go", ".b", false, "no package"},
		{"hex", "anything at all", true, "there is no name in it"},
	} {
		f, err := armor.FormatNamed(tt.format)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.CheckName(tt.name); (err == nil) != tt.ok {
			t.Errorf("%s: %q: got %v: %s", tt.format, tt.name, err, tt.reason)
		}
		if tt.name != "" && !tt.ok {
			if err := f.Write(io.Discard, tt.name, nil); err == nil {
				t.Errorf("%s: %q is written: %s", tt.format, tt.name, tt.reason)
			}
		}
	}
	for _, f := range armor.Formats() {
		for _, text := range []string{"", "process-300", "class", "range", "0", "_", "_x", "é", "init", "byte", "a--b", "block"} {
			if name := f.NameFor(text); f.CheckName(name) != nil {
				t.Errorf("%s: %q becomes %q, which is no name", f.Name, text, name)
			}
		}
	}
}
