package validate

// Distinct names
//
// The set of the names of many instances does not fit into the cache, so that almost every name
// waits for memory. For an object with many instances, checkInstances first collects the hashes of
// all names. Then it divides them into parts that fit into the cache, and compares the names of each
// part. Usually all names are distinct. If two names are equal, checkInstances discards its findings
// and checks the instances again, with a set of names, which finds the duplicates in order.

// fewNames is the largest number of instances whose names are compared with a set. The set then has
// at most 512 KB.
const fewNames = 1 << 14

// A collection has the hashes of the names of an object.
type collection struct {
	active bool
	names  []slot // in the order of the instances
	parts  []slot // the same names, sorted by part
	ends   [collectionParts]int
}

// collectionParts is the number of parts. The part of a name is the high byte of its hash. The set of
// a part uses the low bits.
const collectionParts = 256

// add adds the name of the instance at offset `at` of the object.
func (c *collection) add(hash uint64, at uint32) {
	c.ends[hash>>56]++
	c.names = append(c.names, slot{uint32(hash >> 32), at})
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

// distinctNames stops collecting and reports whether all collected names are distinct.
func (p *pass) distinctNames(o *object) bool {
	c := &p.collected
	c.active = false
	c.divide()
	start := 0
	for _, end := range c.ends {
		if !p.names.distinct(c.parts[start:end], func(one, other uint32) bool { return p.sameName(o, one, other) }) {
			return false
		}
		start = end
	}
	return true
}

// distinct reports whether all elements of the list are distinct. It uses the slots of s. The
// function same compares two elements with the same hash.
func (s *set) distinct(list []slot, same func(one, other uint32) bool) bool {
	s.reset(len(list))
	s.reserve(len(list))
	slots, mask := s.slots, uint32(len(s.slots)-1)
	for _, e := range list {
		i := e.hash
		for ; slots[i&mask].ref != 0; i++ {
			if at := slots[i&mask]; at.hash == e.hash && same(at.ref, e.ref) {
				return false
			}
		}
		slots[i&mask] = e
	}
	return true
}
