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
