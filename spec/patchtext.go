package spec

import (
	"fmt"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// The text of patches. Each is a mapping with one key, which says what is done, or
// is the path of what is written; {at, hex} has two.

var bytesMapping = mapping[Patch]{
	name: "writeBytes", what: "a patch that writes bytes",
	doc: "Writes bytes from a place on, as far as the block goes.",
	keys: []key[Patch]{
		{name: "at", form: placeForm, required: true, doc: "Where: a path, which stands for its first byte, or an offset of the block.", field: func(p *Patch) any { return &p.At }},
		{name: "hex", form: hexForm, required: true, doc: "The bytes.", field: func(p *Patch) any { return &p.Bytes }},
	},
}

var insertMapping = mapping[Patch]{
	name: "insert", what: "insert",
	doc:  "Inserts bytes before those at a place.",
	keys: bytesMapping.keys,
}

var appendMapping = mapping[Patch]{
	name: "append", what: "append",
	doc:  "Appends bytes to the block.",
	keys: bytesMapping.keys[1:],
}

var rangeMapping = mapping[Patch]{
	name: "range", what: "cut",
	doc: "Removes the bytes from one place to another.",
	keys: []key[Patch]{
		{name: "from", form: placeForm, required: true, doc: "The first byte removed.", field: func(p *Patch) any { return &p.At }},
		{name: "to", form: endForm, required: true, doc: "The first byte kept again; `end` for none.", field: func(p *Patch) any { return &p.To }},
	},
}

// A verb is a word that opens a patch.
type verb struct {
	name   string
	doc    string
	schema any
	read   func(n *yaml.Node, p *Patch) error
}

var verbs = []verb{
	{"cut", "Removes a part: the path of it, or the places from and to. Cuts may not overlap.", anyOf(pathSchema, ref("range")), readCut},
	{"insert", "Inserts bytes before those at a place, which is in no cut.", ref("insert"), readInsert},
	{"append", "Appends bytes to the block.", ref("append"), func(n *yaml.Node, p *Patch) error { p.Op = Append; return appendMapping.read(n, p) }},
}

var patchesForm = &form{
	name:   "list of patches",
	schema: listSchema(ref("patch")),
	read: func(n *yaml.Node, to any) error {
		if err := wantList(n); err != nil {
			return err
		}
		if len(n.Content) > maxPatches {
			return faultf(n.Content[maxPatches], "more than %d patches", maxPatches)
		}
		out := to.(*[]Patch)
		for i, n := range n.Content {
			var p Patch
			if err := readPatch(n, &p); err != nil {
				return under(fmt.Sprintf("patch %d", i), n, err)
			}
			*out = append(*out, p)
		}
		return nil
	},
	zero: func(from any) bool { return len(*from.(*[]Patch)) == 0 },
	write: func(b []byte, from any, indent string) ([]byte, error) {
		if n := len(*from.(*[]Patch)); n > maxPatches {
			return nil, fmt.Errorf("%d of them, and there may be %d", n, maxPatches)
		}
		for i, p := range *from.(*[]Patch) {
			var err error
			if b, err = p.append(append(append(b, indent...), "- "...)); err != nil {
				return nil, fmt.Errorf("patch %d: %w", i, err)
			}
		}
		return b, nil
	},
}

func readPatch(n *yaml.Node, p *Patch) error {
	const example = "{at: 0, hex: \"00\"}"
	switch {
	case n.Kind != yaml.MappingNode:
		return fmt.Errorf("a patch is a mapping such as %s, not %s", example, describe(n))
	case len(n.Content) == 0:
		return fmt.Errorf("a patch says what is done, such as %s, and this one is empty", example)
	}
	if child(n, "at") != nil || child(n, "hex") != nil {
		p.Op = WriteBytes
		return bytesMapping.read(n, p)
	}
	name, value := n.Content[0], n.Content[1]
	if len(n.Content) > 2 {
		return faultf(n.Content[2], "a patch has one key; %s belongs to a patch of its own", quote.Short(n.Content[2].Value))
	}
	for _, v := range verbs {
		if v.name == name.Value {
			return under(v.name, value, v.read(value, p))
		}
	}
	path, err := parsePath(name)
	if err != nil {
		return at(name, err)
	}
	p.At.Path = path
	return under(name.Value, value, readWrite(value, p))
}

func readInsert(n *yaml.Node, p *Patch) error {
	// A cut has the word for its other end, so it will be tried here.
	if place := child(n, "at"); place != nil && place.Kind == yaml.ScalarNode && place.Value == "end" {
		return faultf(place, "at: bytes are inserted before a byte; to add them at the end use append")
	}
	p.Op = Insert
	return insertMapping.read(n, p)
}

func readCut(n *yaml.Node, p *Patch) error {
	if n.Kind == yaml.MappingNode {
		p.Op = CutRange
		return rangeMapping.read(n, p)
	}
	var err error
	p.Op = CutPart
	p.At.Path, err = parsePath(n)
	return err
}

// readWrite reads what is written over a part: a number, a name of one, or bytes.
func readWrite(n *yaml.Node, p *Patch) error {
	digits, err := hexMapping(n)
	switch {
	case err != nil:
		return err
	case digits != nil:
		p.Op = WritePart
		return hexForm.read(digits, &p.Bytes)
	}
	p.Op = WriteNumber
	steps := p.At.Path.Elems()
	if n.Kind == yaml.ScalarNode && isGUID(steps[len(steps)-1]) {
		var id layout.GUID
		p.Op = WritePart
		err := guidForm.read(n, &id)
		p.Bytes = wire.GUID(id).Append(nil)
		return err
	}
	if n.Kind == yaml.ScalarNode && !isNumber(n) && n.Tag != "!!null" {
		v, known, err := namedNumber(steps[len(steps)-1].Name, n)
		if known {
			p.Number = v
			return err
		}
	}
	if p.Number, err = parseNumber(n); err == nil || isNumber(n) {
		return err
	}
	if last := steps[len(steps)-1].Name; last == "Name" || last == "SystemName" || last == "Text" {
		return fmt.Errorf("wants bytes, {hex: \"…\"}, not %s", describe(n))
	}
	return fmt.Errorf("wants a whole number, or bytes, {hex: \"…\"}, not %s", describe(n))
}
