package fuzz

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"

	"github.com/perfblock/perfblock/layout"
)

// A Source turns bytes into choices. A choice spends its bytes: a second model from one source uses only bytes that the
// first model did not use. The zero Source has no bytes. A nil *Source is the same as the zero Source. A Source is not
// safe for concurrent use.
type Source struct {
	data  []byte         // the bytes before the first separator that are not spent
	parts []byte         // the bytes from the first separator on
	taken [partSorts]int // for each sort, the offset in parts at which the last returned part ends
	more  *stream        // the bytes of an endless source; nil otherwise

	recording bool      // whether to record spent and children, which only the function Input needs
	spent     []byte    // the bytes that this source returned, without the bytes of its parts
	children  []*Source // the parts that this source returned
	sort      partSort  // the sort of this source, if it is a part
}

// A partSort says whether a part of a [Source] is for an object, for a counter or for an instance.
type partSort uint8

const (
	objectPart   partSort = iota // an object, a result, an identifier or a GUID, with its counters and instances
	counterPart                  // a counter, an entry or a value
	instancePart                 // an instance
	partSorts
)

// Separators are the bytes that start a part of a source: for an object, for a counter, and for an instance, in this
// order.
const Separators = "\x1D\x1E\x1F"

// chances has, for each sort of part, the probability that another part follows in an endless source. The unit is
// 1/256.
var chances = [partSorts]int{objectPart: 180, counterPart: 200, instancePart: 200}

// FromBytes returns a source that spends data. When the bytes are spent, the source makes the simplest choice. The
// source refers to data and does not change it.
//
// The bytes before the first of [Separators] choose the header and everything else that a block has only once. Each
// \x1D starts a part for an object, a result, an identifier or a GUID. Each \x1E starts a part for a counter, an entry
// or a value. Each \x1F starts a part for an instance. Counters and instances belong to the object before them.
func FromBytes(data []byte) *Source {
	i := bytes.IndexAny(data, Separators)
	if i < 0 {
		i = len(data)
	}
	return &Source{data: data[:i], parts: data[i:]}
}

// Seed returns an endless source. A seed gives the same bytes on every machine.
func Seed(seed uint64) *Source { return &Source{more: newStream(seed)} }

// orEmpty returns s, or a source without bytes if s is nil.
func (s *Source) orEmpty() *Source {
	if s == nil {
		return new(Source)
	}
	return s
}

// Input converts a seed into bytes for [FromBytes]. With the same kind and Config, [Model] makes the same model from
// these bytes as from the seed. A fuzzing engine can start with these bytes. Input returns nil for an unknown kind.
func Input(kind layout.Kind, seed uint64, c Config) []byte {
	s := &Source{more: newStream(seed), recording: true}
	Model(kind, s, c)
	return s.appendSpent(nil)
}

// appendSpent appends the recorded bytes of s. Then it appends, for each part, a separator and the recorded bytes of
// the part. It omits the zeros at the end of s and of each part, because a source returns zeros after its last byte.
func (s *Source) appendSpent(b []byte) []byte {
	b = append(b, bytes.TrimRight(s.spent, "\x00")...)
	for _, child := range s.children {
		b = child.appendSpent(append(b, Separators[child.sort]))
	}
	return b
}

// part returns the next part of the given sort, and true. If no part follows and `must` is true, it returns an empty
// part and true. If no part follows and `must` is false, it returns false.
func (s *Source) part(sort partSort, must bool) (*Source, bool) {
	if s.more != nil {
		if !must && int(s.more.byte()) < 256-chances[sort] {
			return nil, false
		}
		child := &Source{more: s.more, recording: s.recording, sort: sort}
		if s.recording {
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
		s.passTaken(child, s.taken[sort])
	}
	return child, true
}

// passTaken updates the fields `taken` of s and of `part`, a new object part of s. As a result, only one of them
// returns each counter or instance inside `part`. partEnd is the offset in s.parts at which `part` ends.
func (s *Source) passTaken(part *Source, partEnd int) {
	inside := partEnd - len(part.parts)
	for _, sort := range []partSort{counterPart, instancePart} {
		part.taken[sort] = min(max(s.taken[sort]-inside, 0), len(part.parts)) // part must skip what s has returned
		s.taken[sort] = max(s.taken[sort], partEnd)                           // s must skip what is inside part
	}
}

// byte returns the next byte, or 0 if all bytes are spent.
func (s *Source) byte() byte {
	var b byte
	switch {
	case s.more != nil:
		b = s.more.byte()
	case len(s.data) > 0:
		b, s.data = s.data[0], s.data[1:]
	}
	if s.recording {
		s.spent = append(s.spent, b)
	}
	return b
}

// exhausted reports whether the source has no bytes left, so that it makes only the simplest choices.
func (s *Source) exhausted() bool { return s.more == nil && len(s.data) == 0 && len(s.parts) == 0 }

func (s *Source) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = s.byte()
	}
	return b
}

// upTo returns a number from 0 to n-1, or 0 if all bytes are spent. n is at least 1.
func (s *Source) upTo(n int) int {
	v := 0
	for span := n - 1; span > 0; span >>= 8 {
		v = v<<8 | int(s.byte())
	}
	return v % n
}

// index returns a number from 0 to n-1, or 0 if n is 0. It always spends two bytes, so that later choices do not
// depend on n.
func (s *Source) index(n int) int { return s.upTo(1<<16) % max(n, 1) }

// chance returns true with a probability of n/256. It returns false if all bytes are spent.
func (s *Source) chance(n int) bool { return int(s.byte()) >= 256-n }

// uint64 returns any number. Small numbers and limits of types are frequent.
func (s *Source) uint64() uint64 {
	switch s.upTo(4) {
	case 0:
		return uint64(s.byte())
	case 1:
		return uint64(s.upTo(1 << 24))
	case 2:
		return pick[uint64](s, 0, 1<<31-1, 1<<31, 1<<32-1, 1<<32, 1<<53+1, 1<<63-1, 1<<63, 1<<64-1)
	}
	var v uint64
	for range 8 {
		v = v<<8 | uint64(s.byte())
	}
	return v
}

func (s *Source) uint32() uint32 { return uint32(s.uint64()) }

// positive returns a number from 1 to 1<<63 - 1.
func (s *Source) positive() int64 { return max(int64(s.uint64()>>1), 1) }

// pick returns one of the choices, or the first if all bytes are spent.
func pick[T any](s *Source, choices ...T) T { return choices[s.upTo(len(choices))] }

// shuffle puts a list into an order that the source chooses. It keeps the order if all bytes are spent.
func shuffle[T any](s *Source, list []T) {
	for i := range list {
		j := i + s.upTo(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
}

// A stream is an endless sequence of bytes without separators.
type stream struct {
	random *rand.PCG
	ahead  []byte // random bytes that are not returned yet
}

func newStream(seed uint64) *stream { return &stream{random: rand.NewPCG(seed, 0x70657266)} }

func (s *stream) byte() byte {
	for {
		if len(s.ahead) == 0 {
			s.ahead = binary.LittleEndian.AppendUint64(nil, s.random.Uint64())
		}
		b := s.ahead[0]
		s.ahead = s.ahead[1:]
		if b < Separators[0] || b > Separators[len(Separators)-1] {
			return b
		}
	}
}
