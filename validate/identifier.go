package validate

import "github.com/perfblock/perfblock/layout"

// counterIdentifier is a PERF_COUNTER_IDENTIFIER with its name.
type counterIdentifier struct {
	layout.CounterIdentifier // its structure; of nothing where not all of that is there
	place
	index int
	end   int64       // of the input
	told  int64       // how many identifiers there are, -1 where that cannot be told
	name  layout.Name // what stands behind the structure, up to where the next one starts
	text  []byte      // what of that is before the first NUL
	ended bool        // there is one
}

var onCounterIdentifier = subjectsIn[*counterIdentifier](layout.IdentifiersKind)

func (id *counterIdentifier) path() layout.Path   { return layout.Path{}.At("identifier", id.index) }
func (*counterIdentifier) record() *layout.Record { return &layout.PERF_COUNTER_IDENTIFIER }
func (id *counterIdentifier) start() int64        { return id.off }

const identifierBytes = 40 // of the structure

// bounded reports whether Size is one that an identifier in this place can have.
func (id *counterIdentifier) bounded() bool {
	n := int64(id.Size())
	return n >= identifierBytes && n <= id.end-id.off
}

// lead says what Size would lead to if it were size.
func (id *counterIdentifier) lead() string {
	if id.off+id.size == id.end {
		return "where the input ends"
	}
	return "where the next one starts"
}

func (p *pass) checkIdentifiers() {
	told := int64(-1)
	if p.placeIdentifiers() {
		told = int64(len(p.places))
	}
	p.ids.reset(len(p.places))
	p.names.reset(len(p.places))
	id := &p.counterIdentifier
	for i, at := range p.places {
		*id = counterIdentifier{place: at, index: i, end: int64(len(p.b)), told: told}
		id.read(p.b[at.off:])
		if !onCounterIdentifier.holds(p, id) {
			return
		}
		if id.ended {
			p.padding(id, id.name.Off()+int64(len(id.text))+2, id.name.End())
		}
	}
}

// read reads the identifier at the start of rest, which goes to the end of the input.
func (id *counterIdentifier) read(rest []byte) {
	if len(rest) < identifierBytes {
		return
	}
	id.CounterIdentifier = layout.CounterIdentifier{Span: layout.NewSpan(rest[:identifierBytes:identifierBytes], id.off)}
	if id.size == 0 {
		return
	}
	id.name = layout.Name{Span: layout.NewSpan(rest[identifierBytes:id.size:id.size], id.off+identifierBytes)}
	text := id.name.Bytes()
	id.text = text[:len(text)&^1]
	if i := id.name.IndexNUL(); i >= 0 {
		id.text, id.ended = text[:i], true
	}
}
