package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

func (d *DataBlock) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	v, err := layout.ReadDataBlock(b)
	if err != nil {
		return nil, err
	}
	dec := newDecoder(b, lossy)
	out, err := dec.header(v)
	if err != nil {
		return nil, err
	}
	end := int64(v.HeaderLength())
	for o, err := range v.Objects() {
		if err != nil {
			return nil, err
		}
		object, err := dec.object(o)
		if err != nil {
			return nil, placed(err, layout.DataBlockKind, b)
		}
		out.Objects = append(out.Objects, object)
		end = o.End()
	}
	here := layout.Path{}
	if end != v.End() {
		return nil, broken(here, &layout.PERF_DATA_BLOCK, v.Span, "TotalByteLength", layout.ErrBounds, "%d, but the last object ends at %d", v.TotalByteLength(), end)
	}
	if len(b) > v.Len() {
		rest := layout.NewSpan(b[v.Len():], v.End())
		if err := dec.lose(here.Field("rest"), rest, "%d bytes behind the TotalByteLength of %d", rest.Len(), v.Len()); err != nil {
			return nil, err
		}
	}
	if _, err := out.plan(); err != nil {
		return nil, placed(err, layout.DataBlockKind, b)
	}
	dec.setRepeats(out.Objects)
	*d = out
	return dec.list(), nil
}

func (d *decoder) header(v layout.DataBlock) (DataBlock, error) {
	r, here := &layout.PERF_DATA_BLOCK, layout.Path{}
	out := DataBlock{DefaultObject: v.DefaultObject()}
	if v.LittleEndian() != 1 {
		return out, broken(here, r, v.Span, "LittleEndian", layout.ErrRange, "%d is neither 0 nor 1", v.LittleEndian())
	}
	if v.HeaderLength()%layout.Align != 0 {
		return out, broken(here, r, v.Span, "HeaderLength", layout.ErrAlign, "%d is no multiple of 8", v.HeaderLength())
	}
	raw := wire.GetDataBlock(v.Bytes())
	err := firstError(
		func() error { return d.want(here, v.Span, "Version", raw.Version, layout.PERF_DATA_VERSION) },
		func() error { return d.want(here, v.Span, "Revision", raw.Revision, layout.PERF_DATA_REVISION) },
		func() error { return d.want(here, v.Span, "Padding", raw.Padding, 0) },
		func() error { return d.systemName(v, &out) },
		func() error { return d.clocks(v, &out) },
	)
	return out, err
}

// want notes a field of the header that is not what every block has there.
func (d *decoder) want(path layout.Path, s layout.Span, field string, got, want uint32) error {
	if got == want {
		return nil
	}
	return d.loseField(path, &layout.PERF_DATA_BLOCK, s, field, "%d instead of %d", got, want)
}

func (d *decoder) systemName(v layout.DataBlock, out *DataBlock) error {
	name, err := v.SystemName()
	if err != nil {
		return err
	}
	path, size := layout.Path{}.Field("SystemName"), uint64(layout.PERF_DATA_BLOCK.Size)
	if out.SystemName, err = d.name(name, path, true); err != nil {
		return err
	}
	var offset uint64
	if out.SystemName != "" {
		offset = size
	}
	if uint64(v.SystemNameOffset()) != offset && (out.SystemName != "" || name.Len() == 0) {
		out.SystemNameOffset = v.SystemNameOffset()
	}
	rest := layout.NewSpan(v.Bytes()[size:v.HeaderLength()], int64(size))
	if err := d.around(rest, name, layout.Path{}); err != nil {
		return err
	}
	plain := *out
	plain.PerfTime100nSec, plain.HeaderLength = 0, 0
	// A name that lost no NUL, because it had none, may need more than there is.
	if p, err := plain.planHeader(); err == nil && p.header < uint64(v.HeaderLength()) {
		out.HeaderLength = v.HeaderLength()
	}
	return nil
}

// around notes what is not zero before and behind a name in s.
func (d *decoder) around(s layout.Span, name layout.Name, path layout.Path) error {
	at := uint64(name.Off() - s.Off())
	before, _ := s.Sub(0, at)
	behind, _ := s.Sub(at+uint64(name.Len()), uint64(s.Len())-at-uint64(name.Len()))
	if err := d.loseUnlessZero(path.Field("gap"), before); err != nil {
		return err
	}
	return d.loseUnlessZero(path.Field("padding"), behind)
}

func (d *decoder) clocks(v layout.DataBlock, out *DataBlock) error {
	c, err := d.keptClocks(v.Span, clocks{&dataBlockClocks, v.SystemTime(), v.PerfTime(), v.PerfFreq(), v.PerfTime100nSec()})
	out.SystemTime, out.PerfTime, out.PerfFreq, out.PerfTime100nSec = c.system, c.ticks, c.freq, c.now
	return err
}

// firstError runs the steps up to the first that fails.
func firstError(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
