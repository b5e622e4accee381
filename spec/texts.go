package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/quote"
	"go.yaml.in/yaml/v4"
)

// readText returns the text of a scalar: as typed, whatever YAML would make of it.
func readText(n *yaml.Node) (string, error) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", fmt.Errorf("wants a text, not %s", describe(n))
	case n.Tag == "!!null":
		return "", fmt.Errorf("has no text; in quotes %q would be one", n.Value)
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
	write: func(b []byte, from any, _ string) ([]byte, error) {
		s := *from.(*string)
		if !utf8.ValidString(s) {
			return nil, fmt.Errorf("%s is not UTF-8", quote.Short(s))
		}
		return appendText(append(b, ' '), s), nil
	},
}

// utf8Page is the code page whose bytes are those of the text.
const utf8Page = 65001

// A nameOf is the name of an instance of an object with that code page.
type nameOf struct {
	name *string
	page uint32
}

var nameForm = &form{
	name:   `text, or {hex: "…"} for the bytes of the object's CodePage`,
	schema: anyOf(textSchema, ref("hex")),
	read: func(n *yaml.Node, to any) error {
		name := to.(*nameOf)
		digits, err := hexMapping(n)
		if err != nil {
			return err
		}
		if digits == nil {
			if *name.name, err = readText(n); err == nil && name.page != 0 && name.page != utf8Page && !isASCII(*name.name) {
				err = fmt.Errorf("%s is not ASCII, and its bytes in code page %d are not known here: write them, {hex: \"…\"}", quote.Short(*name.name), name.page)
			}
			return err
		}
		if name.page == 0 {
			return fmt.Errorf("bytes are for an object with a CodePage; without one a name is text")
		}
		b, err := readHex(digits)
		*name.name = string(b)
		return err
	},
	zero: func(from any) bool { return *from.(*nameOf).name == "" },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		s, page := *from.(*nameOf).name, from.(*nameOf).page
		switch {
		case isASCII(s) || (page == 0 || page == utf8Page) && utf8.ValidString(s):
			return appendText(append(b, ' '), s), nil
		case page == 0:
			return nil, fmt.Errorf("%s is not UTF-8", quote.Short(s))
		}
		return appendHex(append(b, ' '), s), nil
	},
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// notText are the words that YAML, old or new, takes for something else than text.
var notText = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "end"}

// isPlain reports whether s needs no quotes in any place: words of ASCII letters,
// digits and _.- with one blank between them, the first of which begins with a letter
// or _, and not one of notText, in upper or lower case.
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

// appendText appends a text as a scalar of YAML that stands on one line.
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
