package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// An Instance is an instance of an object with its values.
// Source: PERF_INSTANCE_DEFINITION, PERF_COUNTER_BLOCK.
type Instance struct {
	// Name is UTF-8 without NUL, or bytes without NUL if the object has a CodePage. An empty
	// name makes an unnamed instance, which should have a UniqueID.
	Name string
	// ParentObjectTitleIndex is the title index of the parent's object. 0 means that there is no parent.
	// ParentObjectInstance is the position of the parent among the instances of the parent's object.
	ParentObjectTitleIndex uint32
	ParentObjectInstance   uint32
	// UniqueID nil means PERF_NO_UNIQUE_ID.
	UniqueID *int32
	// NameOffset is the offset of the name in the definition. For an instance with a name, 0 means the end of the
	// PERF_INSTANCE_DEFINITION structure. For an unnamed instance, the number is written without a change.
	NameOffset uint32
	// ByteLength 0 means the length that the name requires. A larger value must be a
	// multiple of 8.
	ByteLength uint32
	// BlockLength 0 means the object's BlockLength.
	BlockLength uint32
	// Values holds a number for each counter of the object, bases included, in the order of the counters. The
	// number is 0 for a text and for PERF_COUNTER_NODATA. A number that does not fit its counter is an error. To
	// wrap a number n at 32 bits, use uint64(uint32(n)).
	Values []uint64
	// Texts holds the value of each counter of variable length, in the order of the counters:
	// UTF-8 for PERF_COUNTER_TEXT, bytes for other types.
	Texts []string
}

// Instance adds an instance and returns o. values has a number for each counter, bases included.
func (o *Object) Instance(name string, values ...uint64) *Object {
	return o.Add(Instance{Name: name, Values: values})
}

// Child adds an instance with a parent and returns o. parentTitle is the title index of the parent's object. position
// is the position of the parent among the instances of the parent's object.
func (o *Object) Child(parentTitle, position uint32, name string, values ...uint64) *Object {
	return o.Add(Instance{Name: name, ParentObjectTitleIndex: parentTitle, ParentObjectInstance: position, Values: values})
}

// Add adds instances and returns o.
func (o *Object) Add(in ...Instance) *Object {
	o.Instances = append(o.Instances, in...)
	return o
}

// planInstance checks an instance and returns the length of its definition and counter block.
func (o *Object) planInstance(in *Instance, p *plan) (uint64, error) {
	var all faults
	m, err := o.checkInstance(in)
	all.add(err)
	all.add(checkBlockLength(in.BlockLength, p.need))
	all.add(p.checkValues(values{o.Counters, in.Values, in.Texts}))
	return m.whole + uint64(o.blockLength(in.BlockLength, p.need)), all.err()
}

// lengths computes the lengths in the definition of an instance, without checking them.
func (o *Object) lengths(in *Instance) namePlan {
	return newNamePlan(&layout.PERF_INSTANCE_DEFINITION, in.Name, o.CodePage, in.NameOffset, in.ByteLength)
}

// checkInstance checks the name of an instance and computes its lengths.
func (o *Object) checkInstance(in *Instance) (namePlan, error) {
	m := o.lengths(in)
	if r := &layout.PERF_INSTANCE_DEFINITION; in.Name == "" && in.ByteLength == 0 && m.offset > uint64(r.Size) {
		return m, fault("NameOffset", layout.ErrRange, "is %d, must be at most %d, the default ByteLength of an unnamed instance: for a larger offset, set ByteLength", m.offset, r.Size)
	}
	m.need = max(m.need, m.offset) // for an unnamed instance, ByteLength must be at least NameOffset
	return m, m.check(&layout.PERF_INSTANCE_DEFINITION, in.Name, o.CodePage, "Name", "NameOffset", "ByteLength")
}

func (o *Object) appendInstance(b []byte, in *Instance, m namePlan) []byte {
	start, id := len(b), layout.PERF_NO_UNIQUE_ID
	if in.UniqueID != nil {
		id = *in.UniqueID
	}
	b = wire.Instance{
		ByteLength:             uint32(m.whole),
		ParentObjectTitleIndex: in.ParentObjectTitleIndex,
		ParentObjectInstance:   in.ParentObjectInstance,
		UniqueID:               id,
		NameOffset:             uint32(m.offset),
		NameLength:             uint32(m.length),
	}.Append(b)
	return m.append(b, start, in.Name, o.CodePage)
}

// The functions below run once for each instance. To be fast, they do not allocate, and they create
// a Path only for an error.

// instances decodes the instances and returns the offset where the last instance ends.
func (b *blockDecoder) instances(v layout.Object, out *Object) (end int64, err error) {
	body, _ := v.Body() // no error, because decoder.counters has read the definitions
	// NumInstances can be wrong. The length of the body limits the memory for instances.
	least := layout.SizeofInstanceDefinition + uint64(b.need)
	n := int(min(uint64(v.NumInstances()), uint64(body.Len())/least))
	out.Instances = make([]Instance, 0, n)
	end = body.Off()
	b.names.reset(n, body.Len()-n*int(least))
	plain := b.rows.Open(v) == nil && b.hasColumns(b.rows.Counters()) && v.CodePage() == 0
	for b.rows.Next() {
		remaining := n - len(out.Instances)
		if remaining > 0 {
			out.Instances = out.Instances[:len(out.Instances)+1] // the new Instance is zero
		} else {
			out.Instances = append(out.Instances, Instance{})
		}
		in := &out.Instances[len(out.Instances)-1]
		definition, block := b.rows.Instance().Bytes(), b.rows.Block().Bytes()
		if plain && b.decodePlain(definition, block, out, in, remaining) {
			end += int64(len(definition) + len(block))
		} else if end, err = b.viewed(b.rows.Instance(), out, in, remaining); err != nil {
			return 0, err
		}
		b.names.endInstance()
	}
	if b.rows.Err() != nil { // decode the other instances with views, which return the errors
		if end, err = b.instancesAfter(len(out.Instances), v, out, n); err != nil {
			return 0, err
		}
	}
	for i, name := range b.names.byInstance() {
		out.Instances[i].Name = name
	}
	return end, nil
}

// hasColumns reports whether all values are numbers, and whether each counter has the offset and the size that the model
// computes.
func (b *blockDecoder) hasColumns(counters []layout.Counter) bool {
	return b.texts == 0 && len(counters) > 0 && slices.EqualFunc(counters, b.places, func(c layout.Counter, p place) bool {
		return p.at == c.CounterOffset() && p.size == c.CounterSize()
	})
}

// decodePlain decodes the current row if the name follows the definition and encoding would write the same bytes.
// Otherwise decodePlain returns false and decodes nothing.
func (b *blockDecoder) decodePlain(definition, block []byte, o *Object, out *Instance, remaining int) bool {
	const size = layout.SizeofInstanceDefinition
	// To be fast, the fields are read directly. A copy of a view or of a struct would take most of the time.
	parent := le.Uint64(definition[instanceDefinitionParentObjectTitleIndex:]) // and ParentObjectInstance
	id := le.Uint32(definition[instanceDefinitionUniqueID:])
	name := le.Uint64(definition[instanceDefinitionNameOffset:])
	length := name >> 32 // NameLength, after NameOffset
	if name&math.MaxUint32 != size || len(block)%layout.Align != 0 || uint64(len(block)) < uint64(b.need) || b.budget < len(b.counters) {
		return false
	}
	for _, g := range b.gaps {
		if g.end == 0 {
			g.end = uint64(len(block))
		}
		if !isZero(block[g.start:g.end]) {
			return false
		}
	}
	if !b.names.add(definition, size, int(size+length)) {
		return false
	}
	b.budget -= len(b.counters)
	out.Values = b.rows.AppendValues(b.takeNumbers(remaining)[:0])
	out.ParentObjectTitleIndex, out.ParentObjectInstance = uint32(parent), uint32(parent>>32)
	b.uniqueID(int32(id), out, remaining)
	b.setBlockLength(uint32(len(block)), o, out)
	return true
}

// instancesAfter decodes all instances except the first `from`, and returns the offset where the last instance ends.
// n is the expected number of all instances.
func (b *blockDecoder) instancesAfter(from int, v layout.Object, out *Object, n int) (end int64, err error) {
	i := 0
	for in, err := range v.Instances() {
		if err != nil {
			return 0, err
		}
		if i++; i <= from {
			continue
		}
		out.Instances = append(out.Instances, Instance{})
		if end, err = b.viewed(in, out, &out.Instances[len(out.Instances)-1], n-i+1); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// viewed decodes an instance with its counter block, and returns the end of the counter block.
func (b *blockDecoder) viewed(v layout.Instance, o *Object, out *Instance, remaining int) (end int64, err error) {
	if err := b.instance(v, o, out, remaining); err != nil {
		return 0, err
	}
	block, err := v.Block()
	if err != nil {
		return 0, err
	}
	if out.Values, out.Texts, err = b.values(block, remaining); err != nil {
		return 0, err
	}
	b.setBlockLength(uint32(block.Len()), o, out)
	return block.End(), nil
}

// setBlockLength stores n, the length of a counter block, in the model.
func (b *blockDecoder) setBlockLength(n uint32, o *Object, out *Instance) {
	if len(o.Instances) == 1 {
		o.BlockLength = b.length(n)
	} else if o.blockLength(0, b.need) != n {
		out.BlockLength = n
	}
}

func (b *blockDecoder) uniqueID(id int32, out *Instance, remaining int) {
	if id != layout.PERF_NO_UNIQUE_ID {
		out.UniqueID = &b.ids.take(1, remaining)[0]
		*out.UniqueID = id
	}
}

// instance decodes the definition of an instance.
func (b *blockDecoder) instance(v layout.Instance, o *Object, out *Instance, remaining int) error {
	r := &layout.PERF_INSTANCE_DEFINITION
	out.ParentObjectTitleIndex, out.ParentObjectInstance = v.ParentObjectTitleIndex(), v.ParentObjectInstance()
	b.uniqueID(v.UniqueID(), out, remaining)
	if v.Len()%layout.Align != 0 {
		return broken(v.Path(), r, v.Span, "ByteLength", layout.ErrAlign, "is %d, must be a multiple of 8", v.Len())
	}
	name, err := v.Name()
	if err != nil {
		return err
	}
	if uint64(v.NameOffset()) > uint64(v.Len()) {
		return broken(v.Path(), r, v.Span, "NameOffset", layout.ErrBounds, "is %d, must be at most the ByteLength of %d", v.NameOffset(), v.Len())
	}
	var exact bool
	if out.Name, exact = b.exactName(name, remaining); !exact {
		if out.Name, err = b.name(name, v.Path().Field("Name"), false); err != nil {
			return err
		}
	}
	if out.Name != "" && v.NameOffset() != r.Size || out.Name == "" && name.Len() == 0 {
		out.NameOffset = v.NameOffset()
	}
	rest, _ := v.Sub(uint64(r.Size), uint64(v.Len())-uint64(r.Size))
	if at := int(name.Off() - rest.Off()); !isZero(rest.Bytes()[:at]) || !isZero(rest.Bytes()[at+name.Len():]) {
		b.loseAround(rest, name, v.Path())
	}
	if o.lengths(out).whole != uint64(v.Len()) {
		out.ByteLength = uint32(v.Len())
	}
	return nil
}
