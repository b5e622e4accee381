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
		if out.Values, out.Texts, err = b.values(block, 1); err != nil {
			return err
		}
		out.BlockLength = b.length(block)
		end = block.End()
	case n > 0:
		if end, err = b.instances(v, out); err != nil {
			return err
		}
	}
	if err := d.rest(v, end); err != nil {
		return err
	}
	out.normalize()
	_, _, found := out.duplicate()
	d.repeats, out.DuplicateNames = append(d.repeats, found), true
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
