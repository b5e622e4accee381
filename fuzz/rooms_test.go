package fuzz_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
)

// A maker fills what is behind the length of b, a buffer that cannot grow where fixed, and
// says how much it needs.
type maker func(b []byte, fixed bool) (need int, filled []byte, err error)

// rooms are how much more room a buffer has, from so much to so much, than what it is filled
// with takes.
type rooms struct{ from, to int }

var allRooms = rooms{-17, 17}

// oneOf returns one of the rooms, any number saying which.
func (r rooms) oneOf(n uint8) rooms {
	r.from += int(n) % (r.to - r.from + 1)
	r.to = r.from
	return r
}

// in fills buffers of every kind with what is to be the same each time.
func (m maker) in(t *testing.T, r rooms, want []byte) {
	t.Helper()
	for room := max(0, len(want)+r.from); room <= len(want)+r.to; room++ {
		m.within(t, want, room)
		m.grown(t, want, room)
	}
	m.grown(t, want, len(want)/2)
}

// within fills a buffer that has room for so many bytes behind a few that are there.
func (m maker) within(t *testing.T, want []byte, room int) {
	t.Helper()
	const before, behind = 5, 16
	all := bytes.Repeat([]byte{0xEE}, before+room+behind)
	need, got, err := m(all[:before:before+room], true)
	switch fits := room >= len(want); {
	case need != before+len(want):
		t.Fatalf("%d bytes for %d: it needs %d", room, len(want), need)
	case fits && (err != nil || !bytes.Equal(got[before:], want) || &got[0] != &all[0]):
		t.Fatalf("%d bytes for %d: %v (-model +filled):\n%s", room, len(want), err, cmp.Diff(want, got[before:]))
	case !fits && (!errors.Is(err, builder.ErrMoreData) || len(got) != before || &got[0] != &all[0]):
		t.Fatalf("%d bytes for %d: %v, %d bytes returned", room, len(want), err, len(got))
	}
	if rest := all[before+room:]; bytes.Count(all[:before], []byte{0xEE}) != before || bytes.Count(rest, []byte{0xEE}) != len(rest) {
		t.Fatalf("%d bytes for %d: others were written to", room, len(want))
	}
}

// grown fills a buffer that grows where it has not that much room.
func (m maker) grown(t *testing.T, want []byte, room int) {
	t.Helper()
	dirty := bytes.Repeat([]byte{0xEE}, 3+room)
	_, got, err := m(dirty[:3], false)
	if err != nil || !bytes.Equal(got[:3], dirty[:3]) || !bytes.Equal(got[3:], want) {
		t.Fatalf("a buffer with %d bytes for %d: %v (-model +filled):\n%s", room, len(want), err, cmp.Diff(want, got[3:]))
	}
	if stays := room >= len(want); stays != (&got[0] == &dirty[0]) && len(want) > 0 {
		t.Fatalf("a buffer with %d bytes for %d: it has grown: %v", room, len(want), !stays)
	}
}
