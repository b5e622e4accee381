package fuzz

import (
	"iter"
	"strings"

	"github.com/perfblock/perfblock/builder"
)

// A generator makes the parts of one block.
type generator struct {
	*Source
	Config
	now     int64 // the block's PerfTime100nSec
	objects []builder.Object
}

func newGenerator(s *Source, c Config) *generator {
	return &generator{Source: s, Config: c.withDefaults(), now: builder.DefaultTime}
}

// each yields a generator for each part of that sort, least to most of them. What it
// makes depends on the bytes of the part, and on no others but where it refers to
// something.
func (g *generator) each(sort partSort, least, most int) iter.Seq[*generator] {
	return func(yield func(*generator) bool) {
		for n := range most {
			s, ok := g.Source.part(sort, n < least)
			if !ok {
				return
			}
			of := *g
			of.Source = s
			if !yield(&of) {
				return
			}
		}
	}
}

// gives reports n times in 256 that a field is to be given which would be computed.
func (g *generator) gives(n int) bool { return g.chance(n) && !g.Computed }

// not returns v, or the next number if v is what would be computed anyway.
func not[T ~int64 | ~uint32 | ~int32](v, computed T) T {
	if v == computed {
		return v + 1
	}
	return v
}

var alphabets = []string{"abcXYZ019 _", "äßÅéЖ漢字", "𝄞😀𐍈a", "\uFEFF\uFFFE\uFFFFĀ\u2028", "\x01\t\n\"'\\/()#*%:", "_Total"}

// text returns a name that is valid, often of plain letters.
func (g *generator) text() string {
	alphabet := pick(g.Source, alphabets...)
	if g.ASCII && (alphabet[0] < ' ' || alphabet[0] > '~') {
		alphabet = `"'\/()#*%:`
	}
	runes := []rune(alphabet)
	var s []rune
	for len(s) < g.MaxText && g.chance(210) {
		s = append(s, runes[g.upTo(len(runes))])
	}
	return string(s)
}

// word returns one of the words. The first is ASCII.
func (g *generator) word(words ...string) string {
	word := pick(g.Source, words...)
	if other := func(r rune) bool { return r > '~' }; g.ASCII && strings.ContainsFunc(word, other) {
		return words[0]
	}
	return word
}

// bytes returns text of a code page: any bytes but NUL.
func (g *generator) bytes() string {
	var s []byte
	for len(s) < g.MaxText && g.chance(200) {
		s = append(s, byte(1+g.upTo(255)))
	}
	return string(s)
}
