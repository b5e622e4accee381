package builder

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// A plan is all that is known of an object's bytes before one is written: every
// size fits, every value has its place. Writing a plan cannot fail.
type plan struct {
	slotting
	definitions uint32 // DefinitionLength
	total       uint32 // TotalByteLength
	instances   int32  // NumInstances
	now         int64  // the header's PerfTime100nSec
}

// plan checks the object and measures it. now is the header's PerfTime100nSec.
func (o *Object) plan(now int64) (plan, error) {
	p, err := o.planDefinitions()
	if err != nil {
		return plan{}, err
	}
	p.now = now
	body, err := o.planBody(&p)
	if err != nil {
		return plan{}, err
	}
	total := uint64(p.definitions) + body
	if total > math.MaxUint32 {
		return plan{}, fault(layout.Path{}, "TotalByteLength", ErrTooLarge, "the object takes %d bytes, which does not fit 32 bits", total)
	}
	p.total = uint32(total)
	return p, nil
}

// planDefinitions checks and measures what stands before the instances.
func (o *Object) planDefinitions() (plan, error) {
	var p plan
	if err := o.checkHeader(); err != nil {
		return plan{}, err
	}
	if err := o.checkCounters(); err != nil {
		return plan{}, err
	}
	var err error
	if p.slotting, err = slotCounters(o.Counters, o.widest()); err != nil {
		return plan{}, err
	}
	if err := o.checkBlockLength(o.BlockLength, p.need); err != nil {
		return plan{}, err
	}
	n := definitionLength(len(o.Counters))
	if n > math.MaxUint32 {
		return plan{}, fault(layout.Path{}, "DefinitionLength", ErrTooLarge, "the definitions take %d bytes, which does not fit 32 bits", n)
	}
	p.definitions = uint32(n)
	return p, nil
}

// definitionLength returns what stands before the instances of an object of so many counters.
func definitionLength(counters int) uint64 {
	return uint64(layout.PERF_OBJECT_TYPE.Size) + uint64(counters)*uint64(layout.PERF_COUNTER_DEFINITION.Size)
}

// planBody checks and measures what follows the definitions.
func (o *Object) planBody(p *plan) (uint64, error) {
	p.instances = o.NumInstances
	if o.NumInstances != 0 && len(o.Instances) > 0 {
		return 0, fault(layout.Path{}, "NumInstances", ErrCount, "%s goes with no instances, and there are %d", layout.InstancesName(o.NumInstances), len(o.Instances))
	}
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		v := values{o.Counters, o.Values, o.Texts}
		return uint64(o.blockLength(0, p.need)), within(layout.Path{}.Field("block"), v.check(p.slotting))
	}
	if len(o.Values) > 0 || len(o.Texts) > 0 {
		return 0, fault(layout.Path{}, "", ErrCount, "an object has values of its own only with NumInstances PERF_NO_INSTANCES")
	}
	if len(o.Instances) > math.MaxInt32 {
		return 0, fault(layout.Path{}, "NumInstances", ErrTooLarge, "%d instances do not fit 31 bits", len(o.Instances))
	}
	p.instances += int32(len(o.Instances))
	var body uint64
	for i := range o.Instances {
		n, err := o.planInstance(&o.Instances[i], p)
		if err != nil {
			return 0, within(instancePath(i), err)
		}
		body += n
	}
	return body, o.checkNames()
}

// planInstance checks one instance and returns the bytes that it and its block take.
func (o *Object) planInstance(in *Instance, p *plan) (uint64, error) {
	if err := o.checkName(in); err != nil {
		return 0, err
	}
	if err := o.checkBlockLength(in.BlockLength, p.need); err != nil {
		return 0, err
	}
	block := o.blockLength(in.BlockLength, p.need)
	v := values{o.Counters, in.Values, in.Texts}
	if err := v.check(p.slotting); err != nil {
		return 0, within(layout.Path{}.Field("block"), err)
	}
	return o.measure(in).whole + uint64(block), nil
}

// A nameplace is where an instance's name stands and how long it makes its definition.
type nameplace struct {
	offset, length uint64
	whole          uint64 // ByteLength
}

// measure returns the place of the name, as far as it is valid.
func (o *Object) measure(in *Instance) nameplace {
	size := uint64(layout.PERF_INSTANCE_DEFINITION.Size)
	m := nameplace{offset: uint64(in.NameOffset)}
	if in.Name != "" {
		if m.offset == 0 {
			m.offset = size
		}
		m.length = lettersLen(in.Name, o.CodePage) + terminatorLen(o.CodePage)
		size = max(size, m.offset+m.length)
	}
	m.whole = uint64(in.ByteLength)
	if m.whole == 0 {
		m.whole = up(size, layout.Align)
	}
	return m
}

// blockLength returns the ByteLength of a block that asks for own, where need is
// the shortest.
func (o *Object) blockLength(own, need uint32) uint32 {
	switch {
	case own != 0:
		return own
	case o.BlockLength != 0:
		return o.BlockLength
	}
	return need
}

func (o *Object) checkBlockLength(n, need uint32) error {
	if n != 0 && (n < need || n%layout.Align != 0) {
		return fault(layout.Path{}, "BlockLength", layout.ErrRange, "%d is no length of these blocks: it is 0, or a multiple of 8 from %d on", n, need)
	}
	return nil
}
