package spec

import (
	"errors"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// place returns the node of what an error of the builder is about, or the nearest
// around it; nil if there is no text.
func (s *Spec) place(err error) *yaml.Node {
	fault, ok := errors.AsType[*layout.Error](err)
	if !ok || fault.Path == (layout.Path{}) || s.root == nil {
		return s.root
	}
	steps := fault.Path.Elems()
	n := s.root
	if s.Kind() == layout.RegCounterKind { // whose text is that of the one counter
		steps = steps[1:]
	}
	for i, step := range steps {
		switch last := i == len(steps)-1; {
		case last && i == 0 && step.Name == "HeaderLength": // which the offset of the name makes too long
			return nearestOf(child(n, step.Name), child(n, "SystemNameOffset"), n)
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
		return nearestOf(child(n, "values"), n) // values where there should be none
	case whole && errors.Is(err, builder.ErrTooLarge): // with it the block is too long
		return nearestOf(longest(s.root), n)
	}
	return n
}

// lists are the keys under which the text has what a path counts.
var lists = map[string]string{
	"object": "objects", "instance": "instances", "counter": "counters", "result": "results", "identifier": "identifiers",
	"entry": "strings", "value": "values", "data": "values", "slot": "values",
}

// stepInto returns the node that a step of a path leads to from n, or the list that
// should have it; nil if there is none.
func stepInto(n *yaml.Node, step layout.Elem) *yaml.Node {
	switch {
	case step.Name == "block": // a counter block, of which the text has the values
		return child(n, "values")
	case !step.Indexed:
		return nearestOf(child(n, step.Name), child(n, lowerFirst(step.Name)))
	}
	list := n
	if n.Kind == yaml.MappingNode {
		list = child(n, lists[step.Name])
	}
	switch {
	case step.Name == "counter":
		counter, isBase := writtenCounter(list, step.Index)
		if isBase {
			return child(counter, "withBase")
		}
		return counter
	case lists[step.Name] == "values":
		return nearestOf(item(list, step.Index), list)
	}
	return item(list, step.Index)
}

// lowerFirst returns the name that the text has for a field of the model that the format
// does not have.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// writtenCounter returns the item of counters that the model's counter i comes
// from, and whether it is there as the base of that item.
func writtenCounter(counters *yaml.Node, i int) (n *yaml.Node, isBase bool) {
	if counters == nil {
		return nil, false
	}
	for _, n := range items(counters) {
		if i == 0 {
			return n, false
		}
		i--
		if flag := child(n, "withBase"); flag != nil && flag.Tag == "!!bool" && (flag.Value[0]|0x20) == 't' {
			if i == 0 {
				return n, true
			}
			i--
		}
	}
	return nil, false
}

// nearestOf returns the first node there is.
func nearestOf(nodes ...*yaml.Node) *yaml.Node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

// placeOfPatch returns the node of the part of a patch that is at fault.
func (s *Spec) placeOfPatch(fault *patchError) *yaml.Node {
	patch := item(child(s.root, "patches"), fault.index)
	if patch == nil || len(patch.Content) < 2 {
		return s.root
	}
	opener, value := patch.Content[0], patch.Content[1]
	inner := value
	if child(patch, "at") != nil {
		inner = patch
	}
	switch fault.part {
	case thePlace:
		return nearestOf(child(inner, "at"), child(inner, "from"), scalarOf(opener.Value, value), opener)
	case theEnd:
		return nearestOf(child(inner, "to"), value)
	}
	return nearestOf(child(inner, "hex"), value)
}

// scalarOf returns the path of a cut; other patches have theirs in their key.
func scalarOf(opener string, value *yaml.Node) *yaml.Node {
	if opener == "cut" {
		return value
	}
	return nil
}
