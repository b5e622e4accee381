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

// packed returns the text with the commas of lists of numbers made another
// character, which makes one plain scalar of what stands between the brackets. The
// character is one that the text does not have, so that unpack can put the commas
// back wherever the brackets turn out to be in a text or comment. It is 0 where
// nothing is packed.
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
			out = make([]byte, 0, len(text)+2*bytes.Count(text[i:], []byte(",")))
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

// The private use area: YAML allows its characters anywhere, and takes them for text.
const firstPrivate, lastPrivate = 0xE000, 0xF8FF

// privates has the bytes that one of them begins with, in UTF-8 or escaped.
var privates = setOf("\\\xEE\xEF")

// absentRune returns a character for private use that the text does not have, as
// it is or escaped, 0 if it has all.
func absentRune(text []byte) rune {
	var has [lastPrivate - firstPrivate + 1]bool
	for i, c := range text {
		if !privates[c] {
			continue
		}
		r, _ := utf8.DecodeRune(text[i:])
		if c == '\\' {
			r = escaped(text[i+1:])
		}
		if firstPrivate <= r && r <= lastPrivate {
			has[r-firstPrivate] = true
		}
	}
	for i := range has {
		if !has[i] {
			return rune(firstPrivate + i)
		}
	}
	return 0
}

// escaped returns the character that stands behind a backslash as u1234 or U12345678,
// 0 if none does.
func escaped(b []byte) rune {
	digits := 0
	switch {
	case len(b) > 4 && b[0] == 'u':
		digits = 4
	case len(b) > 8 && b[0] == 'U':
		digits = 8
	}
	r, err := strconv.ParseUint(string(b[min(len(b), 1):min(len(b), 1+digits)]), 16, 31)
	if err != nil {
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
