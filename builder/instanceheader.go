package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// InstanceList is the result of PerfEnumerateCounterSetInstances: the instances of a counter
// set, without values. It may be empty.
type InstanceList []InstanceHeader

// An InstanceHeader is an instance of an [InstanceList]. [QueryInstance] has the same fields and describes them.
// Source: PERF_INSTANCE_HEADER.
type InstanceHeader struct {
	Name       string
	InstanceId uint32
	Size       uint32
}

// AppendBinary appends the list to b and returns the extended slice, like [QueryData.AppendBinary].
func (l InstanceList) AppendBinary(b []byte) ([]byte, error) { return appendList(b, l, "instance") }

// MarshalBinary returns the list. Its errors are those of [InstanceList.AppendBinary].
func (l InstanceList) MarshalBinary() ([]byte, error) { return l.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the list takes. Its errors are those of
// [InstanceList.AppendBinary].
func (l InstanceList) EncodedLen() (int, error) { return planList(l, "instance") }

// UnmarshalBinary sets *l to the model of the instances that fill b, like
// [DataBlock.UnmarshalBinary].
func (l *InstanceList) UnmarshalBinary(b []byte) error {
	return errorOnly(unmarshal(l, b, false, (*decoder).instanceList))
}

// UnmarshalLossy is like UnmarshalBinary, but drops and lists data that the model cannot hold. See
// [DataBlock.UnmarshalLossy].
func (l *InstanceList) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(l, b, true, (*decoder).instanceList)
}

func (in *InstanceHeader) plan() (uint64, error) {
	return planName(&layout.PERF_INSTANCE_HEADER, in.Name, in.Size)
}

// append appends a valid header with its name.
func (in *InstanceHeader) append(b []byte) []byte {
	r := &layout.PERF_INSTANCE_HEADER
	whole := max(uint64(in.Size), sizeWithName(r, in.Name))
	b = wire.InstanceHeader{Size: uint32(whole), InstanceId: in.InstanceId}.Append(b)
	return appendName(b, r, in.Name, whole)
}

// instanceList decodes the instances that fill b.
func (d *decoder) instanceList(b []byte) (InstanceList, error) {
	var out InstanceList
	for v, err := range layout.ReadInstanceHeaders(b) {
		if err != nil {
			return nil, err
		}
		in := InstanceHeader{InstanceId: v.InstanceId()}
		if in.Name, in.Size, err = d.nameAndSize(v.Span, &layout.PERF_INSTANCE_HEADER, v.Name(), estimateCount(b, v.Span), v.Path); err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}
