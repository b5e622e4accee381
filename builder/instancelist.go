package builder

import "github.com/perfblock/perfblock/layout"

// InstanceList is what PerfEnumerateCounterSetInstances returns: the instances that a
// counter set has, without values. There may be none.
type InstanceList []InstanceHeader

// An InstanceHeader is an instance of an [InstanceList]. Its fields are as those of a
// [QueryInstance].
// Source: PERF_INSTANCE_HEADER.
type InstanceHeader struct {
	Name       string
	InstanceId uint32
	Size       uint32
}

// AppendBinary appends the list to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (l InstanceList) AppendBinary(b []byte) ([]byte, error) { return appendList(b, l, "instance") }

// MarshalBinary returns the list. Its errors are those of [InstanceList.AppendBinary].
func (l InstanceList) MarshalBinary() ([]byte, error) { return l.AppendBinary(nil) }

// EncodedLen returns the bytes that the list takes. Its errors are those of
// [InstanceList.AppendBinary].
func (l InstanceList) EncodedLen() (int, error) {
	n, err := planList(l, "instance")
	return int(n), err
}

func (in *InstanceHeader) plan() (uint64, error) {
	return planNamed(&layout.PERF_INSTANCE_HEADER, in.Name, in.Size)
}

func (in *InstanceHeader) append(b []byte) []byte {
	return appendInstanceHeader(b, in.Name, in.InstanceId, in.Size)
}

// UnmarshalBinary sets *l to the model of the instances that fill b. It is as
// [DataBlock.UnmarshalBinary].
func (l *InstanceList) UnmarshalBinary(b []byte) error {
	_, err := l.decode(b, false)
	return err
}

// UnmarshalLossy is to [InstanceList.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (l *InstanceList) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return l.decode(b, true) }

func (l *InstanceList) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	d := newDecoder(b, lossy)
	var out InstanceList
	for v, err := range layout.ReadInstanceHeaders(b) {
		if err != nil {
			return nil, err
		}
		in := InstanceHeader{InstanceId: v.InstanceId()}
		if in.Name, in.Size, err = d.named(v.Span, &layout.PERF_INSTANCE_HEADER, v.Name(), alike(b, v.Span), v.Path); err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	if _, err := planList(out, "instance"); err != nil {
		return nil, placed(err, layout.InstancesKind, b)
	}
	*l = out
	return d.list(), nil
}
