package capture

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"unicode/utf8"
)

// Pseudonyms yields the words that [Bundle.Anonymise] replaced, and the pseudonym of each, in the order of the words. A
// byte of a code page that is not ASCII is that byte in the word. A unit of UTF-16 that is not a character is U+FFFD.
//
// The words are in memory only: [Bundle.Write] does not write them, and a bundle that was read has none.
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

// unitsOf returns the word of which [keyOf] is the key.
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
		case u&lowHalf != 0: // highHalf has the character
		case u&pageByte != 0:
			text = append(text, byte(u))
		default:
			text = utf8.AppendRune(text, u&^highHalf)
		}
	}
	return string(text)
}
