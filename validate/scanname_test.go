package validate

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestPlainNames compares pass.plainNames with a check of each character, for random names with one
// odd character.
func TestPlainNames(t *testing.T) {
	t.Parallel()
	var p pass
	p.names.reset(0)
	s := &p.names.seed
	r := rand.New(rand.NewPCG(4, 5))
	odd := []uint16{0, 1, 0x1F, ' ', '!', '"', '#', '$', '&', '(', ')', '*', '+', '.', '/', '0', '9', '@', 'A', 'Z', '[', '\\', ']', '_', '`', 'a', 'z', '{', 0x7F, 0x80, 0xFF, 0xE9, 0x100, 0x120, 0x161, 0x8000, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF}
	count := 0
	for n := 1; n <= 64; n++ {
		for range 400 {
			units := make([]uint16, n)
			for i := range units {
				units[i] = uint16("abcXYZ 019"[r.IntN(10)])
			}
			units[r.IntN(n)] = odd[r.IntN(len(odd))]
			plain := units[0] != ' ' && units[n-1] != ' '
			b := make([]byte, definitionBytes, definitionBytes+2*n+40)
			for _, u := range units {
				b = le.AppendUint16(b, u)
				plain = plain && u >= ' ' && (u < 0xD800 || u >= 0xE000) && u < 0xFFFE && !strings.ContainsRune(`\()/*#`, rune(u))
			}
			text := b[definitionBytes:]
			b = b[:(len(b)+2+7)/8*8]
			if inside := len(b); r.IntN(3) == 0 { // a terminator or padding byte that is not zero
				at := definitionBytes + 2*n + r.IntN(inside-definitionBytes-2*n)
				b[at], plain = 1, false
			}
			for len(b) < cap(b) {
				b = append(b, 0xA5)
			}
			list := []scanned{{hash: s.startUnder(7, 9), n: uint32(2 * n)}}
			if got := p.plainNames(b, list) == 1; got != plain {
				t.Fatalf("%d letters % x: plain is %v, want %v", n, b, got, plain)
			}
			if plain {
				count++
				folded := appendFold(nil, text, 0, [2]uint32{7, 9})[parentBytes:]
				if want := s.addName(s.startUnder(7, 9), folded); list[0].hash != want {
					t.Fatalf("%q is hashed to %x, and folded to %x", text, list[0].hash, want)
				}
			}
		}
	}
	if count < 1000 {
		t.Errorf("%d names were plain, must be at least 1000", count)
	}
}

// TestPlainUnicode checks which names with unusual characters the scan accepts, and that the hash
// does not depend on the case.
func TestPlainUnicode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, name, upper string
		plain               bool
	}{
		{"a letter may be outside ASCII", "Zähler", "ZÄHLER", true},
		{"letters may have three bytes in UTF-8", "プロセス", "プロセス", true},
		{"a backslash follows a letter outside ASCII", `é\x`, `É\X`, false},
		{"a control character follows a letter outside ASCII", "é\x1f", "É\x1f", false},
		{"the last character is a space", "é ", "É ", false},
		{"the first character is a space", " é", " É", false},
		{"the rules check a surrogate pair", "é🂡", "É🂡", false},
		{"the rules check an instance with the name _Total", "_Total", "_TOTAL", false},
		{"the rule about _Total ignores a name in another case", "_total", "_TOTAL", true},
		{"a name can start with an underscore", "_Total_", "_TOTAL_", true},
	} {
		var p pass
		p.names.reset(0)
		var b []byte
		var list []scanned
		for _, name := range []string{tt.name, tt.upper} {
			units := utf16.Encode([]rune(name))
			list = append(list, scanned{at: uint32(len(b)), n: uint32(2 * len(units))})
			b = append(b, make([]byte, definitionBytes)...)
			for _, u := range append(units, 0, 0, 0, 0) {
				b = le.AppendUint16(b, u)
			}
			b = b[:len(b)&^7]
		}
		b = append(b, make([]byte, 8)...)
		if plain := p.plainNames(b, list[:1]) == 1; plain != tt.plain {
			t.Errorf("%s: plain is %v, want %v", tt.reason, plain, tt.plain)
		}
		if tt.plain && (p.plainNames(b, list[1:]) != 1 || list[0].hash != list[1].hash) {
			t.Errorf("%s: %q and %q must have the same hash", tt.reason, tt.name, tt.upper)
		}
	}
}

// TestPlainNamesAtTheEnd checks that plainNames accepts a valid name at the end of the input and
// computes its hash.
func TestPlainNamesAtTheEnd(t *testing.T) {
	t.Parallel()
	var p pass
	p.names.reset(0)
	for n := 1; n <= 40; n++ {
		b := make([]byte, aligned(int64(definitionBytes+2*n+2)))
		for i := range n {
			b[definitionBytes+2*i] = 'b'
		}
		want := p.names.seed.addName(0, appendFold(nil, b[definitionBytes:][:2*n], 0, [2]uint32{})[parentBytes:])
		list := []scanned{{n: uint32(2 * n)}}
		if p.plainNames(b[:len(b):len(b)], list) != 1 || list[0].hash != want {
			t.Errorf("%d letters in %d bytes: the hash is %x, want %x", n, len(b), list[0].hash, want)
		}
	}
}

// TestNamesThatStartAlike checks the hashes of names that share or repeat groups of eight letters.
func TestNamesThatStartAlike(t *testing.T) {
	t.Parallel()
	var p pass
	p.names.reset(0)
	s := &p.names.seed
	var b []byte
	var list []scanned
	var want []uint64
	for _, text := range []string{
		"aaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaab", "aaaaaaaaaaaaaaaab", "aaaabbbbc", "aaaaaaaac",
		"instance 1", "instance 2", "instance.3", "INSTANCE 4", "a.aaaaaaaaa", "a.aaaaaaaaa", "aaaaaaaaa.aaaaaaa", "aaaaaaaaa",
	} {
		for parent := range uint32(3) {
			at := len(b)
			b = append(b, make([]byte, definitionBytes)...)
			for _, c := range []byte(text) {
				b = append(b, c, 0)
			}
			list = append(list, scanned{hash: s.startUnder(4*parent, parent), at: uint32(at), n: uint32(2 * len(text))})
			want = append(want, s.addName(list[len(list)-1].hash, appendFold(nil, b[at+definitionBytes:], 0, [2]uint32{})[parentBytes:]))
			b = append(b, make([]byte, 8-len(b)%8)...)
		}
	}
	b = append(b, make([]byte, 8)...)
	if n := p.plainNames(b, list); n != len(list) {
		t.Fatalf("%d of %d names are plain", n, len(list))
	}
	for i, f := range list {
		if f.hash != want[i] {
			t.Errorf("name %d is hashed to %x, want %x", i, f.hash, want[i])
		}
	}
}

// eightOf returns eight ASCII characters in one word, as packEight returns them.
func eightOf(text string) uint64 {
	var wide [16]byte
	for i := range text {
		wide[2*i] = text[i]
	}
	return packEight(le.Uint64(wide[:]), le.Uint64(wide[8:]))
}

// TestEightLetters checks the functions specialBits, unusualBits and capitals for every ASCII
// character at each of the eight positions.
func TestEightLetters(t *testing.T) {
	t.Parallel()
	for place := range 8 {
		for c := range byte(0x80) {
			text := []byte("aZ09 ~{x")
			text[place] = c
			eight := eightOf(string(text))
			isSpecial := c < ' ' || strings.IndexByte(`\()/*#`, c) >= 0
			if got := specialBits(eight) != 0; got != isSpecial {
				t.Errorf("specialBits: %q: %v, want %v", text, got, isSpecial)
			}
			if got, want := unusualBits(eight) != 0, isSpecial || c > ' ' && c < '0'; got != want {
				t.Errorf("unusualBits: %q: %v, want %v", text, got, want)
			}
			if got, want := capitals(eight), eightOf(string(bytes.ToUpper(text))); got != want {
				t.Errorf("capitals of %q: %x, want %x", text, got, want)
			}
		}
	}
}

// TestTails checks the table tails, which has the masks for a last group of one to eight letters.
func TestTails(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 8; n++ {
		tail := tails[n]
		for at := range 16 {
			if got := []uint64{tail.a, tail.b}[at/8] >> (at % 8 * 8) & 0xFF; (got != 0) != (at >= 16-2*n) || got != 0 && got != 0xFF {
				t.Errorf("%d letters, byte %d: the mask has %x", n, at, got)
			}
		}
		text := strings.Repeat("b", n)
		if got, want := eightOf(strings.Repeat("\x00", 8-n)+text)|tail.fill, eightOf(strings.Repeat("A", 8-n)+text); got != want {
			t.Errorf("%d letters are filled to %x, want %x", n, got, want)
		}
	}
}
