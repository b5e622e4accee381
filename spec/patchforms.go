package spec

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

var placeForm = &form{
	name:   "a path, or an offset of the block",
	schema: anyOf(pathSchema, integerSchema(clock)),
	read: func(n *yaml.Node, to any) error {
		p := to.(*Place)
		var err error
		if isNumber(n) {
			var v Number
			v, err = clock.read(n)
			p.Offset = v.Magnitude
		} else {
			p.Path, err = parsePath(n)
		}
		return err
	},
	zero: func(any) bool { return false },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		switch p := from.(*Place); {
		case p.End:
			return append(b, " end"...), nil
		case p.Path != layout.Path{}:
			return appendPath(append(b, ' '), p.Path, true), nil
		default:
			return fmt.Appendf(b, " 0x%x", p.Offset), nil
		}
	},
}

var endForm = &form{
	name:   "a path, an offset of the block, or end",
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
	name:   `bytes, two hexadecimal digits each, such as "00 ff"`,
	schema: hexSchema,
	read: func(n *yaml.Node, to any) error {
		b, err := readHex(n)
		if err == nil && len(b) == 0 {
			err = errors.New("no bytes, so nothing would be done")
		}
		*to.(*[]byte) = b
		return err
	},
	zero: func(any) bool { return false },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		return fmt.Appendf(b, " \"% x\"", *from.(*[]byte)), nil
	},
}

// append appends the text of the patch.
func (p *Patch) append(b []byte) ([]byte, error) {
	switch p.Op {
	case WriteNumber, WritePart:
		b = append(appendPath(b, p.At.Path, false), ": "...)
		if p.Op == WritePart {
			return appendHex(b, string(p.Bytes)), nil
		}
		if steps := p.At.Path.Elems(); len(steps) > 0 && isType(steps[len(steps)-1]) && dword.holds(p.Number) {
			return append(b, layout.CounterType(p.Number.Magnitude).String()...), nil
		}
		return append(b, p.Number.String()...), nil
	case WriteBytes:
		return braced(b, &bytesMapping, p)
	case CutPart:
		return appendPath(append(b, "cut: "...), p.At.Path, false), nil
	case CutRange:
		return braced(append(b, "cut: "...), &rangeMapping, p)
	case Insert:
		return braced(append(b, "insert: "...), &insertMapping, p)
	case Append:
		return braced(append(b, "append: "...), &appendMapping, p)
	}
	return nil, fmt.Errorf("an Op of %d", p.Op)
}

func braced(b []byte, m *mapping[Patch], p *Patch) ([]byte, error) {
	b, err := m.write(append(b, '{'), p, "", comma)
	return append(b, '}'), err
}
