package spec

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/yamltext"
	"go.yaml.in/yaml/v4"
)

// shortLists is a text in which each list of numbers is short: [1, 2, 3] is [X0], in
// which X is a character that the text does not have and 0 the list's position among
// all. The YAML library takes more time and memory for each character of a scalar
// than all else here takes for the number, and most characters are in such lists.
type shortLists struct {
	text  []byte // as it was
	mark  rune
	lists [][2]int // where each stands in text
	// What restore has come to: on this line, what comes now was moved to the left by
	// shift. The lists before next are passed, and a value of nothing came behind them.
	line, shift, next int
	nothing           bool
}

// loadShort returns the root of the text, read with short lists, or nil where that
// gives another tree or an error, which would have the wrong place.
func loadShort(text []byte) *yaml.Node {
	s := shortLists{text: text, mark: absentRune(text)}
	if s.find(); s.mark == 0 || len(s.lists) == 0 {
		return nil
	}
	root, err := yamltext.Load(s.short())
	if err != nil || !s.restore(root, false) || !s.pass(len(s.lists)) {
		return nil
	}
	return root
}

// find fills lists.
func (s *shortLists) find() {
	s.lists = make([][2]int, 0, bytes.Count(s.text, []byte("[")))
	for from := 0; ; {
		i := bytes.IndexByte(s.text[from:], '[')
		if i < 0 {
			return
		}
		from += i
		n := numberList(s.text[from:])
		if n > 0 {
			s.lists = append(s.lists, [2]int{from, from + n})
		}
		from += max(n, 1)
	}
}

// short returns the text with short lists.
func (s *shortLists) short() []byte {
	size := len(s.text)
	for i, l := range s.lists {
		size += s.shortSize(i) + utf8.RuneLen(s.mark) - 1 - (l[1] - l[0])
	}
	out, done := make([]byte, 0, size), 0
	for i, l := range s.lists {
		first, _ := s.numbers(i)
		out = append(out, s.text[done:first]...)
		out = utf8.AppendRune(out, s.mark)
		out = strconv.AppendInt(out, int64(i), 10)
		out, done = append(out, ']'), l[1]
	}
	return append(out, s.text[done:]...)
}

// numbers returns where the numbers of list i begin and end, without the blanks
// around them.
func (s *shortLists) numbers(i int) (from, to int) {
	from, to = skip(s.text, s.lists[i][0]+1, isBlank), s.lists[i][1]-1
	for isBlank(s.text[to-1]) {
		to--
	}
	return from, to
}

// shortSize returns the characters of list i where it is short.
func (s *shortLists) shortSize(i int) int {
	from, _ := s.numbers(i)
	size := from - s.lists[i][0] + len("X0]")
	for ; i >= 10; i /= 10 {
		size++
	}
	return size
}

// restore puts the numbers and columns below n back, and reports whether all lists
// are values, and no keys or words in a text. It comes to nodes in the order of the text.
func (s *shortLists) restore(n *yaml.Node, inKey bool) bool {
	if n.Line != s.line {
		s.line, s.shift = n.Line, 0
	}
	n.Column += s.shift
	if n.Kind == yaml.ScalarNode && strings.ContainsRune(n.Value, s.mark) {
		digits, marked := strings.CutPrefix(n.Value, string(s.mark))
		i, err := strconv.Atoi(digits)
		if !marked || err != nil || inKey || !s.pass(i) { // in a text a bracket is before the mark
			return false
		}
		from, to := s.numbers(i)
		n.Value, n.Tag = string(s.text[from:to]), numbersTag
		s.shift += s.lists[i][1] - s.lists[i][0] - s.shortSize(i)
	} else if n.Kind == yaml.ScalarNode && n.Value == "" {
		s.nothing = true
	}
	for i, child := range n.Content {
		if !s.restore(child, inKey || n.Kind == yaml.MappingNode && i%2 == 0) {
			return false
		}
	}
	return true
}

// pass goes on to list i, and reports whether all columns up to there are known. Lists
// that it passes over are in comments, where they move nothing but a value of nothing,
// which may stand where the comment ends.
func (s *shortLists) pass(i int) bool {
	known := i == s.next || !s.nothing
	s.next, s.nothing = i+1, false
	return known
}
