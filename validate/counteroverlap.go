package validate

import (
	"cmp"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// counterOverlap speaks of each counter whose value starts in the middle of another,
// and of those that it starts in names the one that reaches farthest.
func counterOverlap(p *pass, o definitions) {
	if o.apart() {
		return
	}
	p.byOffset = p.byOffset[:0]
	for i := range o.counters {
		if o.counters[i].placed() {
			p.byOffset = append(p.byOffset, i)
		}
	}
	slices.SortFunc(p.byOffset, func(i, j int) int {
		return cmp.Or(cmp.Compare(o.counters[i].at, o.counters[j].at), cmp.Compare(i, j))
	})
	var over, far *counter // those that reach farthest: of all that start before, and of all so far
	for _, i := range p.byOffset {
		c := &o.counters[i]
		if far != nil && c.at > far.at {
			over = far
		}
		if far == nil || c.end() > far.end() {
			far = c
		}
		if over != nil && c.at < over.end() {
			p.field(c, "CounterOffset", c.at, "%d, as counter[%d] has, or %d at least, where that ends", over.at, over.index, over.end())
		}
	}
}

// apart reports whether the values stand one behind the other in the order of the
// counters, as they do in most objects: there is nothing to sort then.
func (o *object) apart() bool {
	end := int64(0)
	for i := range o.counters {
		c := &o.counters[i]
		if !c.placed() {
			continue
		}
		if c.at < end {
			return false
		}
		end = c.end()
	}
	return true
}

// placed reports whether the counter has a value, and nothing is wrong with its size or
// offset that another rule speaks of.
func (c *counter) placed() bool {
	return c.size > 0 && c.at >= firstValue && (c.sized() || c.typ.Size() == layout.PERF_SIZE_VARIABLE_LEN)
}
