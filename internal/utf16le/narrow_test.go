package utf16le_test

import (
	"bytes"
	"testing"

	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

// TestNarrow puts a NUL or a code unit that is not ASCII at every position of texts of every length.
func TestNarrow(t *testing.T) {
	t.Parallel()
	const letters = "\x01 !09AZ~\x7fabcdefghijklmnop"
	for n := range len(letters) + 1 {
		for at := range n + 1 {
			for _, odd := range []string{"", "\x00\x00", "\x80\x00", "\xff\x00", "\x00\x01", "a\x01", "\x00\x80", "\x00\xd8", "\xff\xff", "a"} {
				before, err := layout.AppendUTF16(nil, letters[:at])
				if err != nil {
					t.Fatal(err)
				}
				after, err := layout.AppendUTF16(nil, letters[at:n])
				if err != nil {
					t.Fatal(err)
				}
				text := append(append(before, odd...), after...)
				least, most := max(0, at-3), at
				if odd == "" {
					least, most = n, n
				}
				if odd == "a" { // half a code unit moves all bytes after it
					text = append(before, odd...)
				}
				dst, got := utf16le.Narrow([]byte("dst"), text)
				if got < least || got > most {
					t.Fatalf("% x: %d characters, must be %d to %d", text, got, least, most)
				}
				if want := append([]byte("dst"), letters[:got]...); !bytes.Equal(dst, want) {
					t.Fatalf("% x: %q, must be %q", text, dst, want)
				}
			}
		}
	}
}

// TestAppendUTF8 compares AppendUTF8 with layout.DecodeUTF16, which also returns an error for text that is not valid.
func TestAppendUTF8(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "a\x00", "\x00\x00", "a\x00b\x00c\x00d\x00e\x00", "\xe9\x00", "\x00\xd8\x00\xdc", "a\x00b\x00c\x00d\x00\x3d\xd8\x00\xde",
		"a", "a\x00b", "\x00\xd8", "\x00\xd8a\x00", "\x00\xdc", "\x00\xd8\x00\xd8", "\x00\xd8\x00",
	} {
		want, err := layout.DecodeUTF16([]byte(text))
		got, valid := utf16le.AppendUTF8([]byte("dst"), []byte(text))
		if valid != (err == nil) || valid && string(got) != "dst"+want {
			t.Errorf("% x: %q, %v, must be %q, %v", text, got, valid, "dst"+want, err)
		}
	}
}
