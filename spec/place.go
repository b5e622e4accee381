package spec

import (
	"errors"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// place returns the node of what an error of the builder is about, or the nearest
// around it; nil if there is no text.
func (s *Spec) place(err error) *yaml.Node {
	fault, ok := errors.AsType[*layout.Error](err)
	if !ok || fault.Path == (layout.Path{}) {
		return s.root
	}
	steps := fault.Path.Elems()
	if !steps[0].Indexed {
		around := s.root
		if steps[0].Name == "HeaderLength" { // which the offset of the name makes too long
			around = nearestOf(child(s.root, "SystemNameOffset"), s.root)
		}
		return nearestOf(child(s.root, steps[0].Name), around)
	}
	return placeInObject(item(child(s.root, "objects"), steps[0].Index), steps[1:], err, s.root)
}

// placeInObject returns the node that the rest of a path leads to from an object.
func placeInObject(object *yaml.Node, steps []layout.Elem, err error, around *yaml.Node) *yaml.Node {
	object = nearestOf(object, around)
	switch {
	case len(steps) == 0 && errors.Is(err, builder.ErrCount):
		return nearestOf(child(object, "values"), object) // values where there should be none
	case len(steps) == 0 && errors.Is(err, builder.ErrTooLarge): // with it the block is too long
		return nearestOf(longest(around), object)
	case len(steps) == 0:
		return object
	case steps[0].Name == "TotalByteLength":
		return nearestOf(longest(object), object)
	case steps[0].Name == "block":
		return placeInBlock(object, steps[1:])
	case steps[0].Name == "counter":
		counter, isBase := writtenCounter(child(object, "counters"), steps[0].Index)
		if isBase {
			return nearestOf(child(counter, "withBase"), object)
		}
		return placeOfField(nearestOf(counter, object), steps[1:])
	case steps[0].Name != "instance":
		return placeOfField(object, steps)
	}
	instance := nearestOf(item(child(object, "instances"), steps[0].Index), object)
	if len(steps) > 1 && steps[1].Name == "block" {
		return placeInBlock(instance, steps[2:])
	}
	return placeOfField(instance, steps[1:])
}

// placeInBlock returns the node for a path that starts at the counter block of an
// object or instance.
func placeInBlock(owner *yaml.Node, steps []layout.Elem) *yaml.Node {
	values := nearestOf(child(owner, "values"), owner)
	if len(steps) > 0 && steps[0].Name == "value" {
		return nearestOf(item(values, steps[0].Index), values)
	}
	return values
}

// placeOfField returns the node of a field of an object, counter or instance.
func placeOfField(owner *yaml.Node, steps []layout.Elem) *yaml.Node {
	if len(steps) == 0 {
		return owner
	}
	name := steps[0].Name
	switch name { // the fields that the text has under names of its own
	case "Name":
		name = "name"
	case "BlockLength":
		name = "blockLength"
	}
	return nearestOf(child(owner, name), owner)
}

// writtenCounter returns the item of counters that the model's counter i comes
// from, and whether it is there as the base of that item.
func writtenCounter(counters *yaml.Node, i int) (n *yaml.Node, isBase bool) {
	for at := 0; counters != nil && at < len(counters.Content); at++ {
		n := counters.Content[at]
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
