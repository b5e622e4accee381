package yamltext

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
)

// quoted has the styles of scalars that are always text, even if they look like a number.
const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// Want returns an error about the node n. For a list, Want(n, "a number") returns "is a list,
// must be a number".
func Want(n *yaml.Node, what string) error {
	return fmt.Errorf("is %s, must be %s", Describe(n), what)
}

// Describe returns what a node is, for a message.
func Describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null" && n.Value == "":
		return "empty"
	case n.Tag == "!!null":
		return "null"
	case n.Tag == "!!str":
		return "the text " + quote.Short(n.Value)
	case n.Tag == numbersTag: // the message quotes the first number
		first, _, _ := strings.Cut(n.Value, ",")
		return strings.TrimSpace(first[:min(len(first), quote.Most)])
	}
	return strings.TrimSpace(n.Value[:min(len(n.Value), quote.Most)])
}

// IsNull reports whether n is null. A key without a value has the value null.
func IsNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// IsNumber reports whether n is a scalar without quotes that begins like a number.
func IsNumber(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Style&quoted != 0 || n.Value == "" {
		return false
	}
	c := n.Value[0]
	return isDigit(c) || (c == '-' || c == '+') && len(n.Value) > 1 && isDigit(n.Value[1])
}

// Child returns the value of a key of the mapping n, or nil.
func Child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// Item returns item i of the list n, or nil.
func Item(n *yaml.Node, i int) *yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	for j, one := range Items(n) {
		if j == i {
			return one
		}
	}
	return nil
}
