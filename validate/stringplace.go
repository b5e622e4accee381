package validate

import "slices"

// measure finds out by how many entries and bytes to go, and from where offsets count.
func (p *pass) measure(s *stringBuffer) {
	*s = stringBuffer{}
	have := int64(len(p.b))
	if have < stringsBytes {
		return
	}
	s.StringBuffer = p.stringsHeader()
	s.n = int64(s.DwCounters())
	size := int64(s.DwSize())
	if size < entriesEnd(s.n) || size > have {
		size = have // for now
	}
	if entriesEnd(s.n) <= size && p.fromEntries(s.n, size) {
		s.base = entriesEnd(s.n)
	} else if n := p.countRows(s.n, size); n >= 0 {
		s.n = n
	}
	holds := entriesEnd(s.n) <= int64(s.DwSize()) && int64(s.DwSize()) <= have
	if holds {
		s.size = int64(s.DwSize())
		if end, whole := p.stringsEnd(s.n, s.size, s.base); whole {
			s.end = end
			return
		}
	}
	if entriesEnd(s.n) > have {
		return
	}
	for _, base := range [...]int64{0, entriesEnd(s.n)} {
		if end, whole := p.stringsEnd(s.n, have, base); whole && (base == 0 || p.fromEntries(s.n, have)) {
			s.size, s.base = min(have, aligned(end)), base
			return
		}
	}
}

// fromEntries reports whether all offsets lead to strings if they count from the end of
// the entries, and not all do if they count from the start.
func (p *pass) fromEntries(n, size int64) bool {
	end, other := entriesEnd(n), false
	for i := range n {
		switch offset, none := p.offsetAt(i); {
		case none:
		case end+offset >= size:
			return false
		default:
			other = other || offset < end
		}
	}
	return other
}

// countRows returns how many entries there are if they go on to the first of the strings
// that they lead to, and -1 where that is not to be told. dwCounters says n.
func (p *pass) countRows(n, size int64) int64 {
	first := size
	k := int64(0)
	for ; entriesEnd(k+1) <= first; k++ {
		offset, none := p.offsetAt(k)
		if none {
			continue
		}
		if offset < entriesEnd(k+1) || offset >= size || k >= n && offset > first && !p.startsString(offset) {
			break
		}
		first = min(first, offset)
	}
	switch {
	case k < n && entriesEnd(k+1) > first && entriesEnd(k+1) <= int64(len(p.b)):
		// A string starts in the next. Is that no entry?
		if offset, none := p.offsetAt(k); !none && (offset < entriesEnd(n) || offset >= size) {
			return k
		}
	case k > n && (entriesEnd(k+1) > first || allZero(p.b[entriesEnd(k):first])):
		return k
	}
	return -1
}

// startsString reports whether a string can start at an offset that is not that of the
// first one. It tells an entry from a text that no entry leads to.
func (p *pass) startsString(at int64) bool { return at%2 == 0 && p.b[at-2]|p.b[at-1] == 0 }

// offsetAt returns the dwOffset of an entry, which is there, and whether it says that
// there is no string.
func (p *pass) offsetAt(i int64) (offset int64, none bool) {
	at := le.Uint32(p.b[entriesEnd(i)+4:])
	return int64(at), at == noString
}

// stringsEnd returns where the last string ends, and whether all of them are inside size,
// their NULs included.
func (p *pass) stringsEnd(n, size, base int64) (end int64, whole bool) {
	end = entriesEnd(n)
	latest := [2]int64{-1, -1} // of those that start at an even and at an odd offset
	for i := range n {
		offset, none := p.offsetAt(i)
		if none {
			continue
		}
		at := base + offset
		if at < entriesEnd(n) || at >= size {
			return 0, false
		}
		latest[at%2] = max(latest[at%2], at)
	}
	for _, at := range latest {
		if at < 0 {
			continue
		}
		ends, ended := p.stringEnd(at, size)
		if !ended {
			return 0, false
		}
		end = max(end, ends)
	}
	return end, true
}

// stringEnd returns where the string at an offset ends, its NUL included, and whether it
// has one before size.
func (p *pass) stringEnd(at, size int64) (end int64, ended bool) {
	for ; at+2 <= size; at += 2 {
		if p.b[at]|p.b[at+1] == 0 {
			return at + 2, true
		}
	}
	return size, false
}

// placeStrings finds where the strings start, in order, and the last NULs.
func (p *pass) placeStrings(s *stringBuffer) {
	p.starts, s.least = p.starts[:0], s.size
	if s.size == 0 {
		return
	}
	for i := range s.n {
		offset, none := p.offsetAt(i)
		switch at := s.base + offset; {
		case none:
		case at < entriesEnd(s.n) || at >= s.size:
			s.strayed = true
		default:
			s.strayed = s.strayed || at%2 != 0
			p.starts = append(p.starts, uint64(at)<<32|uint64(i))
		}
	}
	slices.Sort(p.starts)
	if len(p.starts) > 0 {
		s.least = int64(p.starts[0] >> 32)
	}
	s.last = [2]int64{-1, -1}
	for at := s.size - 2; at >= s.least && (s.last[0] < 0 || s.last[1] < 0); at-- {
		if p.b[at]|p.b[at+1] == 0 {
			s.last[at%2] = max(s.last[at%2], at)
		}
	}
}

// betweenStrings judges what no string has, from the end of the entries on. Strings may
// share bytes; those that start at an even offset and those that start at an odd one are
// each gone through once.
func (p *pass) betweenStrings(s *stringBuffer) {
	var ends [2]int64
	end := entriesEnd(s.n)
	for _, start := range p.starts {
		at := int64(start >> 32)
		if at > end {
			p.stringCounter = p.entryAt(int64(uint32(start)))
			p.unused(&p.stringCounter, "gap", end, at)
		}
		if own := &ends[at%2]; at >= *own {
			*own, _ = p.stringEnd(at, s.size)
		}
		end = max(end, ends[at%2])
	}
	p.padding(s, end, s.size)
}
