package fuzz_test

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// named yields the values of a field that have names, each with its name.
func named(f *layout.Field) iter.Seq2[uint64, string] {
	switch {
	case f.Go == "CounterType":
		return texts(layout.CounterTypes())
	case f.Go == "DetailLevel":
		return texts(numbered[layout.DetailLevel])
	case f.Go == "PerfCounterDataType":
		return texts(numbered[layout.PerfCounterDataType])
	case f.Go == "InstanceType":
		return texts(numbered[layout.InstanceType])
	case f.Go == "AggregateFunc":
		return texts(numbered[layout.AggregateFunc])
	case f.Go == "Attrib":
		return texts(flags)
	case f.Name == "dwStatus", f.Name == "Status":
		return func(yield func(uint64, string) bool) {
			for s := range layout.Statuses() {
				if !yield(uint64(s), layout.StatusName(s)) {
					return
				}
			}
		}
	case f.Name == "NumInstances":
		return func(yield func(uint64, string) bool) {
			for n := int32(-1); layout.InstancesName(n) != ""; n-- {
				if !yield(uint64(int64(n)), layout.InstancesName(n)) {
					return
				}
			}
		}
	}
	return func(func(uint64, string) bool) {}
}

// texts yields values with what String calls them.
func texts[T interface {
	~uint32 | ~uint64
	fmt.Stringer
}](values iter.Seq[T]) iter.Seq2[uint64, string] {
	return func(yield func(uint64, string) bool) {
		for v := range values {
			if !yield(uint64(v), v.String()) {
				return
			}
		}
	}
}

// numbered yields the values of an enumeration, all of which are small.
func numbered[T interface {
	~uint32
	Valid() bool
}](yield func(T) bool) {
	for v := range T(1024) {
		if v.Valid() && !yield(v) {
			return
		}
	}
}

// flags yields those of Attrib, one by one.
func flags(yield func(layout.Attrib) bool) {
	for v := layout.Attrib(1); v.Valid(); v <<= 1 {
		if !yield(v) {
			return
		}
	}
}

// fieldRows are the rows of a field, -1 for those that it has not.
type fieldRows struct {
	any, zero, other, one, more, unnamed int
	named                                []namedRow
	flags                                bool
}

type namedRow struct {
	value uint64
	row   int
}

func (c *coverage) declareRecords() {
	c.section("Records, their fields and the values that have names")
	c.fields = map[*layout.Field]*fieldRows{}
	for _, r := range slices.Concat(layout.Winperf, layout.Perflib) {
		c.declare(r.C, "made")
		for i := range r.Fields {
			if f := &r.Fields[i]; f.Type != layout.Time && r != &layout.PERF_COUNTER_IDENTITY { // which are elsewhere
				c.fields[f] = c.declareField(r.C, f)
			}
		}
	}
}

func (c *coverage) declareField(record string, f *layout.Field) *fieldRows {
	rows := &fieldRows{one: -1, more: -1, unnamed: -1, flags: f.Go == "Attrib"}
	rows.any = c.declare(record, f.Name)
	rows.zero = c.declare(record, f.Name+" = 0")
	rows.other = c.declare(record, f.Name+" other than 0")
	if f.Role.Kind == layout.Count {
		rows.one = c.declare(record, f.Name+" = 1")
		rows.more = c.declare(record, f.Name+" above 1")
	}
	for value, name := range named(f) {
		rows.named = append(rows.named, namedRow{value, c.declare(record, f.Name+" = "+name)})
	}
	if len(rows.named) > 0 && !rows.flags {
		rows.unnamed = c.declare(record, f.Name+" without a name")
	}
	switch role := f.Role; {
	case role.Kind == layout.Reserved || role.Kind == layout.Padding:
		c.never[c.rows[rows.other]] = "it is reserved"
	case role.Kind == layout.Constant:
		c.never[c.rows[rows.zero]] = "it is one number"
	case role.Kind == layout.Length && role.From == layout.RecordStart:
		c.never[c.rows[rows.zero]] = "it counts its own record"
	case f.Go == "DetailLevel" && record != layout.PERF_COUNTER_DEFINITION.C: // of a base
		c.never[c.rows[rows.zero]] = "0 in a model stands for PERF_DETAIL_NOVICE"
	}
	if f.Go == "PerfCounterDataType" || f.Go == "InstanceType" || f.Go == "AggregateFunc" {
		c.never[c.rows[rows.unnamed]] = "there is no other"
	}
	return rows
}

// records counts the records of a block.
func (c *coverage) records(kind layout.Kind, b []byte) {
	for part := range layout.Walk(kind, b) {
		if part.Sort != layout.FieldPart {
			continue
		}
		if part.Field.At == 0 && c.fields[part.Field] != nil {
			c.times[c.declare(part.Record.C, "made")]++
		}
		c.field(part.Field, part.Bytes())
		if part.Field.Type == layout.UUID {
			c.times[c.declare(layout.GUIDRecord.C, "made")]++
			for i := range layout.GUIDRecord.Fields {
				f := &layout.GUIDRecord.Fields[i]
				c.field(f, part.Bytes()[f.At:][:f.Type.Size()])
			}
		}
	}
}

// field counts the value of a field, b. One that stands in no table, as an id, has no rows.
func (c *coverage) field(f *layout.Field, b []byte) {
	rows := c.fields[f]
	if rows == nil {
		return
	}
	c.value(rows.any, string(b))
	n := uint64(0)
	for i, one := range b[:min(8, len(b))] {
		n |= uint64(one) << (8 * i)
	}
	if f.Type == layout.I32 {
		n = uint64(int64(int32(n)))
	}
	c.count(rows.zero, bytes.Count(b, []byte{0}) == len(b))
	c.count(rows.other, bytes.Count(b, []byte{0}) != len(b))
	c.count(rows.one, n == 1)
	c.count(rows.more, int64(n) > 1)
	unnamed := true
	for _, name := range rows.named {
		is := n == name.value || rows.flags && n&name.value != 0
		c.count(name.row, is)
		unnamed = unnamed && !is
	}
	c.count(rows.unnamed, unnamed)
}
