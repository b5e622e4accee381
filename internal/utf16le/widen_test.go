package utf16le_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

// TestWiden puts a NUL or a non-ASCII character at each position of texts of every length. Widen must write the
// same bytes as AppendUTF16, and no other bytes.
func TestWiden(t *testing.T) {
	t.Parallel()
	const letters = "\x01 !09AZ~\x7fabcdefghijklmnopqrstuvwxyz 0123456789"
	for n := range len(letters) + 1 {
		for at := range n + 1 {
			for _, odd := range []string{"", "\x00", "\x80", "ÿ", "\xff", "日"} {
				text := letters[:at] + odd + letters[at:n]
				dst := bytes.Repeat([]byte{0xEE}, 2*len(text)+4)
				got := utf16le.Widen(dst[:2*len(text)], text)
				least, most := max(0, at-15), at
				if odd == "" {
					least, most = n, n
				}
				if got < least || got > most {
					t.Fatalf("%q: %d characters, want %d to %d", text, got, least, most)
				}
				want, err := layout.AppendUTF16(nil, text[:got])
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(dst[:2*got], want) || bytes.Count(dst[2*got:], []byte{0xEE}) != len(dst)-2*got {
					t.Fatalf("%q: % x, want % x and then nothing written", text, dst, want)
				}
			}
		}
	}
}

func TestWidenWantsRoom(t *testing.T) {
	t.Parallel()
	for n := 1; n < 20; n++ {
		if !panics(func() { utf16le.Widen(make([]byte, 2*n-1), strings.Repeat("x", n)) }) {
			t.Errorf("%d characters into %d bytes", n, 2*n-1)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
