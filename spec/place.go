package spec

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// place returns the node of the value that an error of the builder is about, or the nearest
// node around it. It returns nil without a text.
func (s *Spec) place(err error) *yaml.Node {
	fault, ok := errors.AsType[*layout.Error](err)
	if !ok || fault.Path == (layout.Path{}) || s.root == nil {
		return s.root
	}
	steps := fault.Path.Elems()
	n := s.root
	if s.Kind() == layout.RegCounterKind { // the text is that of the one counter
		steps = steps[1:]
	}
	for i, step := range steps {
		switch last := i == len(steps)-1; {
		case last && i == 0 && step.Name == "HeaderLength": // too long because of the name's offset
			return nearestOf(yamltext.Child(n, step.Name), yamltext.Child(n, "SystemNameOffset"), n)
		case last && step.Name == "TotalByteLength":
			return nearestOf(longest(n), n)
		}
		next := stepInto(n, step)
		if next == nil {
			return n
		}
		n = next
	}
	switch whole := len(steps) > 0 && steps[len(steps)-1].Indexed && n.Kind == yaml.MappingNode; {
	case whole && errors.Is(err, builder.ErrCount):
		return nearestOf(yamltext.Child(n, "values"), n) // values of an object that has instances
	case whole && errors.Is(err, builder.ErrTooLarge): // with it the block is too long
		return nearestOf(longest(s.root), n)
	}
	return n
}

// lists are the keys of the text for the parts that a path counts.
var lists = map[string]string{
	"object": "objects", "instance": "instances", "counter": "counters", "result": "results", "identifier": "identifiers",
	"entry": "strings", "value": "values", "data": "values", "slot": "values",
}

// stepInto returns the node for a step of a path from n, or the list that should have it, or
// nil.
func stepInto(n *yaml.Node, step layout.Elem) *yaml.Node {
	switch {
	case step.Name == "block": // a counter block, of which the text has the values
		return yamltext.Child(n, "values")
	case !step.Indexed:
		return nearestOf(yamltext.Child(n, step.Name), yamltext.Child(n, lowerFirst(step.Name)))
	}
	list := n
	if n.Kind == yaml.MappingNode {
		list = yamltext.Child(n, lists[step.Name])
	}
	switch {
	case step.Name == "counter":
		counter, isBase := writtenCounter(list, step.Index)
		if isBase {
			return yamltext.Child(counter, "withBase")
		}
		return counter
	case lists[step.Name] == "values":
		return nearestOf(yamltext.Item(list, step.Index), list)
	}
	return yamltext.Item(list, step.Index)
}

// lowerFirst returns the key for a field that the model has and the format does not.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// writtenCounter returns the item of counters that the model's counter i comes from, and
// whether the counter is the base of that item.
func writtenCounter(counters *yaml.Node, i int) (n *yaml.Node, isBase bool) {
	if counters == nil {
		return nil, false
	}
	for _, n := range yamltext.Items(counters) {
		if i == 0 {
			return n, false
		}
		i--
		if flag := yamltext.Child(n, "withBase"); flag != nil && flag.Tag == "!!bool" && (flag.Value[0]|0x20) == 't' {
			if i == 0 {
				return n, true
			}
			i--
		}
	}
	return nil, false
}

// nearestOf returns the first node that is not nil.
func nearestOf(nodes ...*yaml.Node) *yaml.Node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

// lengthKeys are the keys by which a short text can ask for a long block.
var lengthKeys = []string{"HeaderLength", "SystemNameOffset", "blockLength", "NameOffset", "ByteLength", "CounterOffset", "CounterSize", "Size"}

// longLength is more than any of the keys requires in a block of normal length. A block that is
// too long because of a key has a value of at least longLength.
const longLength = 1 << 28

// longest returns the value of the key in n that asks for the most bytes, or nil if none asks
// for more than longLength.
func longest(n *yaml.Node) *yaml.Node {
	found, _ := longestOver(n, longLength)
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

// patchPart is a part of a patch's text that an error points to.
type patchPart uint8

const (
	thePlace patchPart = iota
	theEnd
	theValue
)

// placeOfPatch returns the node of a part of patch i.
func (s *Spec) placeOfPatch(i int, part patchPart) *yaml.Node {
	patch := yamltext.Item(yamltext.Child(s.root, "patches"), i)
	if patch == nil || len(patch.Content) < 2 {
		return s.root
	}
	opener, value := patch.Content[0], patch.Content[1]
	inner := value
	if yamltext.Child(patch, "at") != nil {
		inner = patch
	}
	switch part {
	case thePlace:
		var path *yaml.Node // of a cut; other patches have their path as the key
		if opener.Value == "cut" {
			path = value
		}
		return nearestOf(yamltext.Child(inner, "at"), yamltext.Child(inner, "from"), path, opener)
	case theEnd:
		return nearestOf(yamltext.Child(inner, "to"), value)
	}
	return nearestOf(yamltext.Child(inner, "hex"), value)
}
