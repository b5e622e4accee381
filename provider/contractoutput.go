package provider

import (
	"bytes"
	"slices"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// An Output is the data that a call of Collect returned.
type Output struct {
	Call    string // such as Collect("Global", 65536)
	Kind    layout.Kind
	Data    []byte
	Context validate.Context // the query, and the values of the Performance key
}

// Check returns the findings in the data with the severities of v.
func (o *Output) Check(v *validate.Validator) validate.Result {
	return v.Bytes(o.Kind, o.Data, o.Context)
}

// keys returns a text for each finding. If two outputs have the same fault, their findings for it have the same text.
func (o *Output) keys(findings []validate.Finding) []string {
	places := identity.Of(o.Kind, o.Data, findings)
	for i := range places {
		places[i] = findings[i].Rule.ID + " " + places[i]
	}
	return places
}

// contents describes the data of a call.
type contents struct {
	header  bool // the data starts with the signature of PERF_DATA_BLOCK
	objects []object
}

// An object describes an object in the data.
type object struct {
	title, length uint32
	instances     int32
	parents       []uint32 // the objects of the parents of its instances, sorted
}

// signature is the start of a PERF_DATA_BLOCK.
const signature = "P\x00E\x00R\x00F\x00"

// describe returns the contents of data. The list of objects ends with the first one whose length is not valid.
func describe(data []byte) contents {
	if bytes.HasPrefix(data, []byte(signature)) {
		return contents{header: true}
	}
	var c contents
	for len(data) >= layout.SizeofObjectType {
		o := layout.Object{Span: layout.NewSpan(data[:layout.SizeofObjectType], 0)}
		n := o.TotalByteLength()
		one := object{title: o.ObjectNameTitleIndex(), length: n, instances: o.NumInstances()}
		whole := n >= layout.SizeofObjectType && uint64(n) <= uint64(len(data))
		if whole {
			one.parents = parents(data[:n])
			data = data[n:]
		}
		c.objects = append(c.objects, one)
		if !whole {
			break
		}
	}
	return c
}

// parents returns the title indexes of the objects to which the parents of the instances belong.
func parents(data []byte) (titles []uint32) {
	for o, err := range layout.ReadObjects(data) {
		if err != nil {
			break
		}
		for in, err := range o.Instances() {
			if err != nil {
				break
			}
			if t := in.ParentObjectTitleIndex(); t != 0 && t != o.ObjectNameTitleIndex() {
				titles = append(titles, t)
			}
		}
	}
	slices.Sort(titles)
	return slices.Compact(titles)
}

// sum returns the sum of the lengths of the objects.
func (c *contents) sum() (n uint64) {
	for _, o := range c.objects {
		n += uint64(o.length)
	}
	return n
}
