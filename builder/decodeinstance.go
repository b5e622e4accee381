package builder

import (
	"bytes"

	"github.com/perfblock/perfblock/layout"
)

// What follows runs for each instance. So it makes no path, which is large, before
// it knows of a fault or a loss, and allocates nothing for one instance alone.

func (b *blocks) instances(v layout.Object, out *Object) (end int64, err error) {
	body, err := v.Body()
	if err != nil {
		return 0, err
	}
	n := mostInstances(v, body.Len(), b.need)
	out.Instances = make([]Instance, 0, n)
	for in, err := range v.Instances() {
		if err != nil {
			return 0, err
		}
		out.Instances = append(out.Instances, Instance{})
		instance := &out.Instances[len(out.Instances)-1]
		times := n - len(out.Instances) + 1
		if err := b.instance(in, out, instance, times); err != nil {
			return 0, err
		}
		block, err := in.Block()
		if err != nil {
			return 0, err
		}
		if instance.Values, instance.Texts, err = b.values(block, times); err != nil {
			return 0, err
		}
		if len(out.Instances) == 1 {
			out.BlockLength = b.length(block)
		} else if uint64(out.blockLength(0, b.need)) != uint64(block.Len()) {
			instance.BlockLength = uint32(block.Len())
		}
		end = block.End()
	}
	return end, nil
}

// mostInstances returns NumInstances, or fewer where the bytes cannot hold as many
// with blocks as long as the counters need.
func mostInstances(v layout.Object, bytes int, need uint32) int {
	least := uint64(layout.PERF_INSTANCE_DEFINITION.Size) + uint64(need)
	return int(min(uint64(v.NumInstances()), uint64(bytes)/least))
}

// instance decodes all of one but its block. times is how many are to come, as far
// as is known, this one included.
func (b *blocks) instance(v layout.Instance, o *Object, out *Instance, times int) error {
	r := &layout.PERF_INSTANCE_DEFINITION
	out.ParentObjectTitleIndex, out.ParentObjectInstance = v.ParentObjectTitleIndex(), v.ParentObjectInstance()
	if id := v.UniqueID(); id != layout.PERF_NO_UNIQUE_ID {
		out.UniqueID = &b.ids.take(1, times)[0]
		*out.UniqueID = id
	}
	if v.Len()%layout.Align != 0 {
		return broken(v.Path(), r, v.Span, "ByteLength", layout.ErrAlign, "%d is no multiple of 8", v.Len())
	}
	name, err := v.Name()
	if err != nil {
		return err
	}
	if uint64(v.NameOffset()) > uint64(v.Len()) {
		return broken(v.Path(), r, v.Span, "NameOffset", layout.ErrBounds, "%d is more than the instance's %d bytes", v.NameOffset(), v.Len())
	}
	var plain bool
	if out.Name, plain = b.plainName(name, times); !plain {
		if out.Name, err = b.name(name, v.Path().Field("Name"), false); err != nil {
			return err
		}
	}
	if out.Name != "" && v.NameOffset() != r.Size || out.Name == "" && name.Len() == 0 {
		out.NameOffset = v.NameOffset()
	}
	rest, _ := v.Sub(uint64(r.Size), uint64(v.Len())-uint64(r.Size))
	if at := int(name.Off() - rest.Off()); !isZero(rest.Bytes()[:at]) || !isZero(rest.Bytes()[at+name.Len():]) {
		if err := b.around(rest, name, v.Path()); err != nil {
			return err
		}
	}
	if o.measure(out).whole != uint64(v.Len()) {
		out.ByteLength = uint32(v.Len())
	}
	return nil
}

// plainName returns the name, and whether it is one of which nothing is lost. Of any
// other [decoder.name] says what.
func (d *decoder) plainName(n layout.Name, times int) (string, bool) {
	if n.Len() == 0 {
		return "", true
	}
	end := n.Len() - n.Unit()
	if end <= 0 || !n.Terminated() {
		return "", false
	}
	text := n.Bytes()[:end]
	if n.CodePage != 0 {
		if bytes.IndexByte(text, 0) >= 0 {
			return "", false
		}
		return d.strings.add(text, times), true
	}
	if n.IndexNUL() != end {
		return "", false
	}
	return d.plainUTF16(text, times)
}

// plainUTF16 returns the text of UTF-16LE, and whether it is one.
func (d *decoder) plainUTF16(b []byte, times int) (string, bool) {
	text, ok := appendText(d.scratch[:0], b)
	d.scratch = text
	if !ok {
		return "", false
	}
	return d.strings.add(text, times), true
}
