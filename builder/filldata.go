package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A dataHeader is that of the data block that a Fill writes, if it writes one.
type dataHeader struct {
	is    bool
	block wire.DataBlock
}

// DataBlock starts a data block, as a consumer gets it: it writes the header that d
// has, and the objects that come next are in it. It stands before the first object.
// d has no Objects; it is not kept.
func (f *Fill) DataBlock(d *DataBlock) {
	switch {
	case f.err != nil:
		return
	case f.objects > 0 || f.data.is:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "a data block inside a block"))
		return
	case d == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "no data block"))
		return
	case len(d.Objects) > 0:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "%d objects in the header of a block; they are filled one by one", len(d.Objects)))
		return
	}
	p, err := d.planHeader()
	if err != nil {
		f.fail(layout.Path{}, err)
		return
	}
	f.data = dataHeader{true, d.record(p)}
	if b := f.take(p.header); b != nil {
		d.appendHeader(b[:0], p)
	} else {
		f.full()
	}
}

// endData writes the lengths of the data block.
func (f *Fill) endData() {
	if f.data.is && f.err == nil && !f.over {
		f.data.block.TotalByteLength = uint32(f.at - len(f.given))
		f.data.block.NumObjectTypes = uint32(f.objects)
		f.data.block.Put(f.b[len(f.given):])
	}
}
