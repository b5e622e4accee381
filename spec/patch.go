package spec

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
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
	WritePart             // writes Bytes from the start of the part at At; the part must be long enough
	WriteBytes            // writes Bytes from At on; the block must be long enough
	CutPart               // removes the part at At
	CutRange              // removes the bytes from At up to, but not including, To
	Insert                // inserts Bytes before the byte at At
	Append                // appends Bytes to the block
)

// A Place is a position in a block.
type Place struct {
	Path   layout.Path // the place is the start of this part, if Path is set and End is not
	Offset uint64      // the place, if neither Path nor End is set
	End    bool        // the place is the end of the block, also if Path is set
}

// patchExamples has an example of a patch for each of the operations cut, insert and append.
var patchExamples = map[string]string{"cut": "{cut: {from: 0, to: 4}}", "insert": `{insert: {at: 0, hex: "00"}}`, "append": `{append: {hex: "00"}}`}

var bytesMapping = form.Mapping[Patch]{
	Name: "writeBytes", What: "a patch that writes bytes",
	Doc: "Writes bytes over the block, starting at a place. The bytes must not extend past the end of the block.",
	Foreign: func(word string) error {
		if example := patchExamples[word]; example != "" {
			return fmt.Errorf("a patch has only one operation; make %s a separate patch in its own braces, as in %s", word, example)
		}
		return nil
	},
	Keys: []form.Key[Patch]{
		{Name: "at", Form: placeForm, Required: true, Doc: "The place: the first byte of the part at a path, or an offset in the block.", Field: func(p *Patch) any { return &p.At }},
		{Name: "hex", Form: hexForm, Required: true, Doc: "The bytes.", Field: func(p *Patch) any { return &p.Bytes }},
	},
}

var insertMapping = form.Mapping[Patch]{
	Name: "insert", What: "insert", Example: " such as " + patchExamples["insert"],
	Doc:  "Inserts bytes before the byte at a place.",
	Keys: bytesMapping.Keys,
}

var appendMapping = form.Mapping[Patch]{
	Name: "append", What: "append", Example: " such as " + patchExamples["append"],
	Doc:  "Appends bytes to the block.",
	Keys: bytesMapping.Keys[1:],
	Foreign: func(word string) error {
		if word == "at" {
			return errors.New("the key \"at\" is not allowed in an append, which adds bytes at the end of the block; use an insert to add bytes at a place")
		}
		return nil
	},
}

var rangeMapping = form.Mapping[Patch]{
	Name: "range", What: "cut",
	Doc: "Removes the bytes from the place `from` to the place `to`.",
	Keys: []form.Key[Patch]{
		{Name: "from", Form: placeForm, Required: true, Doc: "The first byte to remove.", Field: func(p *Patch) any { return &p.At }},
		{Name: "to", Form: endForm, Required: true, Doc: "The first byte to keep, or `end`.", Field: func(p *Patch) any { return &p.To }},
	},
}

// An operation is a patch with the key cut, insert or append.
type operation struct {
	name   string
	doc    string
	schema form.Members
	read   func(n *yaml.Node, p *Patch) error
}

var operations = []operation{
	{"cut", "Removes the part at a path, or the bytes of a range. Cuts must not overlap.", form.AnyOf(pathSchema, form.Ref("range")), readCut},
	{"insert", "Inserts bytes before the byte at a place. An insert between bytes that a cut removes is an error.", form.Ref("insert"), readInsert},
	{"append", "Appends bytes to the block.", form.Ref("append"), func(n *yaml.Node, p *Patch) error { p.Op = Append; return appendMapping.Read(n, p) }},
}

var patchesForm = &form.Form{
	Name:   "list of patches",
	Schema: form.ListSchema(form.Ref("patch")),
	Read: func(n *yaml.Node, to any) error {
		if excess := yamltext.Item(n, maxPatches); excess != nil {
			return yamltext.On(excess, "more than %d patches", maxPatches)
		}
		out := to.(*[]Patch)
		return form.ReadEach(n, func(i int, n *yaml.Node) error {
			var p Patch
			err := readPatch(n, &p)
			*out = append(*out, p)
			return yamltext.Under(fmt.Sprintf("patch %d", i+1), n, err)
		})
	},
	Zero: func(from any) bool { return len(*from.(*[]Patch)) == 0 },
	Write: func(w *form.Writer, from any, indent string) error {
		list := *from.(*[]Patch)
		if len(list) > maxPatches {
			return fmt.Errorf("the list has %d patches, must have at most %d", len(list), maxPatches)
		}
		return form.WriteEach(w, len(list), indent, "", func(i int) error {
			if err := list[i].write(w); err != nil {
				return fmt.Errorf("patch %d: %w", i+1, err)
			}
			return nil
		})
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
		return bytesMapping.Read(n, p)
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
	// Only a cut accepts the word "end" as a place. In an insert, the word is a likely mistake, so its error has a hint.
	if place := yamltext.Child(n, "at"); place != nil && place.Kind == yaml.ScalarNode && place.Value == "end" {
		return yamltext.On(place, "the key \"at\" is \"end\", must be the place of a byte; use an append to add bytes at the end of the block")
	}
	p.Op = Insert
	return insertMapping.Read(n, p)
}

func readCut(n *yaml.Node, p *Patch) (err error) {
	if n.Kind == yaml.MappingNode {
		p.Op = CutRange
		return rangeMapping.Read(n, p)
	}
	if yamltext.IsNumber(n) {
		return yamltext.Want(n, "a path such as "+examplePath+", or a range such as {from: 0, to: 4}")
	}
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
		return hexForm.Read(digits, &p.Bytes)
	}
	p.Op = WriteNumber
	steps := p.At.Path.Elems()
	last := steps[len(steps)-1]
	if n.Kind == yaml.ScalarNode && isGUID(last) {
		var id layout.GUID
		p.Op = WritePart
		err := form.GUID.Read(n, &id)
		p.Bytes = wire.GUID(id).Append(nil)
		return err
	}
	if n.Kind == yaml.ScalarNode && !yamltext.IsNumber(n) && !yamltext.IsNull(n) {
		if named := namedForms[last.Name]; named != nil {
			return named.Read(n, (*form.Number)(&p.Number))
		}
	}
	number, err := form.ParseNumber(n)
	if p.Number = Number(number); err == nil || yamltext.IsNumber(n) {
		return err
	}
	if last.Name == "Name" || last.Name == "SystemName" || last.Name == "Text" {
		return yamltext.Want(n, "bytes, {hex: \"…\"}")
	}
	return yamltext.Want(n, "a whole number, or bytes, {hex: \"…\"}")
}

var placeForm = &form.Form{
	Name:   "a path, or an offset in the block",
	Schema: form.AnyOf(pathSchema, form.IntegerSchema(clock)),
	Read: func(n *yaml.Node, to any) (err error) {
		p := to.(*Place)
		if !yamltext.IsNumber(n) {
			p.Path, err = parsePath(n)
			return err
		}
		offset, err := clock.Read(n)
		if offset.Negative {
			err = layout.Faultf(layout.ErrRange, "%v is before the start of the block; offsets count from 0", offset)
		}
		p.Offset = offset.Magnitude
		return err
	},
	Zero: func(any) bool { return false },
	Write: func(w *form.Writer, from any, _ string) error {
		switch p := from.(*Place); {
		case p.End:
			return errors.New("has End set, but only a cut can end there; use an append to add bytes at the end of the block")
		case strings.Contains(p.Path.String(), "["): // a bracket requires quotes inside braces
			w.Addf(" %q", p.Path)
		case p.Path != layout.Path{}:
			w.Addf(" %v", p.Path)
		default:
			w.Addf(" 0x%x", p.Offset)
		}
		return nil
	},
}

var endForm = &form.Form{
	Name:   `a path, an offset in the block, or the word "end" for the end of the block`,
	Schema: form.AnyOf(form.EnumSchema("end"), pathSchema, form.IntegerSchema(clock)),
	Read: func(n *yaml.Node, to any) error {
		if n.Kind == yaml.ScalarNode && n.Value == "end" {
			to.(*Place).End = true
			return nil
		}
		return placeForm.Read(n, to)
	},
	Zero: placeForm.Zero,
	Write: func(w *form.Writer, from any, indent string) error {
		if from.(*Place).End {
			w.Add(" end")
			return nil
		}
		return placeForm.Write(w, from, indent)
	},
}

var hexForm = &form.Form{
	Name:   `bytes of two hexadecimal digits each, such as "00 ff"`,
	Schema: form.Members{{"type", []string{"string", "integer"}}, {"pattern", `^\s*([0-9A-Fa-f]\s*[0-9A-Fa-f]\s*)*$`}},
	Read: func(n *yaml.Node, to any) error {
		b, err := readHex(n)
		if err == nil && len(b) == 0 {
			err = errNoByte
		}
		*to.(*[]byte) = b
		return err
	},
	Zero: func(any) bool { return false },
	Write: func(w *form.Writer, from any, _ string) error {
		b := *from.(*[]byte)
		if len(b) == 0 {
			return errNoByte
		}
		w.Addf(" \"% x\"", b)
		return nil
	},
}

var errNoByte = errors.New("is empty, must have at least one byte")

// checkPath returns an error if the operation requires a path, but the path is not set.
func (p *Patch) checkPath() error {
	switch p.Op {
	case WriteNumber, WritePart, CutPart:
		if p.At.Path == (layout.Path{}) {
			return fmt.Errorf("At.Path is not set, must be a path such as %s", examplePath)
		}
	}
	return nil
}

func (p *Patch) write(w *form.Writer) error {
	if err := p.checkPath(); err != nil {
		return err
	}
	switch p.Op {
	case WriteNumber:
		number := p.Number.String()
		if steps := p.At.Path.Elems(); len(steps) > 0 && namedForms[steps[len(steps)-1].Name] == typeForm && dword.Holds(form.Number(p.Number)) {
			number = layout.CounterType(p.Number.Magnitude).String()
		}
		w.Addf("%v: %s", p.At.Path, number)
	case WritePart:
		w.Addf("%v: {hex:", p.At.Path)
		err := hexForm.Write(w, &p.Bytes, "")
		w.Add("}")
		return err
	case WriteBytes:
		return bytesMapping.WriteBraced(w, p)
	case CutPart:
		w.Addf("cut: %v", p.At.Path)
	case CutRange:
		w.Add("cut: ")
		return rangeMapping.WriteBraced(w, p)
	case Insert:
		w.Add("insert: ")
		return insertMapping.WriteBraced(w, p)
	case Append:
		w.Add("append: ")
		return appendMapping.WriteBraced(w, p)
	default:
		return fmt.Errorf("Op is %d, must be a constant of type Op", p.Op)
	}
	return nil
}
