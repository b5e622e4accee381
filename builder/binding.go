package builder

import (
	"cmp"
	"math"
	"reflect"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A Binding copies the fields of a struct T to and from counter blocks of a [Template]:
//
//	sites, err := builder.Bind[site](template)
//	...
//	f.Object(template)                   // in Collect
//	sites.Instance(&f, "shop", &shop)    // copies the struct shop to a new instance
//
// A field of an integer type must not change during a call, not even with functions such as [sync/atomic.AddUint64],
// because a Binding loads and stores it without atomic operations. A field of a type such as [sync/atomic.Uint64] may
// change during a call. No call keeps a pointer to a T.
//
// A Binding is immutable and safe for concurrent use. It is valid for the template that was passed to [Bind], and for
// the templates that [Template.Rebase] returns from this template.
type Binding[T any] struct {
	format *blockFormat
	memory memory[T]
	reach  uint64        // the offset in a block where the last value ends
	narrow []narrowField // the fields of 8 bytes for counters of 4 bytes, which memory does not copy
}

// A narrowField is a field of 8 bytes for a counter of 4 bytes.
type narrowField struct {
	field
	at uint32 // the offset of the value in the counter block
}

// Bind returns the binding of T to a template. T must have a field for each counter, in the order of the counters. A
// field must have the width of its counter; a PERF_AVERAGE_TIMER of 4 bytes may also have a field of 8 bytes. Two
// counters must not share bytes. Bind checks only the syntax of the tags: types, titles and offsets in the tags have no
// effect. The error wraps [ErrField] and names the field. If the template is nil or zero, the error wraps [ErrForeign].
func Bind[T any](t *Template) (*Binding[T], error) {
	fields, err := fieldsOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	if t == nil || t.format == nil {
		return nil, fault("", ErrForeign, "the Template is nil or zero, must be from Object.Compile")
	}
	f := t.format
	if n := len(f.places); n != len(fields) {
		if n < len(fields) {
			return nil, fields[n].error("the template has only %s", quote.Count(n, "counter"))
		}
		return nil, fault("", ErrField, "%v has %s, must have %d, one for each counter of the template: counter[%d] (%v) has no field", reflect.TypeFor[T](), quote.Count(len(fields), "field"), n, len(fields), f.counters[len(fields)].CounterType)
	}
	b := &Binding[T]{format: f}
	var same []field // the fields that have the width of their counter
	var places []place
	for i := range fields {
		p, field := f.places[i], &fields[i]
		typ := f.counters[i].CounterType
		switch {
		case p.text >= 0 || p.size == 0:
			return nil, field.error("counter[%d] has the type %v, must have a numeric type", i, typ)
		case p.size == field.size:
			same, places = append(same, *field), append(places, p)
		case p.size == 4 && typ == layout.PERF_AVERAGE_TIMER:
			b.narrow = append(b.narrow, narrowField{*field, p.at})
		default:
			return nil, field.error("it has %d bytes, must have %d, the width of counter[%d], %v", field.size, p.size, i, typ)
		}
		b.reach = max(b.reach, uint64(p.at)+uint64(p.size))
		for j, other := range f.places[:i] {
			if p.at < other.at+other.size && other.at < p.at+p.size {
				return nil, field.error("counter[%d] shares bytes with counter[%d], must not share any: set another CounterOffset", i, j)
			}
		}
	}
	b.memory = newMemory[T](same, places, f.length)
	return b, nil
}

// Instance starts an instance and sets its values. It is the same as [Fill.Instance] and then
// [Binding.Fill].
func (b *Binding[T]) Instance(f *Fill, name string, v *T) {
	f.instance(0, 0, name, false)
	b.write(&f.currentBlock, v, false)
}

// Child starts an instance with a parent and sets its values. It is the same as [Fill.Child] and then
// [Binding.Fill].
func (b *Binding[T]) Child(f *Fill, parentTitle, position uint32, name string, v *T) {
	f.instance(parentTitle, position, name, false)
	if parentTitle == 0 {
		f.failParent()
	}
	b.write(&f.currentBlock, v, false)
}

// Fill sets the values of the current instance of f. In an object with PERF_NO_INSTANCES, Fill sets the values of
// the object. Fill must be called after [Fill.Instance], [Fill.Child] or [Fill.Object].
func (b *Binding[T]) Fill(f *Fill, v *T) { b.write(&f.currentBlock, v, true) }

// Refresh overwrites the values of the current instance of r.
func (b *Binding[T]) Refresh(r *Refresh, v *T) { b.write(&r.currentBlock, v, true) }

// write writes *v to the current block. If zeroed is true, the block already contains its ByteLength, and zeros in the
// bytes that belong to no value. If zeroed is false, write sets the ByteLength and these zeros too.
func (b *Binding[T]) write(to *currentBlock, v *T, zeroed bool) {
	if b != nil && to.format == b.format && v != nil {
		if p := b.memory.inBlock(to.block); p != nil {
			block := to.block
			le.PutUint64(block, uint64(len(block))) // ByteLength, and 4 bytes of padding
			*p = *v
			for _, at := range b.memory.padding {
				le.PutUint32(block[int(at):int(at)+4], 0)
			}
			return
		}
	}
	b.writeFields(to, v, zeroed)
}

// writeFields writes the fields of *v one by one. If *v cannot be written, writeFields records an error with the
// reason.
func (b *Binding[T]) writeFields(to *currentBlock, v *T, zeroed bool) {
	switch {
	case b == nil:
		to.failBlock(nil)
		return
	case to.format != b.format || to.format == nil:
		to.failBlock(b.format)
		return
	case v == nil:
		to.fail(within(blockPath, fault("", ErrCount, "the pointer to the values is nil")))
		return
	case !zeroed:
		b.format.clear(to.block)
	}
	b.memory.write(to.block, v)
	for i := range b.narrow {
		f := &b.narrow[i]
		n := b.memory.number(v, &f.field)
		if n > math.MaxUint32 {
			b.format.clear(to.block) // so that a refreshed object stays valid
			to.fail(within(blockPath, f.error("its value is 0x%x, must be 0 to %d, to fit the counter's 4 bytes", n, uint32(math.MaxUint32))))
			return
		}
		le.PutUint32(to.block[f.at:], uint32(n))
	}
}

// failBlock reports why a Binding of the format f cannot write the current block.
func (r *currentBlock) failBlock(f *blockFormat) {
	switch {
	case r.format == discarded:
	case r.format == nil:
		r.fail(cmp.Or(r.missing, errNoBlock))
	case f == nil:
		r.fail(within(blockPath, fault("", ErrForeign, "the Binding is nil or zero, must be from Bind")))
	default:
		r.fail(within(blockPath, fault("", ErrForeign, "the Binding belongs to another template, must be from Bind with the current object's template")))
	}
}

// Open starts to read the rows of an object, like [layout.Rows.Open]. The counters of the object must have the
// types, sizes and offsets of the template. Otherwise Open returns an error that wraps [ErrForeign]. After an
// error there are no rows.
func (b *Binding[T]) Open(rows *layout.Rows, o layout.Object) error {
	if b == nil || b.format == nil {
		*rows = layout.Rows{}
		return fault("", ErrForeign, "the Binding is nil or zero, must be from Bind")
	}
	if err := rows.Open(o); err != nil {
		return err
	}
	err := b.match(rows, o)
	if err != nil {
		*rows = layout.Rows{}
	}
	return err
}

// match returns an error if the counters of the object differ from the counters of the template.
func (b *Binding[T]) match(rows *layout.Rows, o layout.Object) error {
	counters := rows.Counters()
	if len(counters) != len(b.format.places) {
		return within(o.Path(), fault("NumCounters", ErrForeign, "is %d, must be %d, as in the Template", len(counters), len(b.format.places)))
	}
	for i, c := range counters {
		p, typ := b.format.places[i], b.format.counters[i].CounterType
		if c.CounterType() != typ || c.CounterSize() != p.size || c.CounterOffset() != p.at {
			return within(c.Path(), fault("", ErrForeign, "is a %v of %d bytes at offset %d, must be a %v of %d bytes at offset %d, as in the Template", c.CounterType(), c.CounterSize(), c.CounterOffset(), typ, p.size, p.at))
		}
	}
	return nil
}

// Read copies the values of the current row to *v. The rows must be opened with [Binding.Open], which compares the
// counters. Read does not compare them again. Read returns an error that wraps [ErrForeign] if there is no current
// row, or if the row has too few bytes.
func (b *Binding[T]) Read(rows *layout.Rows, v *T) error {
	block := rows.Block().Bytes()
	switch {
	case v == nil:
		return fault("", ErrCount, "the pointer to the values is nil")
	case b == nil || b.format == nil:
		return fault("", ErrForeign, "the Binding is nil or zero, must be from Bind")
	case uint64(len(block)) < b.reach:
		return fault("", ErrForeign, "there is no current row, or the row is too short for the Template: call Binding.Open and Rows.Next before Read")
	}
	b.memory.read(block, v)
	for i := range b.narrow {
		f := &b.narrow[i]
		b.memory.setNumber(v, &f.field, uint64(le.Uint32(block[f.at:])))
	}
	return nil
}
