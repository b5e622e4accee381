package validate

// fresh is an instance whose name is not compared yet.
type fresh struct {
	hash  uint64 // of its full name; only of its parent before the name is hashed
	at    uint32 // offset of its definition in the object
	n     uint32 // bytes of the name without its terminator
	first uint32 // the earlier instance that has its name, 0 for none
}

// freshNames is the number of names that are looked up together. If the set does not fit into
// the cache, the processor can load their slots in parallel.
const freshNames = 16

// nearSlots is the number of slots of the largest set assumed to fit into the cache.
const nearSlots = 1 << 14

// checkDuplicates compares the names of instances, from instance k on, with those of all
// earlier instances.
func (p *pass) checkDuplicates(o *object, list []fresh, k int) {
	if len(list) == 0 || len(onDuplicate.of(p.rules).checks) == 0 {
		return
	}
	b, s := p.b[o.off:], &p.names
	s.room(len(list))
	for j := 0; j < len(list); j++ {
		if j += s.alike(b, list[j:]); j < len(list) {
			f := &list[j]
			f.first = s.add(f.hash, f.at, func(ref uint32) bool { return p.sameName(o, ref, f.at) })
		}
	}
	unlisted, silent := 0, p.silent()
	for j := range list {
		switch f := &list[j]; {
		case f.first == 0:
		case silent:
			unlisted++
		default:
			p.reportDuplicate(o, k+j, f.at, f.first)
		}
	}
	if unlisted > 0 {
		p.unlisted(unlisted)
	}
}

// alike adds the names of instances in b. The set must have room for them. It also finds
// duplicates that are byte for byte equal, as most are. It returns the number of instances
// that it handled: the next one has the same hash as an earlier name and is not equal to
// it. It calls no functions.
func (s *set) alike(b []byte, list []fresh) int {
	slots, mask := s.slots, uint32(len(s.slots)-1)
	if len(slots) > nearSlots {
		for j := range list { // independent reads, which the processor runs in parallel
			s.touched ^= slots[uint32(list[j].hash>>32)&mask].hash
		}
	}
	for j := range list {
		f := &list[j]
		short := uint32(f.hash >> 32)
		i := short
		for slots[i&mask].ref != 0 && slots[i&mask].hash != short {
			i++
		}
		at := &slots[i&mask]
		if at.ref == 0 {
			*at = slot{short, f.at}
			s.used++
			continue
		}
		x, y := (*[headBytes + tailBytes]byte)(b[at.ref:]), (*[headBytes + tailBytes]byte)(b[f.at:])
		other := (le.Uint64(x[nameOffsetAt:]) ^ le.Uint64(y[nameOffsetAt:])) | (le.Uint64(x[parentTitleAt:]) ^ le.Uint64(y[parentTitleAt:]))
		tailAt, n := uint32(headBytes), f.n/2
		for ; n > 8; n -= 8 {
			other |= (le.Uint64(x[headBytes:]) ^ le.Uint64(y[headBytes:])) | (le.Uint64(x[headBytes+8:]) ^ le.Uint64(y[headBytes+8:]))
			if other != 0 {
				break
			}
			tailAt += 16
			x, y = (*[headBytes + tailBytes]byte)(b[at.ref+tailAt-headBytes:]), (*[headBytes + tailBytes]byte)(b[f.at+tailAt-headBytes:])
		}
		t := &tails[n%uint32(len(tails))]
		if other|(le.Uint64(x[headBytes:])^le.Uint64(y[headBytes:]))&t.a|(le.Uint64(x[headBytes+8:])^le.Uint64(y[headBytes+8:]))&t.b != 0 {
			return j
		}
		f.first = at.ref
	}
	return len(list)
}

// silent reports whether further duplicates are only counted, because the lists of all
// their rules are full.
func (p *pass) silent() bool {
	for _, c := range onDuplicate.of(p.rules).checks {
		if p.listing(c.rule.severity) {
			return false
		}
	}
	return true
}

// unlisted counts n duplicates that are not listed.
func (p *pass) unlisted(n int) {
	for _, c := range onDuplicate.of(p.rules).checks {
		*p.found.Counts.of(c.rule.severity) += n
		p.found.Truncated = true
	}
}
