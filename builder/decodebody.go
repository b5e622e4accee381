package builder

import (
	"github.com/perfblock/perfblock/layout"
)

// body decodes what follows the definitions.
func (d *decoder) body(v layout.Object, out *Object) error {
	body, err := v.Body()
	if err != nil {
		return err
	}
	b, err := newBlocks(d, out)
	if err != nil {
		return within(v.Path(), err)
	}
	end := body.Off()
	switch n := v.NumInstances(); {
	case n == layout.PERF_NO_INSTANCES:
		block, err := v.Block()
		if err != nil {
			return err
		}
		if out.Values, out.Texts, err = b.values(block, v.Path().Field("block")); err != nil {
			return err
		}
		out.BlockLength = b.length(block)
		end = block.End()
	case n > 0:
		if end, err = d.instances(v, out, b); err != nil {
			return err
		}
	}
	if err := d.rest(v, end); err != nil {
		return err
	}
	out.normalize()
	if _, _, found := out.duplicate(); found {
		out.DuplicateNames = true
	}
	return nil
}

// rest judges the bytes from end to that of the object.
func (d *decoder) rest(v layout.Object, end int64) error {
	rest, _ := v.Sub(uint64(end-v.Off()), uint64(v.End()-end))
	if rest.Len() == 0 {
		return nil
	}
	switch n := v.NumInstances(); n {
	case layout.PERF_NO_INSTANCES, layout.PERF_METADATA_NO_INSTANCES:
		return d.lose(v.Path().Field("rest"), rest, "%d bytes behind the object's last", rest.Len())
	case 0:
		// Some readers want a counter block of an object without instances, so some providers write one.
		if block, err := v.Block(); err == nil && block.Len() == rest.Len() {
			return d.lose(v.Path().Field("block"), rest, "a counter block in an object without instances")
		}
	}
	return broken(v.Path(), &layout.PERF_OBJECT_TYPE, v.Span, "TotalByteLength", layout.ErrBounds, "%d, but the object's last byte is at %d", v.TotalByteLength(), end-v.Off())
}

func (d *decoder) instances(v layout.Object, out *Object, b *blocks) (end int64, err error) {
	for in, err := range v.Instances() {
		if err != nil {
			return 0, err
		}
		instance, err := d.instance(in, out)
		if err != nil {
			return 0, err
		}
		block, err := in.Block()
		if err != nil {
			return 0, err
		}
		if instance.Values, instance.Texts, err = b.values(block, in.Path().Field("block")); err != nil {
			return 0, err
		}
		if len(out.Instances) == 0 {
			out.BlockLength = b.length(block)
		} else if uint64(out.blockLength(0, b.need)) != uint64(block.Len()) {
			instance.BlockLength = uint32(block.Len())
		}
		out.Instances = append(out.Instances, instance)
		end = block.End()
	}
	return end, nil
}

func (d *decoder) instance(v layout.Instance, o *Object) (Instance, error) {
	r := &layout.PERF_INSTANCE_DEFINITION
	out := Instance{ParentObjectTitleIndex: v.ParentObjectTitleIndex(), ParentObjectInstance: v.ParentObjectInstance()}
	if id := v.UniqueID(); id != layout.PERF_NO_UNIQUE_ID {
		out.UniqueID = &id
	}
	if v.Len()%layout.Align != 0 {
		return out, broken(v.Path(), r, v.Span, "ByteLength", layout.ErrAlign, "%d is no multiple of 8", v.Len())
	}
	name, err := v.Name()
	if err != nil {
		return out, err
	}
	if uint64(v.NameOffset()) > uint64(v.Len()) {
		return out, broken(v.Path(), r, v.Span, "NameOffset", layout.ErrBounds, "%d is more than the instance's %d bytes", v.NameOffset(), v.Len())
	}
	if out.Name, err = d.name(name, v.Path().Field("Name"), false); err != nil {
		return out, err
	}
	if out.Name != "" && v.NameOffset() != r.Size || out.Name == "" && name.Len() == 0 {
		out.NameOffset = v.NameOffset()
	}
	rest, _ := v.Sub(uint64(r.Size), uint64(v.Len())-uint64(r.Size))
	if err := d.around(rest, name, v.Path()); err != nil {
		return out, err
	}
	if o.measure(&out).whole != uint64(v.Len()) {
		out.ByteLength = uint32(v.Len())
	}
	return out, nil
}
