package yamltext

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// A number list is a list of unsigned decimal integers on one line, such as [1, 2, 3]. The tree has one node for all
// numbers of the list, because a node for each number would take a hundred times the memory of the text. This node has
// the tag numbersTag and the value "1, 2, 3".

// numbersTag is the tag of the node of a number list. A text cannot set this tag.
const numbersTag = "numbers"

// numberList returns the length of the number list at the start of b, or 0. A number list has at least two numbers.
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

// packed replaces the commas of number lists by a character that is not in the text, and returns this character. YAML
// then reads the numbers of each list as one scalar. If packed replaces nothing, it returns the text and 0.
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

// The characters that can replace a comma: YAML allows them inside a plain scalar.
const (
	shortMarks                = ";~^|$=/<>()@%+_" // one byte each, so they come first
	firstPrivate, lastPrivate = 0xE000, 0xF8FF    // the private use area, three bytes each
)

// absentRune returns a character that can replace commas and that is not in the text, or 0.
func absentRune(text []byte) rune {
	var has [lastPrivate + 1]bool
	for _, c := range text {
		has[c] = true
	}
	for rest, ok := text, true; ok; { // escape sequences are characters of the text, too
		if _, rest, ok = bytes.Cut(rest, []byte{'\\'}); ok {
			has[escaped(rest)] = true
		}
	}
	for _, r := range shortMarks {
		if !has[r] {
			return r
		}
	}
	for _, r := range string(text) {
		if r <= lastPrivate {
			has[r] = true
		}
	}
	for r := rune(firstPrivate); r <= lastPrivate; r++ {
		if !has[r] {
			return r
		}
	}
	return 0
}

// escaped returns the character of an escape sequence such as \x12, \u1234 or \U12345678, or 0. The text b starts
// after the backslash.
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

// unpack restores the commas in the tree and tags the nodes of number lists.
func unpack(n *yaml.Node, mark rune) {
	for _, child := range n.Content {
		unpack(child, mark)
		if child.Kind != yaml.ScalarNode || !strings.ContainsRune(child.Value, mark) {
			continue
		}
		child.Value = strings.ReplaceAll(child.Value, string(mark), ",")
		// In brackets, YAML ends a value without quotes at a comma. So a value with commas and without quotes
		// is a number list.
		if n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle != 0 && child.Style&quoted == 0 {
			child.Tag = numbersTag
		}
	}
}

// Numbers returns the text of a number list. ok is false for any other node.
func Numbers(list *yaml.Node) (text string, ok bool) {
	if list.Kind == yaml.SequenceNode && len(list.Content) == 1 && list.Content[0].Tag == numbersTag {
		return list.Content[0].Value, true
	}
	return "", false
}

// Len returns the number of items of a list.
func Len(list *yaml.Node) int {
	if numbers, ok := Numbers(list); ok {
		return strings.Count(numbers, ",") + 1
	}
	return len(list.Content)
}

// Items yields the index and the node of each item of a list. The items of a number list share one node: to keep the
// node, copy it.
func Items(list *yaml.Node) iter.Seq2[int, *yaml.Node] {
	numbers, ok := Numbers(list)
	if !ok {
		return slices.All(list.Content)
	}
	return func(yield func(int, *yaml.Node) bool) {
		first := list.Content[0]
		one := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Line: first.Line}
		at, i := 0, 0
		for part := range strings.SplitSeq(numbers, ",") {
			one.Value = strings.Trim(part, " \t")
			// The list has only ASCII characters on one line, so each character is one byte.
			one.Column = first.Column + at + strings.IndexFunc(part, unicode.IsDigit)
			if !yield(i, &one) {
				return
			}
			at, i = at+len(part)+1, i+1
		}
	}
}
