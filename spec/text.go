package spec

import (
	"encoding/hex"
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

// readText returns the text of a scalar as typed, even if YAML would read a number.
func readText(n *yaml.Node) (string, error) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", yamltext.Want(n, "a text")
	case yamltext.IsNull(n):
		return "", fmt.Errorf("is %s, must be a text; quote it for the text %q", yamltext.Describe(n), n.Value)
	}
	return n.Value, nil
}

var textForm = &form{
	name:   "text",
	schema: textSchema,
	read: func(n *yaml.Node, to any) (err error) {
		*to.(*string), err = readText(n)
		return err
	},
	zero: func(from any) bool { return *from.(*string) == "" },
	write: func(w *writer, from any, _ string) error {
		s := *from.(*string)
		if !utf8.ValidString(s) {
			return fmt.Errorf("%s is not UTF-8", quote.Short(s))
		}
		w.b = appendText(append(w.b, ' '), s)
		return nil
	},
}

// utf8Page is the code page of UTF-8.
const utf8Page = 65001

// An instanceName is the name of an instance and the code page of its object.
type instanceName struct {
	name *string
	page uint32
}

var nameForm = &form{
	name:   `text, or {hex: "…"} for the bytes of the object's CodePage`,
	schema: anyOf(textSchema, ref("hex")),
	read: func(n *yaml.Node, to any) error {
		name := to.(*instanceName)
		digits, err := hexMapping(n)
		if err != nil {
			return err
		}
		if digits == nil {
			if *name.name, err = readText(n); err == nil && name.page != 0 && name.page != utf8Page && !isASCII(*name.name) {
				err = fmt.Errorf("%s has characters outside ASCII, which cannot be converted to code page %d; write the bytes, {hex: \"…\"}", quote.Short(*name.name), name.page)
			}
			return err
		}
		if name.page == 0 {
			return errors.New("is {hex: …}, must be a text; bytes require an object with a CodePage")
		}
		b, err := readHex(digits)
		*name.name = string(b)
		return err
	},
	zero: func(from any) bool { return *from.(*instanceName).name == "" },
	write: func(w *writer, from any, _ string) error {
		s, page := *from.(*instanceName).name, from.(*instanceName).page
		switch {
		case isASCII(s) || (page == 0 || page == utf8Page) && utf8.ValidString(s):
			w.b = appendText(append(w.b, ' '), s)
		case page == 0:
			return fmt.Errorf("%s is not UTF-8", quote.Short(s))
		default:
			w.b = appendHex(append(w.b, ' '), s)
		}
		return nil
	},
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// notText has words that require quotes: the words that some version of YAML does not read as
// text, and "end", which a patch reads as the end of the block.
var notText = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "end"}

// isPlain reports whether s requires no quotes anywhere in YAML: s has words of ASCII letters,
// digits, _, . and - with one space between them, starts with a letter or _, and is not one of
// notText in upper or lower case.
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

// appendText appends a text as a YAML scalar on one line.
func appendText(b []byte, s string) []byte {
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

// hexMapping returns the node of the digits in {hex: "00 ff"}, or nil if n is not a mapping.
func hexMapping(n *yaml.Node) (*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value != "hex" {
			return nil, yamltext.On(n.Content[i], "the key is %s, must be hex: bytes are written {hex: \"00 ff\"}", quote.Short(n.Content[i].Value))
		}
	}
	if len(n.Content) != 2 {
		return nil, yamltext.On(n, "the mapping must have one key, hex: bytes are written {hex: \"00 ff\"}")
	}
	return n.Content[1], nil
}

// readHex reads bytes of two hexadecimal digits each. White space between digits is ignored.
func readHex(n *yaml.Node) ([]byte, error) {
	if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
		return nil, yamltext.On(n, "hex: %w", yamltext.Want(n, "bytes such as \"00 ff\""))
	}
	b, err := hex.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	if err != nil {
		without := ""
		if strings.Contains(strings.ToLower(n.Value), "0x") {
			without = " without 0x"
		}
		return nil, yamltext.On(n, "hex: is %s, must be pairs of hexadecimal digits%s", quote.Short(n.Value), without)
	}
	return b, nil
}

// appendHex appends the bytes of v in the form {hex: "00 ff"}.
func appendHex(b []byte, v string) []byte { return fmt.Appendf(b, "{hex: \"% x\"}", v) }

const guidPattern = `[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`

var guidForm = &form{
	name:   `GUID such as "{b4fc721a-0378-476f-89ba-a5a79f810b36}"`,
	schema: members{{"type", "string"}, {"pattern", `^(\{` + guidPattern + `\}|` + guidPattern + `)$`}},
	read: func(n *yaml.Node, to any) error {
		if n.Kind == yaml.MappingNode {
			return errors.New("is a mapping, must be a GUID; a GUID in braces requires quotes")
		}
		s, err := readText(n)
		if err == nil {
			*to.(*layout.GUID), err = layout.ParseGUID(s)
		}
		return err
	},
	zero: func(from any) bool { return *from.(*layout.GUID) == layout.GUID{} },
	write: func(w *writer, from any, _ string) error {
		w.addf(" \"%v\"", *from.(*layout.GUID))
		return nil
	},
}
