package validate

import "github.com/perfblock/perfblock/layout"

// A place is the position of an identifier.
type place struct {
	off      int64
	size     int64 // distance to the next identifier, 0 if not known
	repaired bool  // size is not Size
}

// placeIdentifiers finds the identifiers and reports whether they fill the input. If they
// do not, the last place is the first identifier whose end is not known.
func (p *pass) placeIdentifiers() bool {
	p.places = p.places[:0]
	for at := int64(0); at < int64(len(p.b)); {
		next := p.placeAt(at)
		p.places = append(p.places, next)
		if next.size == 0 {
			return false
		}
		at += next.size
	}
	return true
}

// placeAt returns the place of the identifier at an offset. It uses Size if another
// identifier can start there, and otherwise tries the end of the name.
func (p *pass) placeAt(at int64) place {
	left := int64(len(p.b)) - at
	if left < counterIdentifierSize {
		return place{off: at}
	}
	size := p.sizeAt(at)
	bounded := size >= counterIdentifierSize && size <= left
	if bounded && size%layout.Align == 0 && p.opens(at+size) {
		if n := p.hidden(at, size); n > 0 {
			return place{at, n, true}
		}
		return place{off: at, size: size}
	}
	if n := p.needed(at, size); n != size && n > 0 && p.opens(at+n) {
		return place{at, n, true}
	}
	if n := aligned(size); n != size && n >= counterIdentifierSize && p.opens(at+n) {
		return place{at, n, true} // space is reserved after the name
	}
	if next := at + counterIdentifierSize; size != counterIdentifierSize && p.opens(next) && !allZero(p.b[at:next]) {
		return place{at, counterIdentifierSize, true}
	}
	if bounded {
		return place{off: at, size: size}
	}
	return place{off: at}
}

// Offsets of fields in a PERF_COUNTER_IDENTIFIER.
const (
	identifierSizeAt  = 20
	identifierIndexAt = 32
)

func (p *pass) sizeAt(at int64) int64 { return int64(le.Uint32(p.b[at+identifierSizeAt:])) }

// opens reports whether an identifier can start at an offset, or the input ends there.
func (p *pass) opens(at int64) bool {
	left := int64(len(p.b)) - at
	if left < counterIdentifierSize {
		return left == 0
	}
	size := p.sizeAt(at)
	return size >= counterIdentifierSize && size <= left && size%layout.Align == 0
}

// needed returns the length of the identifier with its name and padding. It returns 0 if
// the name has no NUL or is too long, or if Size declares no name and only trailing zeros
// follow the structure.
func (p *pass) needed(at, size int64) int64 {
	n := p.nameLeads(at, int64(len(p.b)))
	if n == counterIdentifierSize+2 && size == counterIdentifierSize && at+aligned(n) == int64(len(p.b)) {
		return 0
	}
	return aligned(n)
}

// nameLeads returns the number of bytes from the start of the identifier at an offset to
// the end of its name, NUL included. It returns 0 if there is no NUL before end, or the
// name is too long.
func (p *pass) nameLeads(at, end int64) int64 {
	from := at + counterIdentifierSize
	most := min(end, from+2*(longestName+1))
	for i := from; i+2 <= most; i += 2 {
		if p.b[i]|p.b[i+1] == 0 {
			return i + 2 - at
		}
	}
	return 0
}

// hidden detects a Size that includes the identifiers after this one. It returns the
// length of this identifier without them, or 0 if there are none. The hidden identifiers
// fill the bytes up to Size. They start after the name, after the structure, or after
// reserved space.
func (p *pass) hidden(at, size int64) int64 {
	end := at + size
	named := p.nameLeads(at, end)
	if size < 2*counterIdentifierSize || named > 0 && allZero(p.b[at+named:end]) {
		return 0
	}
	for _, n := range [...]int64{aligned(named), counterIdentifierSize} {
		if n > 0 && p.leads(at+n, end) {
			return n
		}
	}
	for n := aligned(named) + layout.Align; named > 0 && n <= size-counterIdentifierSize && p.looks > 0; n += layout.Align {
		if p.leads(at+n, end) {
			return n
		}
	}
	return 0
}

// leads reports whether consecutive identifiers fill the bytes from an offset to end.
// p.looks bounds the time that a pass spends in such searches.
func (p *pass) leads(at, end int64) bool {
	from := at
	for p.looks > 0 && end-at >= counterIdentifierSize {
		p.looks--
		if !p.opens(at) {
			return false
		}
		at += p.sizeAt(at)
	}
	return at == end && at > from
}
