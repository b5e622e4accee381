package validate

import "github.com/perfblock/perfblock/layout"

// A place is where an identifier stands.
type place struct {
	off    int64
	size   int64 // to where the next one starts, 0 where that cannot be told
	mended bool  // Size leads elsewhere
}

// placeIdentifiers finds where identifiers stand, and reports whether they fill the input.
// The last place is that of the first identifier after which nothing can be found.
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

// placeAt goes by Size where that leads to what can be an identifier, and else by the name,
// after which one must start.
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
		return place{at, n, true} // with room that the name does not need
	}
	if next := at + counterIdentifierSize; size != counterIdentifierSize && p.opens(next) && !allZero(p.b[at:next]) {
		return place{at, counterIdentifierSize, true}
	}
	if bounded {
		return place{off: at, size: size}
	}
	return place{off: at}
}

// Where fields of a PERF_COUNTER_IDENTIFIER are.
const (
	identifierSizeAt  = 20
	identifierIndexAt = 32
)

func (p *pass) sizeAt(at int64) int64 { return int64(le.Uint32(p.b[at+identifierSizeAt:])) }

// opens reports whether an identifier can start there, or the input ends.
func (p *pass) opens(at int64) bool {
	left := int64(len(p.b)) - at
	if left < counterIdentifierSize {
		return left == 0
	}
	size := p.sizeAt(at)
	return size >= counterIdentifierSize && size <= left && size%layout.Align == 0
}

// needed returns how long the identifier is by its name, 0 where that has no NUL or is
// longer than a name can be. Zeros after the last identifier are not the end of a name.
func (p *pass) needed(at, size int64) int64 {
	n := p.nameLeads(at, int64(len(p.b)))
	if n == counterIdentifierSize+2 && size == counterIdentifierSize && at+aligned(n) == int64(len(p.b)) {
		return 0
	}
	return aligned(n)
}

// nameLeads returns where, from the start of the identifier at an offset, its name ends, NUL
// included; 0 if that is not before end, or the name is longer than a name can be.
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

// hidden returns how long the identifier at an offset is if what it counts as padding is
// identifiers, one after the other to its end, and else 0. They start after its name, or
// after the structure if it has none, or farther on if it has room that it does not need.
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

// leads reports whether identifiers stand one after the other from an offset to end. All
// the looking of a pass is bounded, as those that lead past the end cost it each time.
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
