package spec

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

// lengthKeys are the keys by which a short text asks for a long block.
var lengthKeys = []string{"HeaderLength", "SystemNameOffset", "blockLength", "NameOffset", "ByteLength", "CounterOffset", "CounterSize", "Size"}

// aLot is more than any of them needs, and few enough that some of it is in every
// block that is too long for the sake of one.
const aLot = 1 << 28

// longest returns the value of the key that asks for the most bytes in n, if that
// is a lot, else nil.
func longest(n *yaml.Node) *yaml.Node {
	found, _ := longestOver(n, aLot)
	return found
}

func longestOver(n *yaml.Node, most uint64) (*yaml.Node, uint64) {
	var found *yaml.Node
	if n == nil {
		return nil, most
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && slices.Contains(lengthKeys, n.Content[i-1].Value) {
			if v, err := dword.read(child); err == nil && v.Magnitude > most {
				found, most = child, v.Magnitude
			}
		}
		if deeper, more := longestOver(child, most); deeper != nil {
			found, most = deeper, more
		}
	}
	return found, most
}
