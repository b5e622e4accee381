package builder

import "github.com/perfblock/perfblock/layout"

// UnmarshalBinary sets *t to the model of the template b. It is as
// [DataBlock.UnmarshalBinary].
func (t *CounterSetInfo) UnmarshalBinary(b []byte) error {
	_, err := t.decode(b, false)
	return err
}

// UnmarshalLossy is to [CounterSetInfo.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (t *CounterSetInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return t.decode(b, true) }

func (t *CounterSetInfo) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	r, d := &layout.PERF_COUNTERSET_INFO, newDecoder(b, lossy)
	v, err := layout.ReadCounterSetInfo(b)
	if err != nil {
		return nil, err
	}
	out := CounterSetInfo{CounterSetGuid: v.CounterSetGuid(), ProviderGuid: v.ProviderGuid(), InstanceType: v.InstanceType()}
	n, err := rowCount(r, &layout.PERF_COUNTER_INFO, v.Span, v.NumCounters())
	if err != nil {
		return nil, err
	}
	if v.NumCounters() == 0 {
		return nil, broken(layout.Path{}, r, v.Span, "NumCounters", ErrCount, noCounters)
	}
	out.Counters = make([]CounterInfo, 0, n)
	for c, err := range v.Counters() {
		if err != nil {
			return nil, err
		}
		counter, err := d.templateCounter(c)
		if err != nil {
			return nil, err
		}
		out.Define(counter)
	}
	if err := d.behind(b, v.Len()); err != nil {
		return nil, err
	}
	if _, err := out.plan(); err != nil {
		return nil, placed(err, layout.TemplateKind, b)
	}
	*t = out
	return d.list(), nil
}

func (d *decoder) templateCounter(v layout.CounterInfo) (CounterInfo, error) {
	r, path := &layout.PERF_COUNTER_INFO, v.Path()
	out := CounterInfo{CounterId: v.CounterId(), Type: v.Type(), Offset: v.Offset()}
	var err error
	if out.Attrib, err = d.attrib(path, r, v.Span, v.Attrib()); err != nil {
		return out, err
	}
	switch computed := out.size(); v.Size() {
	case computed:
	case 0:
		if err := d.loseField(path, r, v.Span, "Size", "0 instead of %d", computed); err != nil {
			return out, err
		}
	default:
		out.Size = v.Size()
	}
	if out.DetailLevel, err = d.setLevel(path, r, v.Span, v.DetailLevel()); err != nil {
		return out, err
	}
	out.Scale, err = d.setScale(path, r, v.Span, "Scale", v.Scale())
	return out, err
}
