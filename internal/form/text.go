package form

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// ReadText returns the value of a scalar as a text. It does not convert a number: 010 stays "010".
func ReadText(n *yaml.Node) (string, error) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", yamltext.Want(n, "a text")
	case yamltext.IsNull(n):
		return "", fmt.Errorf("is %s, must be a text; write %q with the quotes", yamltext.Describe(n), n.Value)
	}
	return n.Value, nil
}

// Text is the [Form] of a key whose value is a text. [Key.Field] must return a *string.
var Text = &Form{
	Name:   "text",
	Schema: TextSchema,
	Read: func(n *yaml.Node, to any) (err error) {
		*to.(*string), err = ReadText(n)
		return err
	},
	Zero: func(from any) bool { return *from.(*string) == "" },
	Write: func(w *Writer, from any, _ string) error {
		s := *from.(*string)
		if !utf8.ValidString(s) {
			return fmt.Errorf("%s is not UTF-8", quote.Short(s))
		}
		w.B = AppendText(append(w.B, ' '), s)
		return nil
	},
}

// notText has the words that some version of YAML reads as a boolean or null. It also has "end", which is the end of
// the block in a patch of a spec.
var notText = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "end"}

// isPlain reports whether s, such as Processor Time, is safe without quotes everywhere in YAML. It may return false for
// other texts that are safe.
func isPlain(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_':
		case i == 0:
			return false
		case c >= '0' && c <= '9' || c == '.' || c == '-':
		case c != ' ' || s[i-1] == ' ' || i == len(s)-1:
			return false
		}
	}
	return s != "" && (len(s) > len("false") || !slices.ContainsFunc(notText, func(word string) bool { return strings.EqualFold(word, s) }))
}

// AppendText appends a text as a YAML scalar on one line.
func AppendText(b []byte, s string) []byte {
	if isPlain(s) {
		return append(b, s...)
	}
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case unicode.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r > 0xFFFF:
			b = fmt.Appendf(b, `\U%08X`, r)
		default:
			b = fmt.Appendf(b, `\u%04X`, r)
		}
	}
	return append(b, '"')
}

const guidPattern = `[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`

// GUID is the [Form] of a key whose value is a GUID. [Key.Field] must return a *[layout.GUID].
var GUID = &Form{
	Name:   `GUID such as "{b4fc721a-0378-476f-89ba-a5a79f810b36}"`,
	Schema: PatternSchema(`^(\{` + guidPattern + `\}|` + guidPattern + `)$`),
	Read: func(n *yaml.Node, to any) error {
		if n.Kind == yaml.MappingNode {
			return errors.New("is a mapping, must be a GUID; a GUID in braces requires quotes")
		}
		s, err := ReadText(n)
		if err == nil {
			*to.(*layout.GUID), err = layout.ParseGUID(s)
		}
		return err
	},
	Zero: func(from any) bool { return *from.(*layout.GUID) == layout.GUID{} },
	Write: func(w *Writer, from any, _ string) error {
		w.Addf(" \"%v\"", *from.(*layout.GUID))
		return nil
	},
}
