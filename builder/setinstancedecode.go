package builder

import "github.com/perfblock/perfblock/layout"

// UnmarshalBinary sets *in to the model of the instance b. It is as
// [DataBlock.UnmarshalBinary].
func (in *CounterSetInstance) UnmarshalBinary(b []byte) error {
	_, err := in.decode(b, false)
	return err
}

// UnmarshalLossy is to [CounterSetInstance.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (in *CounterSetInstance) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return in.decode(b, true)
}

func (in *CounterSetInstance) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	d := newDecoder(b, lossy)
	v, err := layout.ReadCounterSetInstance(b)
	if err != nil {
		return nil, err
	}
	out := CounterSetInstance{CounterSetGuid: v.CounterSetGuid(), InstanceId: v.InstanceId()}
	if err := d.slotValues(v, &out); err != nil {
		return nil, err
	}
	if err := d.instanceName(v, &out); err != nil {
		return nil, err
	}
	if err := d.behind(b, v.Len()); err != nil {
		return nil, err
	}
	if _, err := out.plan(); err != nil {
		return nil, placed(err, layout.InstanceBlockKind, b)
	}
	*in = out
	return d.list(), nil
}

// slotValues decodes the values, of which the place of the name tells the number.
func (d *decoder) slotValues(v layout.CounterSetInstance, out *CounterSetInstance) error {
	r, here, at := &layout.PERF_COUNTERSET_INSTANCE, layout.Path{}, v.InstanceNameOffset()
	if at < r.Size || uint64(at) > uint64(v.Len()) {
		return broken(here, r, v.Span, "InstanceNameOffset", layout.ErrBounds, "%d is not behind the structure and in the %d bytes of the instance", at, v.Len())
	}
	n, gap := (at-r.Size)/slotBytes, (at-r.Size)%slotBytes
	if n > 0 {
		out.Values = make([]uint64, 0, n)
	}
	for slot := range v.Slots() {
		out.Values = append(out.Values, le.Uint64(slot.Bytes()))
	}
	if gap == 0 {
		return nil
	}
	return d.loseField(here, r, v.Span, "InstanceNameOffset", "%d leaves %d bytes behind the last value", at, gap)
}

// instanceName decodes the name, which [decoder.slotValues] has found in its place, and what
// stands behind it.
func (d *decoder) instanceName(v layout.CounterSetInstance, out *CounterSetInstance) error {
	r, here := &layout.PERF_COUNTERSET_INSTANCE, layout.Path{}
	name, err := v.Name()
	if err != nil {
		return err
	}
	if name.Len() == 0 {
		err = d.loseField(here, r, v.Span, "InstanceNameSize", "0 has no room for a NUL")
	} else {
		out.Name, err = d.text(name, 1, "Name", rootPath)
	}
	if err != nil {
		return err
	}
	end := uint64(v.InstanceNameOffset()) + uint64(v.InstanceNameSize())
	padding, _ := v.Sub(end, uint64(v.Len())-end)
	if err := d.loseUnlessZero(here.Field("padding"), padding); err != nil {
		return err
	}
	if want := up(end, layout.Align); uint64(v.Len()) != want {
		return d.loseField(here, r, v.Span, "dwSize", "%d instead of %d", v.Len(), want)
	}
	return nil
}
