package yamltext

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// mostShown is how many bytes of a value a message can bear.
const mostShown = 60

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
		return "the text " + Quote(n.Value)
	}
	return strings.TrimSpace(n.Value[:min(len(n.Value), mostShown)])
}

// Quote returns s in quotes, and no more of it than a message can bear.
func Quote(s string) string {
	if len(s) > mostShown {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:mostShown], ""))
	}
	return fmt.Sprintf("%q", s)
}
