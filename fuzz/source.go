package fuzz

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"

	"github.com/perfblock/perfblock/layout"
)

// A Source turns bytes into choices, which it spends: the next block from one of [FromBytes]
// is of what is left, and no byte is for two. What is inside an object goes with it. The zero
// Source is one of no bytes. A Source is not safe for concurrent use.
type Source struct {
	data  []byte // what is left of its own bytes
	parts []byte // those of its parts, the separators too
	taken [partSorts]int
	more  *stream // makes bytes and parts without end, nil if there are none

	kept     bool // what is spent is, to be written down
	spent    []byte
	children []*Source
	sort     partSort // of a child
}

// A partSort says what a part of a source makes.
type partSort uint8

const (
	objectPart   partSort = iota // an object, an answer, an identifier or a GUID, and the parts behind it
	counterPart                  // a counter, an entry or a value
	instancePart                 // an instance
	partSorts
)

// Separators are the bytes that parts start behind, by their sort. They are no part of
// what chooses.
const Separators = "\x1D\x1E\x1F"

// chances say how many times in 256 a source without end has one more part.
var chances = [partSorts]int{objectPart: 180, counterPart: 200, instancePart: 200}

// FromBytes returns a source that spends data, and then makes the plainest choice every
// time. It keeps data and does not change it.
//
// The bytes up to the first of [Separators] are for what there is one of, as the header.
// Behind each \x1D is what makes an object, an answer, an identifier or a GUID, behind
// each \x1E a counter, an entry or a value, and behind each \x1F an instance: of the
// object before them where it has any.
func FromBytes(data []byte) *Source {
	i := bytes.IndexAny(data, Separators)
	if i < 0 {
		i = len(data)
	}
	return &Source{data: data[:i], parts: data[i:]}
}

// Seed returns a source without end, the same for the same seed on every machine.
func Seed(seed uint64) *Source { return &Source{more: newStream(seed)} }

// Input returns bytes of which [FromBytes] makes the block that [Seed] makes, under the same
// Config: something for a fuzzing engine to start from. It is nil if there is no such kind.
func Input(kind layout.Kind, seed uint64, c Config) []byte {
	s := &Source{more: newStream(seed), kept: true}
	Model(kind, s, c)
	return s.written(nil)
}

// written appends what was spent, without the zeros that a spent source makes anyway.
func (s *Source) written(b []byte) []byte {
	b = append(b, bytes.TrimRight(s.spent, "\x00")...)
	for _, child := range s.children {
		b = child.written(append(b, Separators[child.sort]))
	}
	return b
}

// part returns the next part of that sort. There is one more in any case, which may be
// empty, if it must be.
func (s *Source) part(sort partSort, must bool) (*Source, bool) {
	if s.more != nil {
		if !must && int(s.more.byte()) < 256-chances[sort] {
			return nil, false
		}
		child := &Source{more: s.more, kept: s.kept, sort: sort}
		if s.kept {
			s.children = append(s.children, child)
		}
		return child, true
	}
	ends := Separators
	if sort == objectPart {
		ends = Separators[:1]
	}
	rest := s.parts[s.taken[sort]:]
	i := bytes.IndexByte(rest, Separators[sort])
	if i < 0 {
		s.taken[sort] = len(s.parts)
		return new(Source), must
	}
	rest = rest[i+1:]
	n := bytes.IndexAny(rest, ends)
	if n < 0 {
		n = len(rest)
	}
	s.taken[sort] = len(s.parts) - len(rest) + n
	child := FromBytes(rest[:n])
	if sort == objectPart {
		s.hand(child, s.taken[sort])
	}
	return child, true
}

// hand gives an object, which ends there, what is left of the parts inside it.
func (s *Source) hand(object *Source, end int) {
	inside := end - len(object.parts)
	for _, sort := range []partSort{counterPart, instancePart} {
		object.taken[sort] = min(max(s.taken[sort]-inside, 0), len(object.parts))
		s.taken[sort] = max(s.taken[sort], end)
	}
}

// byte returns the next byte, 0 when the source is spent.
func (s *Source) byte() byte {
	var b byte
	switch {
	case s.more != nil:
		b = s.more.byte()
	case len(s.data) > 0:
		b, s.data = s.data[0], s.data[1:]
	}
	if s.kept {
		s.spent = append(s.spent, b)
	}
	return b
}

// A stream makes bytes that are no separators, without end.
type stream struct {
	random *rand.PCG
	ahead  []byte
}

func newStream(seed uint64) *stream { return &stream{random: rand.NewPCG(seed, 0x70657266)} }

func (s *stream) byte() byte {
	for {
		if len(s.ahead) == 0 {
			s.ahead = binary.LittleEndian.AppendUint64(nil, s.random.Uint64())
		}
		b := s.ahead[0]
		s.ahead = s.ahead[1:]
		if !isSeparator(b) {
			return b
		}
	}
}

func isSeparator(b byte) bool { return b >= Separators[0] && b <= Separators[len(Separators)-1] }
