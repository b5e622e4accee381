package spec

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Nearly all of a large text is lists of values such as [1, 2, 3]. A node for each
// would take a hundred times the bytes of the text, so such a list, where it stands
// on one line and has decimal numbers alone, is one node with numbersTag and all
// numbers for a value.

// numbersTag is no tag of YAML's; texts cannot have tags.
const numbersTag = "numbers"

// numberList returns how long the list of numbers is that b begins with, brackets
// included, 0 if it begins with none or with one of less than two numbers.
func numberList(b []byte) int {
	i, numbers := 1, 0
	for len(b) > 0 && b[0] == '[' {
		i = skip(b, i, isBlank)
		start := i
		i = skip(b, i, isDigit)
		if numbers++; i == start {
			return 0
		}
		i = skip(b, i, isBlank)
		switch {
		case i < len(b) && b[i] == ',':
			i++
		case i < len(b) && b[i] == ']' && numbers > 1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func skip(b []byte, i int, is func(byte) bool) int {
	for i < len(b) && is(b[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// packed returns the text with the commas of number lists replaced by another character,
// which makes one plain scalar of each list. The text does not have the character, so unpack
// can restore the commas, also those of brackets inside a text or comment. The character is 0,
// and the text unchanged, if the text has all of the characters that could be used.
func packed(text []byte) ([]byte, rune) {
	mark := absentRune(text)
	if mark == 0 {
		return text, 0
	}
	var out []byte
	done := 0
	for i := 0; ; i++ {
		next := bytes.IndexByte(text[i:], '[')
		if next < 0 {
			break
		}
		i += next
		n := numberList(text[i:])
		if n == 0 {
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(text)+(utf8.RuneLen(mark)-1)*bytes.Count(text[i:], []byte(",")))
		}
		out = append(out, text[done:i]...)
		for _, c := range text[i : i+n] {
			if c == ',' {
				out = utf8.AppendRune(out, mark)
			} else {
				out = append(out, c)
			}
		}
		i += n - 1
		done = i + 1
	}
	if out == nil {
		return text, 0
	}
	return append(out, text[done:]...), mark
}

// The characters that can replace a comma: YAML allows them inside a plain scalar. One byte
// takes less time and memory than the three of the private use area.
const (
	shortMarks                = ";~^|$=/<>()@%+_"
	firstPrivate, lastPrivate = 0xE000, 0xF8FF
)

// absentRune returns a character that the text does not have, as it is or escaped, 0 if it
// has all that could replace a comma.
func absentRune(text []byte) rune {
	var has [lastPrivate + 1]bool
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		switch {
		case r == '\\':
			has[escaped(text[i+1:])] = true
		case r >= utf8.RuneSelf:
			r, n = utf8.DecodeRune(text[i:])
		}
		if r <= lastPrivate {
			has[r] = true
		}
		i += n
	}
	for _, r := range shortMarks {
		if !has[r] {
			return r
		}
	}
	for r := rune(firstPrivate); r <= lastPrivate; r++ {
		if !has[r] {
			return r
		}
	}
	return 0
}

// escaped returns the character that b encodes as x12, u1234 or U12345678, the rest of an
// escape sequence, and 0 for other sequences and characters after lastPrivate.
func escaped(b []byte) rune {
	if len(b) == 0 {
		return 0
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[b[0]]
	r, err := strconv.ParseUint(string(b[1:min(len(b), 1+digits)]), 16, 32)
	if err != nil || r > lastPrivate {
		return 0
	}
	return rune(r)
}

// unpack puts the commas back into the tree, and tags what is a list of numbers.
func unpack(n *yaml.Node, mark rune) {
	for _, child := range n.Content {
		unpack(child, mark)
		if child.Kind != yaml.ScalarNode || !strings.ContainsRune(child.Value, mark) {
			continue
		}
		child.Value = strings.ReplaceAll(child.Value, string(mark), ",")
		// A plain scalar in a list cannot have a comma of its own, so this is all of the list.
		if n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle != 0 && child.Style&quoted == 0 {
			child.Tag = numbersTag
		}
	}
}

// countItems returns how many values a list has.
func countItems(list *yaml.Node) int {
	if numbers := numbersOf(list); numbers != nil {
		return strings.Count(numbers.Value, ",") + 1
	}
	return len(list.Content)
}

// numbersOf returns the one node of a list of numbers, nil if n is no such list.
func numbersOf(list *yaml.Node) *yaml.Node {
	if list.Kind == yaml.SequenceNode && len(list.Content) == 1 && list.Content[0].Tag == numbersTag {
		return list.Content[0]
	}
	return nil
}

// items yields the values of a list. Those of a list of numbers are one node that
// changes, for whoever keeps one to copy.
func items(list *yaml.Node) iter.Seq2[int, *yaml.Node] {
	return func(yield func(int, *yaml.Node) bool) {
		numbers := numbersOf(list)
		if numbers == nil {
			for i, n := range list.Content {
				if !yield(i, n) {
					return
				}
			}
			return
		}
		one := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Line: numbers.Line}
		at, i := 0, 0
		for part := range strings.SplitSeq(numbers.Value, ",") {
			one.Value = strings.Trim(part, " \t")
			// All is ASCII and on one line, so columns are bytes.
			one.Column = numbers.Column + at + strings.IndexFunc(part, unicode.IsDigit)
			if !yield(i, &one) {
				return
			}
			at, i = at+len(part)+1, i+1
		}
	}
}
