package fuzz_test

import (
	"encoding/binary"
	"unicode/utf16"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// rebased returns strings whose offsets count from the end of the entries, as they are read
// where another number of entries is counted: each leads as far as before, from the new end.
func (f *flip) rebased() *builder.StringBuffer {
	s := f.countedFrom(8+8*f.is, f.is)
	s.FromEntries = true
	return s
}

// fromStart returns strings whose offsets count from the start of the buffer, as they are.
func (f *flip) fromStart() *builder.StringBuffer {
	return f.countedFrom(0, uint64(f.header("dwCounters")))
}

// countedFrom returns the strings of n entries whose offsets count from there.
func (f *flip) countedFrom(base, n uint64) *builder.StringBuffer {
	number := binary.LittleEndian.Uint32
	var s builder.StringBuffer
	for at := uint64(8); at < 8+8*n; at += 8 {
		e := builder.StringCounter{CounterId: number(f.scratch[at:]), None: number(f.scratch[at+4:]) == layout.NoString}
		if !e.None {
			e.Text = textAt(f.scratch[base+uint64(number(f.scratch[at+4:])):])
		}
		s.Define(e)
	}
	return &s
}

// textAt returns the letters up to the NUL, which is there.
func textAt(b []byte) string {
	var units []uint16
	for ; b[0]|b[1] != 0; b = b[2:] {
		units = append(units, binary.LittleEndian.Uint16(b))
	}
	return string(utf16.Decode(units))
}
