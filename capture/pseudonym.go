package capture

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfblock/perfblock/layout"
)

// This file makes pseudonyms. The documentation of [Bundle.Anonymise] describes words and pseudonyms.

// letters are used in pseudonyms. They are rare in names, so a reader recognises a pseudonym.
var letters = []rune("bfgjkqvwxz")

// moreLetters are used if the first pseudonyms with the letters above are taken, which happens for short words. Each of
// moreLetters is one UTF-16 unit, both in lower case and in upper case.
var moreLetters = append([]rune("acdehilmnoprstuy"), []rune("абвгдежзийклмнопрстуфхцчшщъыьэюя")...)

var errTooMany = errors.New("too many short names: there is no pseudonym left")

// pseudonyms maps the words of names to pseudonyms. The caller must call the method learn with all names before it
// replaces the first name.
type pseudonyms struct {
	key     []byte
	starts  map[[3]rune]bool  // the first three letters of all words, in upper case
	classes map[string]*class // by the word in upper case
	taken   map[string]bool   // words and pseudonyms in upper case
}

// A class is a group of words that differ only in case.
type class struct {
	pseudonym []rune            // a letter for each unit, in lower case; nil until it is needed
	exact     map[string][]rune // pseudonyms by the exact word
	taken     map[string]bool   // the values of exact
}

func newPseudonyms(key []byte) *pseudonyms {
	return &pseudonyms{key: key, starts: map[[3]rune]bool{}, classes: map[string]*class{}, taken: map[string]bool{}}
}

// learn adds the words of a name.
func (p *pseudonyms) learn(name []rune) {
	for _, w := range wordsOf(name) {
		word := folded(w)
		key := keyOf(word)
		if p.classes[key] != nil {
			continue
		}
		p.classes[key] = &class{exact: map[string][]rune{}, taken: map[string]bool{}}
		p.taken[key] = true
		for i := 0; i+3 <= len(word); i++ {
			if s := word[i : i+3]; !slices.ContainsFunc(s, staysInPseudonym) {
				p.starts[[3]rune(s)] = true
				break
			}
		}
	}
}

// replace overwrites a name with its pseudonym. narrow means that each unit is a byte. replace reports whether the name
// has a word to replace.
func (p *pseudonyms) replace(name []rune, narrow bool) (bool, error) {
	words := wordsOf(name)
	for _, word := range words {
		upper := folded(word)
		c := p.classes[keyOf(upper)]
		if c.pseudonym == nil {
			var err error
			if c.pseudonym, err = p.invent(upper, narrow); err != nil {
				return false, err
			}
		}
		copy(word, c.pseudonymOf(word))
	}
	return len(words) > 0, nil
}

// invent returns a new pseudonym that differs from all words and all other pseudonyms, ignoring case. The word must be
// in upper case.
func (p *pseudonyms) invent(word []rune, narrow bool) ([]rune, error) {
	const few, some, tries = 64, 1024, 4096
	mac := hmac.New(sha256.New, p.key)
	mac.Write([]byte(keyOf(word)))
	random := rand.New(rand.NewChaCha8([sha256.Size]byte(mac.Sum(nil))))
	for try := range tries {
		from := letters
		switch {
		case try >= some && !narrow:
			from = moreLetters
		case try >= few:
			from = moreLetters[:26-len(letters)]
		}
		pseudonym := make([]rune, len(word))
		for i, u := range word {
			if pseudonym[i] = u; !staysInPseudonym(u) {
				pseudonym[i] = p.letter(random, from, pseudonym[:i])
			}
		}
		if upper := keyOf(folded(pseudonym)); !p.taken[upper] {
			p.taken[upper] = true
			return pseudonym, nil
		}
	}
	return nil, errTooMany
}

// letter chooses a letter to append to a pseudonym. If possible, the last three letters of the pseudonym then differ
// from the first three letters of every word, so that a search for a word does not find a pseudonym.
func (p *pseudonyms) letter(random *rand.Rand, from, pseudonym []rune) rune {
	const tries = 64
	var c rune
	for range tries {
		c = from[random.IntN(len(from))]
		if n := len(pseudonym); n < 2 || !p.starts[[3]rune{unicode.ToUpper(pseudonym[n-2]), unicode.ToUpper(pseudonym[n-1]), unicode.ToUpper(c)}] {
			break
		}
	}
	return c
}

// pseudonymOf returns the pseudonym of a word, with capitals where the word has capitals.
func (c *class) pseudonymOf(word []rune) []rune {
	exact := keyOf(word)
	if known := c.exact[exact]; known != nil {
		return known
	}
	result := slices.Clone(c.pseudonym)
	var open []int // indexes of the letters, whose case can change
	for i, u := range word {
		if staysInPseudonym(u) {
			continue
		}
		if open = append(open, i); unicode.IsUpper(u) {
			result[i] = unicode.ToUpper(result[i])
		}
	}
	// If a word that differs only in case already has this pseudonym, change the case of some letters of the pseudonym.
	plain := slices.Clone(result)
	for n := uint64(1); c.taken[keyOf(result)] && n < 1<<min(len(open), 16); n++ {
		copy(result, plain)
		for bit, i := range open[:min(len(open), 16)] {
			if n>>bit&1 != 0 {
				result[i] = otherCase(result[i])
			}
		}
	}
	c.exact[exact], c.taken[keyOf(result)] = result, true
	return result
}

func otherCase(c rune) rune {
	if unicode.IsUpper(c) {
		return unicode.ToLower(c)
	}
	return unicode.ToUpper(c)
}

// wordsOf returns the words of a name that Anonymise replaces, as parts of the slice name. For orders#1/_Total, it
// returns only orders.
func wordsOf(name []rune) (words [][]rune) {
	start := 0
	end := len(name) - suffix(name)
	for i := 0; i <= end; i++ {
		if i < end && name[i] != '/' && name[i] != '\\' && name[i] != ',' && name[i] != 0 {
			continue
		}
		w := name[start:i]
		w = w[:len(w)-suffix(w)]
		if slices.ContainsFunc(w, func(u rune) bool { return !staysInPseudonym(u) }) && !common(w) {
			words = append(words, w)
		}
		start = i + 1
	}
	return words
}

// suffix returns the length of # and a number at the end of a name: 2 for orders#1, and 0 for orders.
func suffix(name []rune) int {
	digits := false
	for i := len(name) - 1; i >= 0; i-- {
		switch u := name[i]; {
		case '0' <= u && u <= '9':
			digits = true
		case u == '#' && digits:
			return len(name) - i
		case u != 0: // NULs are ignored, as in the rule inst-name-special
			return 0
		}
	}
	return 0
}

// common reports whether a word is _Total, a number of one or two digits, or a drive such as C:. Anonymise keeps such
// words.
func common(w []rune) bool {
	switch {
	case string(w) == layout.PERF_AGGREGATE_INSTANCE:
		return true
	case len(w) > 2:
		return false
	case len(w) == 2 && w[1] == ':':
		return 'A' <= w[0] && w[0] <= 'Z' || 'a' <= w[0] && w[0] <= 'z'
	}
	return !slices.ContainsFunc(w, func(u rune) bool { return u < '0' || u > '9' })
}

// staysInPseudonym reports whether a code unit of a name stays in the pseudonym. Most of these units stay because rules
// of package validate search names for them.
func staysInPseudonym(u rune) bool {
	switch u {
	case '\\', '/', '(', ')', '*', '?', '#', ',':
		return true
	}
	return u <= ' ' || utf16.IsSurrogate(u) || u == 0xFFFE || u == 0xFFFF
}

// Bits that mark a unit whose character depends on another unit or on the code page.
const (
	highHalf rune = 1 << (28 + iota) // with the character of the surrogate pair
	lowHalf
	pageByte // a byte from 0x80 on, whose character depends on the code page
)

// codeUnits returns the code units of a text. The width of a unit is 2 bytes in UTF-16, and 1 byte in a code page.
func codeUnits(text []byte, width int) []rune {
	list := make([]rune, len(text)/width) // without an incomplete unit at the end
	for i := range list {
		switch {
		case width == 2:
			list[i] = rune(binary.LittleEndian.Uint16(text[2*i:]))
		case text[i] < 0x80:
			list[i] = rune(text[i])
		default:
			list[i] = pageByte | rune(text[i])
		}
		if i == 0 {
			continue
		}
		// Both halves of a surrogate pair become the character that the pair encodes, with the bit highHalf or lowHalf.
		if pair := utf16.DecodeRune(list[i-1], list[i]); pair != unicode.ReplacementChar {
			list[i-1], list[i] = highHalf|pair, lowHalf|pair
		}
	}
	return list
}

// putUnits writes the units to text. It skips units with the bits highHalf, lowHalf or pageByte.
func putUnits(text []byte, list []rune, width int) {
	for i, u := range list {
		switch {
		case u >= highHalf:
		case width == 2:
			binary.LittleEndian.PutUint16(text[2*i:], uint16(u))
		default:
			text[i] = byte(u)
		}
	}
}

// keyOf returns a map key for a word. Different words have different keys. keyOf does not use string(w), which can be
// the same for different words: string(w) has U+FFFD in place of each unpaired surrogate, and in place of each unit
// with the bit highHalf, lowHalf or pageByte.
func keyOf(w []rune) string {
	b := make([]byte, 0, 4*len(w))
	for _, u := range w {
		b = binary.LittleEndian.AppendUint32(b, uint32(u))
	}
	return string(b)
}

// folded returns a word in upper case. The rule inst-name-duplicate compares names in the same way.
func folded(w []rune) []rune {
	const halves = highHalf | lowHalf
	upper := make([]rune, len(w))
	for i, u := range w {
		if upper[i] = u; u != 'ı' && u != 'ſ' {
			upper[i] = u&halves | unicode.ToUpper(u&^halves)
		}
	}
	return upper
}

// Pseudonyms yields each word that [Bundle.Anonymise] replaced, and its pseudonym. The words are sorted. A word from a
// code page has the bytes of the code page. In a UTF-16 word, U+FFFD replaces each unpaired surrogate.
//
// The words are in memory only. [Bundle.Write] does not write them, so Pseudonyms yields nothing for a bundle that
// [Read] returned.
func (b *Bundle) Pseudonyms() iter.Seq2[string, string] {
	return func(yield func(word, pseudonym string) bool) {
		if b.pseudonyms == nil {
			return
		}
		type pair struct{ word, pseudonym string }
		var pairs []pair
		for _, c := range b.pseudonyms.classes {
			for key, pseudonym := range c.exact {
				pairs = append(pairs, pair{textOfUnits(unitsOf(key)), textOfUnits(pseudonym)})
			}
		}
		slices.SortFunc(pairs, func(x, y pair) int { return cmp.Or(cmp.Compare(x.word, y.word), cmp.Compare(x.pseudonym, y.pseudonym)) })
		for _, p := range pairs {
			if !yield(p.word, p.pseudonym) {
				return
			}
		}
	}
}

// unitsOf returns the word for a key that [keyOf] returned.
func unitsOf(key string) []rune {
	list := make([]rune, len(key)/4)
	for i := range list {
		list[i] = rune(binary.LittleEndian.Uint32([]byte(key[4*i:])))
	}
	return list
}

// textOfUnits returns a word as a text.
func textOfUnits(word []rune) string {
	var text []byte
	for _, u := range word {
		switch {
		case u&lowHalf != 0: // the unit with the bit highHalf has the character
		case u&pageByte != 0:
			text = append(text, byte(u))
		default:
			text = utf8.AppendRune(text, u&^highHalf)
		}
	}
	return string(text)
}
