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
	end := int64(len(p.b))
	for at := int64(0); at < end; {
		next := p.distance(&identifierRecord, at, end, follower{&identifierRecord, end})
		p.identifiers = append(p.identifiers, identifierExtent{at, next.n, next.wrong})
		if next.n == 0 {
			return false
		}
		at += next.n
	}
	return true
}

var identifierRecord = recordType{
	field: layout.PERF_COUNTER_IDENTIFIER.Field("Size").At, least: counterIdentifierSize, aligned: true,
	plausible: func(b []byte, at, lim int64) bool {
		if lim-at < counterIdentifierSize {
			return false
		}
		size := int64(counterIdentifierAt(b, at).Size())
		return size >= counterIdentifierSize && size <= lim-at && size%layout.Align == 0
	},
	// required returns the lengths that the identifier has with its name and without a name, or 0 for
	// a length that it cannot have. 40 zeros are not an identifier. If Size is 40, 8 zeros at the end
	// of the input are not an empty name.
	required: func(p *pass, at, lim int64) (withName, without int64) {
		name := at + counterIdentifierSize
		if !allZero(p.b[at:name]) {
			without = counterIdentifierSize
		}
		nul := p.nameEnd(name, lim)
		if nul < 0 || nul == name && counterIdentifierAt(p.b, at).Size() == counterIdentifierSize && aligned(nul+2) == lim {
			return 0, without
		}
		return aligned(nul + 2 - at), without
	},
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
