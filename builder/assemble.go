package builder

import (
	"slices"
	"time"

	"github.com/perfblock/perfblock/layout"
)

// NewObject returns an object of that name without counters or instances.
func NewObject(title uint32) *Object { return &Object{ObjectNameTitleIndex: title} }

// Counter adds a counter and returns o. A type that requires a base wants
// [Object.WithBase].
func (o *Object) Counter(title uint32, t layout.CounterType) *Object {
	return o.Define(Counter{CounterNameTitleIndex: title, CounterType: t})
}

// WithBase adds a counter, behind it the definition of the base that its type
// requires, if any, and returns o. The base's value follows the counter's in Values.
func (o *Object) WithBase(title uint32, t layout.CounterType) *Object {
	return o.DefineWithBase(Counter{CounterNameTitleIndex: title, CounterType: t})
}

// Define adds counters and returns o.
func (o *Object) Define(c ...Counter) *Object {
	o.Counters = append(o.Counters, c...)
	return o
}

// DefineWithBase is [Object.WithBase] for a counter with more to it than title and type.
func (o *Object) DefineWithBase(c Counter) *Object {
	o.Define(c)
	if base, ok := c.CounterType.Base(); ok {
		o.Define(Counter{CounterType: base})
	}
	return o
}

// Instance adds an instance and returns o. There is a value for each counter,
// bases included.
func (o *Object) Instance(name string, values ...uint64) *Object {
	return o.Add(Instance{Name: name, Values: values})
}

// Child adds an instance that has a parent, the one at that position among the
// instances of the object of that title, and returns o.
func (o *Object) Child(parentTitle, position uint32, name string, values ...uint64) *Object {
	return o.Add(Instance{Name: name, ParentObjectTitleIndex: parentTitle, ParentObjectInstance: position, Values: values})
}

// Add adds instances and returns o.
func (o *Object) Add(in ...Instance) *Object {
	o.Instances = append(o.Instances, in...)
	return o
}

// Single makes o an object of PERF_NO_INSTANCES with these values and returns o.
func (o *Object) Single(values ...uint64) *Object {
	o.NumInstances = layout.PERF_NO_INSTANCES
	o.Values = values
	return o
}

// At sets SystemTime and PerfTime100nSec to t, which keeps 100 ns, and returns d.
// PerfTime, by which rates are computed, stays as it is. The first moment of 1601,
// which PerfTime100nSec cannot tell from none, and years outside 1601 to 30827 show
// as an error when d is encoded.
func (d *DataBlock) At(t time.Time) *DataBlock {
	d.SystemTime, d.PerfTime100nSec = layout.SystemTime{}, moment(t)
	return d
}

// Add adds the objects as they are now and returns d: what is added to o later is
// not in d. It panics if one is nil.
func (d *DataBlock) Add(o ...*Object) *DataBlock {
	for _, o := range o {
		if o == nil {
			panic("builder: a nil Object to be added to a DataBlock")
		}
		added := *o
		added.Counters, added.Instances = slices.Clip(o.Counters), slices.Clip(o.Instances)
		d.Objects = append(d.Objects, added)
	}
	return d
}
