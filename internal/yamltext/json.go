package yamltext

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/lazy"
)

// A jsonReader reads JSON into the tree that the YAML library makes for the same content. The YAML library refuses
// some JSON, such as the pair of escapes \ud834\udd1e.
type jsonReader struct {
	*json.Decoder
	text     []byte
	maxDepth int
	at       int // the byte whose place is line and col
	line     int
	col      int
}

// parseJSON returns the root of the tree. The text must have exactly one value. parseJSON adds the note to a syntax
// error.
func parseJSON(text []byte, maxDepth int, note string) (*yaml.Node, error) {
	// The syntax is checked first, because an error of Decoder.Token can have no offset or a wrong one.
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(text, new(unread))); ok {
		// Offset is the position after the faulty byte, or the end of a text that ends too early.
		i := int(syntax.Offset)
		if !strings.HasPrefix(syntax.Error(), "unexpected end") {
			i--
		}
		return nil, At(text, i, "%v%s", syntax, note)
	}
	r := &jsonReader{Decoder: json.NewDecoder(bytes.NewReader(text)), text: text, maxDepth: maxDepth, line: 1, col: 1}
	r.UseNumber()
	root, _, err := r.value(1)
	return root, err
}

// jsonBlanks are the characters between values.
const jsonBlanks = " \t\r\n,:"

// unread decodes any value and discards it.
type unread struct{}

func (*unread) UnmarshalJSON([]byte) error { return nil }

// value reads one value. At the end of a list or mapping it returns the closing delimiter.
func (r *jsonReader) value(depth int) (*yaml.Node, json.Delim, error) {
	start := len(r.text) - len(bytes.TrimLeft(r.text[r.InputOffset():], jsonBlanks))
	if length := numberList(r.text[start:]); length > 0 {
		n, err := r.numbers(start, length, depth)
		return n, 0, err
	}
	token, err := r.Token()
	if err != nil {
		return nil, 0, At(r.text, int(r.InputOffset()), "%v", err)
	}
	raw := r.text[start:r.InputOffset()]
	r.advance(start)
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: r.line, Column: r.col}
	switch token := token.(type) {
	case json.Delim:
		if token == ']' || token == '}' {
			return nil, token, nil
		}
		return n, 0, r.collection(n, token, depth)
	case string:
		n.Tag, n.Style, n.Value = "!!str", yaml.DoubleQuotedStyle, token
		return n, 0, r.checkString(raw, start)
	case json.Number:
		n.Tag, n.Value = "!!int", token.String() // also for a float, because the readers of numbers use only the text
	case bool:
		n.Tag, n.Value = "!!bool", string(raw)
	default:
		n.Tag, n.Value = "!!null", string(raw)
	}
	return n, 0, nil
}

// collection reads the values of a list, or the keys and values of a mapping.
func (r *jsonReader) collection(n *yaml.Node, open json.Delim, depth int) error {
	if depth > r.maxDepth {
		return tooDeep(n, r.maxDepth)
	}
	n.Kind, n.Tag = yaml.MappingNode, "!!map"
	if open == '[' {
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	}
	for {
		child, end, err := r.value(depth + 1)
		if err != nil || end != 0 {
			return err
		}
		n.Content = append(n.Content, child)
	}
}

// numbers reads the number list with the given offset and length. The result is one node for all numbers.
func (r *jsonReader) numbers(offset, length, depth int) (*yaml.Node, error) {
	r.advance(offset)
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: r.line, Column: r.col}
	if depth > r.maxDepth {
		return nil, tooDeep(n, r.maxDepth)
	}
	list := r.text[offset+1 : offset+length-1]
	first := skip(list, 0, isBlank)
	value := strings.TrimRight(string(list[first:]), " \t")
	n.Content = []*yaml.Node{{Kind: yaml.ScalarNode, Tag: numbersTag, Value: value, Line: r.line, Column: r.col + 1 + first}}
	return n, r.Decode(new(unread)) // the syntax is checked already
}

// advance moves line and col to the byte at the offset `to`. This offset must not be before r.at.
func (r *jsonReader) advance(to int) {
	for ; r.at < to; r.at++ {
		switch c := r.text[r.at]; {
		case c == '\n':
			r.line, r.col = r.line+1, 1
		case utf8.RuneStart(c):
			r.col++
		}
	}
}

// escapes matches an escaped backslash, a surrogate pair, or one half of a surrogate pair.
var escapes = lazy.Regexp(`\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..`)

// checkString returns an error for an escape that is half of a surrogate pair: the decoder would replace the
// escape by U+FFFD. The JSON string `raw` starts at the offset `start` of the text.
func (r *jsonReader) checkString(raw []byte, start int) error {
	if bytes.IndexByte(raw, '\\') < 0 {
		return nil
	}
	for _, at := range escapes().FindAllIndex(raw, -1) {
		if escape := raw[at[0]:at[1]]; len(escape) == len(`\ud800`) {
			return At(r.text, start+at[0], "%s is half of a surrogate pair, write both halves", escape)
		}
	}
	return nil
}
