package spec

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"go.yaml.in/yaml/v4"
)

// hexMapping returns the node of the bytes in {hex: "00 ff"}, nil if n is no mapping.
func hexMapping(n *yaml.Node) (*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value != "hex" {
			return nil, faultf(n.Content[i], "unknown key %s: bytes are written {hex: \"00 ff\"}", quote.Short(n.Content[i].Value))
		}
	}
	if len(n.Content) != 2 {
		return nil, faultf(n, "bytes are written {hex: \"00 ff\"}, with one key hex")
	}
	return n.Content[1], nil
}

// readHex reads bytes as two digits each, with or without white space between them.
func readHex(n *yaml.Node) ([]byte, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return nil, faultf(n, "hex wants bytes such as \"00 ff\", not %s", describe(n))
	}
	b, err := hex.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	if err != nil {
		return nil, faultf(n, "hex wants pairs of hexadecimal digits, not %s", quote.Short(n.Value))
	}
	return b, nil
}

// appendHex appends {hex: "00 ff"}.
func appendHex(b []byte, v string) []byte { return fmt.Appendf(b, "{hex: \"% x\"}", v) }
