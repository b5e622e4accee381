package validate

import (
	"cmp"
	"slices"
)

// Distinct names
//
// A hash table with the names of many instances is larger than the processor's cache, so almost every
// search waits for memory. If an object has many instances, checkInstances therefore collects the
// hashes of all names, divides the hashes into parts that fit into the cache, and compares the names
// of each part. Usually only a few names are equal. If many names are equal, checkInstances checks the
// instances again, in their order and with a hash table of all names.

// fewNames is the largest number of instances for which checkInstances does not collect hashes. A
// set of this many names has at most 256 KB.
const fewNames = 1 << 14

// A collection has the hashes of the instance names of one object.
type collection struct {
	active bool
	names  []slot               // in the order of the instances
	parts  []slot               // the same names, sorted by part
	ends   [collectionParts]int // number of names in each part; after divide, the end of each part in parts
	equal  []equalName          // the duplicates, at most mostEqual+1
}

// An equalName is an instance with the same full name as an earlier instance.
type equalName struct{ at, first uint32 } // offsets in the object

// mostEqual is the largest number of duplicates that reportEqual reports. If findEqual finds more
// duplicates, checkInstances checks all instances a second time. For so many duplicates this is
// faster, because findEqual compares names that are far apart in memory.
const mostEqual = 100

// collectionParts is the number of parts. The high byte of a name's hash selects the part. The low bits
// of slot.hash do not select the part, because they select the slot in the hash table of the part.
const collectionParts = 256

// add collects the hash of a name. offset is the offset of the name's instance in the object.
func (c *collection) add(hash uint64, offset uint32) {
	c.ends[hash>>56]++
	c.names = append(c.names, slot{uint32(hash >> 32), offset})
}

// begin removes all names and starts to collect the names of n instances.
func (c *collection) begin(n int) {
	if cap(c.names) < n {
		c.names, c.parts = make([]slot, 0, n), make([]slot, n)
	}
	c.active, c.names, c.ends = true, c.names[:0], [collectionParts]int{}
}

// divide sorts the names by part and sets the end of each part.
func (c *collection) divide() {
	parts, ends, start := c.parts, &c.ends, 0
	for i, n := range ends {
		ends[i] = start
		start += n
	}
	for _, name := range c.names {
		end := &ends[name.hash>>24]
		parts[*end] = name
		*end++
	}
}

// findEqual ends the collection, and finds the duplicates among the collected names. It finds at most
// mostEqual+1 duplicates.
func (p *pass) findEqual(o *object) {
	c := &p.collected
	c.active, c.equal = false, c.equal[:0]
	c.divide()
	same := func(one, other uint32) bool {
		if len(c.equal) > mostEqual {
			return true // too many duplicates: skip the comparison, because checkInstances checks all instances again
		}
		if !p.sameName(o, one, other) {
			return false
		}
		c.equal = append(c.equal, equalName{other, one})
		return true
	}
	start := 0
	for _, end := range c.ends {
		p.names.eachPair(c.parts[start:end], same)
		if len(c.equal) > mostEqual {
			break
		}
		start = end
	}
}

// eachPair calls equal for pairs of elements of list with the same hash. After equal returns true for a
// pair, the second element of the pair is in no later pair.
func (s *set) eachPair(list []slot, equal func(one, other uint32) bool) {
	s.reset(len(list))
	s.reserve(len(list))
	slots, mask := s.slots, uint32(len(s.slots)-1)
next:
	for _, e := range list {
		i := e.hash
		for ; slots[i&mask].ref != 0; i++ {
			if at := slots[i&mask]; at.hash == e.hash && equal(at.ref, e.ref) {
				continue next
			}
		}
		slots[i&mask] = e
	}
}

// reportEqual reports the collected instances whose names are duplicates. The object o has n instances. reportEqual
// returns false, and reports nothing, if the collection is not complete. The caller must then check the instances again.
func (p *pass) reportEqual(o *object, n int) bool {
	c := &p.collected
	all := p.found.Counts.AtLeast(Info) + len(c.equal)
	// The collection cannot be used in three cases:
	//   - If there are more than mostEqual duplicates, c.equal does not have all of them.
	//   - If c.names has fewer than n names, the index of a name is not the index of its instance.
	//   - If there can be more than p.max findings of a severity, the list can already be full. It
	//     then has findings of later instances instead of the duplicates.
	if len(c.equal) > mostEqual || len(c.names) < n || p.max > 0 && all > p.max {
		return false
	}
	for _, e := range c.equal {
		k, _ := slices.BinarySearchFunc(c.names, e.at, func(name slot, at uint32) int { return cmp.Compare(name.ref, at) })
		p.reportDuplicate(o, k, e.at, e.first)
	}
	return true
}
