package yamltext

import (
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"go.yaml.in/yaml/v4"
)

// Describe says what a node is, for a message about what it should be.
func Describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!str":
		return "the text " + quote.Short(n.Value)
	}
	return strings.TrimSpace(n.Value[:min(len(n.Value), quote.Most)])
}
