package spec

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// utf8Page is the code page of UTF-8.
const utf8Page = 65001

// An instanceName is the name of an instance and the code page of its object.
type instanceName struct {
	name    *string
	page    uint32
	anyPage bool // the key CodePage of the object has a fault, so a name that is valid in some code page is valid
}

var nameForm = &form.Form{
	Name:   `text, or {hex: "…"} for the bytes of the object's CodePage`,
	Schema: form.AnyOf(form.TextSchema, form.Ref("hex")),
	Read: func(n *yaml.Node, to any) error {
		name := to.(*instanceName)
		digits, err := hexMapping(n)
		if err != nil {
			return err
		}
		if digits == nil {
			if *name.name, err = form.ReadText(n); err == nil && !name.anyPage && name.page != 0 && name.page != utf8Page && !isASCII(*name.name) {
				err = fmt.Errorf("%s has characters outside ASCII, which cannot be converted to code page %d; write the bytes, {hex: \"…\"}", quote.Short(*name.name), name.page)
			}
			return err
		}
		if name.page == 0 && !name.anyPage {
			return errors.New("is {hex: …}, must be a text, because the object has no CodePage")
		}
		b, err := readHex(digits)
		*name.name = string(b)
		return err
	},
	Zero: func(from any) bool { return *from.(*instanceName).name == "" },
	Write: func(w *form.Writer, from any, _ string) error {
		s, page := *from.(*instanceName).name, from.(*instanceName).page
		switch {
		case isASCII(s) || (page == 0 || page == utf8Page) && utf8.ValidString(s):
			w.B = form.AppendText(append(w.B, ' '), s)
		case page == 0:
			return fmt.Errorf("%s is not UTF-8", quote.Short(s))
		default:
			w.B = appendHex(append(w.B, ' '), s)
		}
		return nil
	},
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// hexMapping returns the node of the digits in {hex: "00 ff"}, or nil if n is not a mapping.
func hexMapping(n *yaml.Node) (*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value != "hex" {
			return nil, yamltext.On(n.Content[i], "the key is %s, must be \"hex\", as in {hex: \"00 ff\"}", quote.Short(n.Content[i].Value))
		}
	}
	if len(n.Content) != 2 {
		return nil, yamltext.On(n, "the mapping must have one key, \"hex\", as in {hex: \"00 ff\"}")
	}
	return n.Content[1], nil
}

// readHex reads bytes. Each byte has two hexadecimal digits. White space between digits is ignored.
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
