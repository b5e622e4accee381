package validate

import (
	"bytes"
	"strings"
	"testing"
)

// eightOf packs eight characters of ASCII as UTF-16 has them.
func eightOf(text string) uint64 {
	var wide [16]byte
	for i := range text {
		wide[2*i] = text[i]
	}
	return packed(le.Uint64(wide[:]), le.Uint64(wide[8:]))
}

// TestEightLetters has every character of ASCII at each of the eight places.
func TestEightLetters(t *testing.T) {
	t.Parallel()
	for place := range 8 {
		for c := range byte(0x80) {
			text := []byte("aZ09 ~{x")
			text[place] = c
			eight := eightOf(string(text))
			minds := c < ' ' || strings.IndexByte(`\()/*#`, c) >= 0
			if got := special(eight) != 0; got != minds {
				t.Errorf("special: %q: %v, want %v", text, got, minds)
			}
			if got, want := usual(eight) != 0, minds || c > ' ' && c < '0'; got != want {
				t.Errorf("usual: %q: %v, want %v", text, got, want)
			}
			if got, want := capitals(eight), eightOf(string(bytes.ToUpper(text))); got != want {
				t.Errorf("capitals of %q: %x, want %x", text, got, want)
			}
		}
	}
}

// TestTails has each byte of the three words in which a name ends, for each length.
func TestTails(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 8; n++ {
		tail := tails[n]
		inside := (2*n + 2 + 7) / 8 * 8 // bytes of the instance: the name, its terminator and padding
		masks := [2][3]uint64{{tail.a, tail.b, 0}, {tail.zeroA, tail.zeroB, tail.zeroC}}
		for at := range 24 {
			name, zero := at < 2*n, at >= 2*n && at < inside
			for i, want := range []bool{name, zero} {
				if got := masks[i][at/8] >> (at % 8 * 8) & 0xFF; got != map[bool]uint64{true: 0xFF}[want] {
					t.Errorf("%d letters, byte %d: mask %d has %x, want %v", n, at, i, got, want)
				}
			}
		}
		text := strings.Repeat("b", n-1) + "c"
		if got, want := eightOf(text)|tail.fill, eightOf((text + "AAAAAAA")[:8]); got != want {
			t.Errorf("%d letters are filled to %x, want %x", n, got, want)
		}
		if got := byte(eightOf(text) >> tail.last); got != 'c' {
			t.Errorf("the last of %d letters is taken for %q", n, got)
		}
	}
}
