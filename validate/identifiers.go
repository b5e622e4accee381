package validate

import "github.com/perfblock/perfblock/layout"

// An identifierExtent is the position of an identifier in a block of identifiers.
type identifierExtent struct {
	off      int64
	size     int64 // distance to the next identifier, 0 if not known
	repaired bool  // size is not Size
}

func (p *pass) checkIdentifiers() {
	count := int64(-1)
	if p.findIdentifiers() {
		count = int64(len(p.identifiers))
	}
	p.ids.reset(len(p.identifiers))
	p.names.reset(len(p.identifiers))
	id := &p.counterIdentifier
	for i, at := range p.identifiers {
		*id = counterIdentifier{extent: at, index: i, inputEnd: int64(len(p.b)), count: count}
		id.read(p.b[at.off:])
		if !onCounterIdentifier.run(p, id) {
			return
		}
		if id.ended {
			p.padding(id, id.name.Off()+int64(len(id.text))+2, id.name.End())
		}
	}
}

// findIdentifiers finds the identifiers and reports whether they fill the input. It stops after the
// first identifier whose end is not known, and returns false.
func (p *pass) findIdentifiers() bool {
	p.identifiers = p.identifiers[:0]
	for at := int64(0); at < int64(len(p.b)); {
		next := p.identifierAt(at)
		p.identifiers = append(p.identifiers, next)
		if next.size == 0 {
			return false
		}
		at += next.size
	}
	return true
}

// identifierAt returns the extent of the identifier at an offset. If no identifier can start after
// Size bytes, it tries other ends, first the end of the name.
func (p *pass) identifierAt(at int64) identifierExtent {
	left := int64(len(p.b)) - at
	if left < counterIdentifierSize {
		return identifierExtent{off: at}
	}
	size := p.sizeAt(at)
	inRange := size >= counterIdentifierSize && size <= left
	if inRange && size%layout.Align == 0 && p.identifierStarts(at+size) {
		if n := p.sizeBeforeIncluded(at, size); n > 0 {
			return identifierExtent{at, n, true}
		}
		return identifierExtent{off: at, size: size}
	}
	if n := p.requiredIdentifierSize(at, size); n != size && n > 0 && p.identifierStarts(at+n) {
		return identifierExtent{at, n, true}
	}
	if n := aligned(size); n != size && n >= counterIdentifierSize && p.identifierStarts(at+n) {
		return identifierExtent{at, n, true} // space is reserved after the name
	}
	if next := at + counterIdentifierSize; size != counterIdentifierSize && p.identifierStarts(next) && !allZero(p.b[at:next]) {
		return identifierExtent{at, counterIdentifierSize, true}
	}
	if inRange {
		return identifierExtent{off: at, size: size}
	}
	return identifierExtent{off: at}
}

// sizeAt returns Size of the identifier at an offset.
func (p *pass) sizeAt(at int64) int64 { return int64(counterIdentifierAt(p.b, at).Size()) }

// identifierStarts reports whether an identifier can start at an offset, or the input ends there.
func (p *pass) identifierStarts(at int64) bool {
	left := int64(len(p.b)) - at
	if left < counterIdentifierSize {
		return left == 0
	}
	size := p.sizeAt(at)
	return size >= counterIdentifierSize && size <= left && size%layout.Align == 0
}

// requiredIdentifierSize returns the length of the identifier at an offset with its name and
// padding. It returns 0 if the name has no NUL or is too long. It also returns 0 for an empty name
// that ends the input and is not included in Size.
func (p *pass) requiredIdentifierSize(at, size int64) int64 {
	n := p.lengthWithName(at, int64(len(p.b)))
	if n == counterIdentifierSize+2 && size == counterIdentifierSize && at+aligned(n) == int64(len(p.b)) {
		return 0
	}
	return aligned(n)
}

// lengthWithName returns the number of bytes from the start of the identifier at an offset to the
// end of its name, NUL included. It returns 0 if there is no NUL before end, or the name is too
// long.
func (p *pass) lengthWithName(at, end int64) int64 {
	from := at + counterIdentifierSize
	if n := terminatedLen(p.b[from:min(end, from+longestNameBytes)]); n > 0 {
		return counterIdentifierSize + n
	}
	return 0
}

// sizeBeforeIncluded detects a Size that includes the following identifiers. It returns the right
// size of the identifier at an offset, or 0 if Size includes no other identifier. Other identifiers
// are included if they fill the bytes up to Size. The first of them can start after the name, after
// the structure, or after reserved space.
func (p *pass) sizeBeforeIncluded(at, size int64) int64 {
	end := at + size
	withName := p.lengthWithName(at, end)
	if size < 2*counterIdentifierSize || withName > 0 && allZero(p.b[at+withName:end]) {
		return 0
	}
	for _, n := range [...]int64{aligned(withName), counterIdentifierSize} {
		if n > 0 && p.identifiersFill(at+n, end) {
			return n
		}
	}
	for n := aligned(withName) + layout.Align; withName > 0 && n <= size-counterIdentifierSize && p.looks > 0; n += layout.Align {
		if p.identifiersFill(at+n, end) {
			return n
		}
	}
	return 0
}

// identifiersFill reports whether consecutive identifiers fill the bytes from an offset to end.
// p.looks limits the number of identifiers that a pass reads in this way.
func (p *pass) identifiersFill(at, end int64) bool {
	from := at
	for p.looks > 0 && end-at >= counterIdentifierSize {
		p.looks--
		if !p.identifierStarts(at) {
			return false
		}
		at += p.sizeAt(at)
	}
	return at == end && at > from
}

// identifierName returns the name of an identifier without its NUL.
func identifierName(id *layout.CounterIdentifier) []byte {
	text := id.Name().Bytes()
	if nul := nulIn(text); nul >= 0 {
		return text[:nul]
	}
	return text
}

// wildcard returns the index of the first * or ? of a name, -1 if there is none.
func wildcard(text []byte) int {
	for i := 0; i+1 < len(text); i += 2 {
		if c := text[i]; text[i+1] == 0 && (c == '*' || c == '?') {
			return i
		}
	}
	return -1
}
