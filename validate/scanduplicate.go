package validate

// fresh is a plain instance whose name is still to be held against those before it.
type fresh struct {
	hash  uint64 // of its full name; of its parent alone before the name is looked at
	at    uint32 // where its definition is in the object
	n     uint32 // bytes of the name without its terminator
	first uint32 // the instance before it that has its name, 0 for none
}

// freshNames is how many names are looked up at once. Memory answers them all in the
// time of one then, where the names are too many for the caches.
const freshNames = 16

// nearSlots is how many slots of a set are near at hand in any case.
const nearSlots = 1 << 14

// checkDuplicates holds the names of plain instances, from instance k on, against those before.
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

// alike adds the names of instances in b, for which there is room, and finds those that
// are written as one before is, which most checkDuplicates are. It returns how many it is done with:
// the next shares a hash with another and is not written alike. It calls nothing.
func (s *set) alike(b []byte, list []fresh) int {
	slots, mask := s.slots, uint32(len(s.slots)-1)
	if len(slots) > nearSlots {
		for j := range list { // they come from memory side by side, as nothing here waits for one
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

// silent reports whether no rule has a finding of a duplicate listed any more. They are only
// counted then.
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
