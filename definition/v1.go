package definition

import (
	"slices"

	"github.com/perfblock/perfblock/builder"
)

// V1 returns an object for each counter set, with the names of the definition. first is the First Counter of the service:
// lodctr adds it to the numbers of the titles. An object of a set with instances has none, and another object has the
// values 0. The losses name what V1 cannot hold, and the sets that it leaves out for that reason.
func (p *Provider) V1(first uint32) ([]builder.Object, []Loss) {
	objects, losses := p.objects("V1 object")
	var list []builder.Object
	for _, o := range objects {
		if len(o.values) == 0 {
			continue
		}
		placed := slices.ContainsFunc(o.values, func(v value) bool { return v.placed })
		made := builder.Object{Name: o.set.Name.String(), ObjectNameTitleIndex: first + o.title}
		for _, v := range o.values {
			c := builder.Counter{CounterType: v.typ, DefaultScale: v.scale, DetailLevel: v.level}
			if v.title != 0 {
				c.Name, c.CounterNameTitleIndex = v.counter.Name.String(), first+v.title
			}
			if placed { // else the builder chooses offsets
				c.CounterOffset = v.offset
			}
			made.Define(c)
		}
		if !o.set.hasInstances() {
			made.Single(make([]uint64, len(o.values))...)
		}
		list = append(list, made)
	}
	return list, losses
}
