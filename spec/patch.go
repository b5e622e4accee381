package spec

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// A Patch is one change to the bytes of an encoded block, to make the block wrong on purpose.
// Its paths and offsets refer to the block before any patch.
type Patch struct {
	Op     Op
	At     Place  // for all operations except Append
	To     Place  // for CutRange
	Number Number // for WriteNumber
	Bytes  []byte // for WritePart, WriteBytes, Insert and Append
}

// Op is the operation of a [Patch].
type Op uint8

const (
	WriteNumber Op = iota // writes Number, little-endian, over the field or value at At
	WritePart             // writes Bytes from the start of the part at At, which must be long enough
	WriteBytes            // writes Bytes from At on; the block must be long enough
	CutPart               // removes the part at At
	CutRange              // removes the bytes from At to To
	Insert                // inserts Bytes before the byte at At
	Append                // appends Bytes to the block
)

// A Place is an offset in a block. If End is set, the place is the end of the block. Otherwise
// it is the offset of the part at Path, or Offset if Path is the zero Path.
type Place struct {
	Path   layout.Path
	Offset uint64
	End    bool
}

// A patch in text form is a mapping with one key: an operation, or the path of the part to write
// over. Only a patch that writes bytes at a place has two keys, at and hex.

// patchExamples has a patch for each operation that is a key.
var patchExamples = map[string]string{"cut": "{cut: {from: 0, to: 4}}", "insert": `{insert: {at: 0, hex: "00"}}`, "append": `{append: {hex: "00"}}`}

var bytesMapping = mapping[Patch]{
	name: "writeBytes", what: "a patch that writes bytes",
	doc: "Writes bytes over the block, starting at a place. The bytes must not extend past the end of the block.",
	foreign: func(word string) string {
		if example := patchExamples[word]; example != "" {
			return fmt.Sprintf("a patch has only one operation; make %s a separate patch in its own braces, as in %s", word, example)
		}
		return ""
	},
	keys: []key[Patch]{
		{name: "at", form: placeForm, required: true, doc: "The place: a path, for its first byte, or an offset in the block.", field: func(p *Patch) any { return &p.At }},
		{name: "hex", form: hexForm, required: true, doc: "The bytes.", field: func(p *Patch) any { return &p.Bytes }},
	},
}

var insertMapping = mapping[Patch]{
	name: "insert", what: "insert", example: " such as " + patchExamples["insert"],
	doc:  "Inserts bytes before the byte at a place.",
	keys: bytesMapping.keys,
}

var appendMapping = mapping[Patch]{
	name: "append", what: "append", example: " such as " + patchExamples["append"],
	doc:  "Appends bytes to the block.",
	keys: bytesMapping.keys[1:],
	foreign: func(word string) string {
		if word == "at" {
			return "append adds bytes at the end of the block, so it has no key at; use insert to add bytes at a place"
		}
		return ""
	},
}

var rangeMapping = mapping[Patch]{
	name: "range", what: "cut",
	doc: "Removes the bytes from one place to another.",
	keys: []key[Patch]{
		{name: "from", form: placeForm, required: true, doc: "The first byte to remove.", field: func(p *Patch) any { return &p.At }},
		{name: "to", form: endForm, required: true, doc: "The first byte to keep, or `end`.", field: func(p *Patch) any { return &p.To }},
	},
}

// An operation is a patch with the key cut, insert or append.
type operation struct {
	name   string
	doc    string
	schema any
	read   func(n *yaml.Node, p *Patch) error
}

var operations = []operation{
	{"cut", "Removes a part, given as its path, or the bytes between two places, from and to. Cuts must not overlap.", anyOf(pathSchema, ref("range")), readCut},
	{"insert", "Inserts bytes before the byte at a place outside all cuts.", ref("insert"), readInsert},
	{"append", "Appends bytes to the block.", ref("append"), func(n *yaml.Node, p *Patch) error { p.Op = Append; return appendMapping.read(n, p) }},
}

var patchesForm = &form{
	name:   "list of patches",
	schema: listSchema(ref("patch")),
	read: func(n *yaml.Node, to any) error {
		if yamltext.Len(n) > maxPatches {
			return yamltext.On(n.Content[maxPatches], "more than %d patches", maxPatches)
		}
		out := to.(*[]Patch)
		return readEach(n, func(i int, n *yaml.Node) error {
			var p Patch
			err := readPatch(n, &p)
			*out = append(*out, p)
			return yamltext.Under(fmt.Sprintf("patches[%d]", i), n, err)
		})
	},
	zero: func(from any) bool { return len(*from.(*[]Patch)) == 0 },
	write: func(w *writer, from any, indent string) error {
		list := *from.(*[]Patch)
		if len(list) > maxPatches {
			return fmt.Errorf("the list has %d patches, must have at most %d", len(list), maxPatches)
		}
		return writeEach(w, len(list), indent, "patch", func(i int) error { return list[i].write(w) })
	},
}

func readPatch(n *yaml.Node, p *Patch) error {
	const example = "such as {at: 0, hex: \"00\"}"
	switch {
	case n.Kind != yaml.MappingNode:
		return yamltext.Want(n, "a mapping "+example)
	case len(n.Content) == 0:
		return fmt.Errorf("is an empty mapping, must have a key %s", example)
	}
	if yamltext.Child(n, "at") != nil || yamltext.Child(n, "hex") != nil {
		p.Op = WriteBytes
		return bytesMapping.read(n, p)
	}
	name, value := n.Content[0], n.Content[1]
	if len(n.Content) > 2 {
		return yamltext.On(n.Content[2], "a patch must have one key; write a separate patch for %s", quote.Short(n.Content[2].Value))
	}
	for _, v := range operations {
		if v.name == name.Value {
			return yamltext.Under(v.name, value, v.read(value, p))
		}
	}
	path, err := parsePath(name)
	if err != nil {
		return yamltext.On(name, "%w", err)
	}
	p.At.Path = path
	return yamltext.Under(name.Value, value, readWrite(value, p))
}

func readInsert(n *yaml.Node, p *Patch) error {
	// cut accepts end, so users will try end here.
	if place := yamltext.Child(n, "at"); place != nil && place.Kind == yaml.ScalarNode && place.Value == "end" {
		return yamltext.On(place, "at: is end, must be a byte to insert before; use append to add bytes at the end")
	}
	p.Op = Insert
	return insertMapping.read(n, p)
}

func readCut(n *yaml.Node, p *Patch) error {
	if n.Kind == yaml.MappingNode {
		p.Op = CutRange
		return rangeMapping.read(n, p)
	}
	if yamltext.IsNumber(n) {
		return yamltext.Want(n, "a path such as "+examplePath+", or a range such as {from: 0, to: 4}")
	}
	var err error
	p.Op = CutPart
	p.At.Path, err = parsePath(n)
	return err
}

// readWrite reads the value to write over a part: a number, the name of a number, a GUID or
// bytes.
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
	last := steps[len(steps)-1]
	if n.Kind == yaml.ScalarNode && isGUID(last) {
		var id layout.GUID
		p.Op = WritePart
		err := guidForm.read(n, &id)
		p.Bytes = wire.GUID(id).Append(nil)
		return err
	}
	if n.Kind == yaml.ScalarNode && !yamltext.IsNumber(n) && !yamltext.IsNull(n) {
		if named := namedForms[last.Name]; named != nil {
			return named.read(n, &p.Number)
		}
	}
	if p.Number, err = parseNumber(n); err == nil || yamltext.IsNumber(n) {
		return err
	}
	if last.Name == "Name" || last.Name == "SystemName" || last.Name == "Text" {
		return yamltext.Want(n, "bytes, {hex: \"…\"}")
	}
	return yamltext.Want(n, "a whole number, or bytes, {hex: \"…\"}")
}

var placeForm = &form{
	name:   "a path, or an offset in the block",
	schema: anyOf(pathSchema, integerSchema(clock)),
	read: func(n *yaml.Node, to any) error {
		p := to.(*Place)
		var err error
		if yamltext.IsNumber(n) {
			var v Number
			if v, err = clock.read(n); v.Negative {
				err = layout.Faultf(layout.ErrRange, "%v is before the start of the block; offsets count from 0", v)
			}
			p.Offset = v.Magnitude
		} else {
			p.Path, err = parsePath(n)
		}
		return err
	},
	zero: func(any) bool { return false },
	write: func(w *writer, from any, _ string) error {
		switch p := from.(*Place); {
		case p.End:
			w.add(" end")
		case strings.Contains(p.Path.String(), "["): // a bracket requires quotes inside braces
			w.addf(" %q", p.Path)
		case p.Path != layout.Path{}:
			w.addf(" %v", p.Path)
		default:
			w.addf(" 0x%x", p.Offset)
		}
		return nil
	},
}

var endForm = &form{
	name:   "a path, an offset in the block, or end",
	schema: anyOf(enumSchema("end"), pathSchema, integerSchema(clock)),
	read: func(n *yaml.Node, to any) error {
		if n.Kind == yaml.ScalarNode && n.Value == "end" {
			to.(*Place).End = true
			return nil
		}
		return placeForm.read(n, to)
	},
	zero:  placeForm.zero,
	write: placeForm.write,
}

var hexForm = &form{
	name:   `bytes of two hexadecimal digits each, such as "00 ff"`,
	schema: hexSchema,
	read: func(n *yaml.Node, to any) error {
		b, err := readHex(n)
		if err == nil && len(b) == 0 {
			err = errors.New("is empty, must have at least one byte")
		}
		*to.(*[]byte) = b
		return err
	},
	zero: func(any) bool { return false },
	write: func(w *writer, from any, _ string) error {
		w.addf(" \"% x\"", *from.(*[]byte))
		return nil
	},
}

// write writes the text of the patch.
func (p *Patch) write(w *writer) error {
	switch p.Op {
	case WriteNumber:
		number := p.Number.String()
		if steps := p.At.Path.Elems(); len(steps) > 0 && isType(steps[len(steps)-1]) && dword.holds(p.Number) {
			number = layout.CounterType(p.Number.Magnitude).String()
		}
		w.addf("%v: %s", p.At.Path, number)
	case WritePart:
		w.addf("%v: {hex: \"% x\"}", p.At.Path, p.Bytes)
	case WriteBytes:
		return bytesMapping.writeBraced(w, p)
	case CutPart:
		w.addf("cut: %v", p.At.Path)
	case CutRange:
		w.add("cut: ")
		return rangeMapping.writeBraced(w, p)
	case Insert:
		w.add("insert: ")
		return insertMapping.writeBraced(w, p)
	case Append:
		w.add("append: ")
		return appendMapping.writeBraced(w, p)
	default:
		return fmt.Errorf("Op is %d, must be a constant of type Op", p.Op)
	}
	return nil
}
