package armor_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
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

// fixtures returns the blocks of testdata/specs.
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

// roundTrips has pairs of an output format and the --input that reads it.
var roundTrips = []struct{ format, input string }{
	// No pair has auto with base64, because base64 can look like hex. No pair has auto with binary, because binary
	// can look like text.
	{"binary", "raw"}, {"hex", "hex"}, {"hex", "auto"}, {"base64", "base64"}, {"c", "array"}, {"c", "auto"}, {"go", "array"}, {"go", "auto"},
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
		if len(x.Bytes) <= 512 { // the texts of longer blocks have no other kinds of lines
			add(x.Bytes)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, i uint8) {
		if len(b) == 0 {
			return // an empty text is an error, not a block without bytes
		}
		pair := roundTrips[int(i)%len(roundTrips)]
		text := write(t, pair.format, "block", b)
		got, _, err := input(t, pair.input).Decode([]byte(text))
		if err != nil || len(got) != 1 || !bytes.Equal(got[0].Bytes, b) {
			t.Errorf("%s read as %s: %v, %v of\n%s", pair.format, pair.input, got, err, text)
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
		_, chosen, autoErr := input(t, "auto").Decode(text)
		for _, in := range armor.Inputs() {
			blocks, as, err := in.Decode(text)
			n := 0
			for _, b := range blocks {
				n += len(b.Bytes)
			}
			var place *armor.PlaceError
			switch {
			case err != nil && !errors.As(err, &place):
				t.Errorf("%s: %v has no place", in.Name, err)
			case err != nil && (place.Line < 1 || place.Col < 1 || place.Line > bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r"))+1):
				t.Errorf("%s: %v is outside the text", in.Name, err)
			case err == nil && (n > len(text) || len(blocks) == 0):
				t.Errorf("%s as %s: %d bytes from %d", in.Name, as.Name, n, len(text))
			case err == nil && in.Name != "raw" && errors.Is(autoErr, armor.ErrNoForm):
				t.Errorf("%s reads the text, but auto returns %v", in.Name, autoErr)
			case err != nil && in.Name == chosen.Name && autoErr == nil:
				t.Errorf("auto chooses %s, which returns %v", in.Name, err)
			}
		}
	})
}
