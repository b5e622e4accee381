package fuzz

import "bytes"

// Damage returns a copy of a block with a few changed bytes. Some copies are also truncated. The source chooses the
// changes. A change flips a bit, replaces a byte, sets the first byte of a DWORD to a number below 64, or sets a DWORD
// to 0xFFFFFFFF. The copy of an empty block is empty. Any other copy differs from its block.
func Damage(s *Source, block []byte) []byte {
	s = s.orEmpty()
	b := bytes.Clone(block)
	if len(b) == 0 {
		return b
	}
	for range 1 + s.upTo(4) {
		at := s.upTo(len(b))
		switch field := b[at&^3 : min(at&^3+4, len(b))]; s.upTo(4) {
		case 0:
			b[at] ^= 1 << s.upTo(8)
		case 1:
			field[0] = byte(s.upTo(64))
		case 2:
			b[at] = s.byte()
		case 3:
			copy(field, "\xFF\xFF\xFF\xFF")
		}
	}
	if n := s.upTo(len(b)); s.chance(32) {
		return b[:n]
	}
	if bytes.Equal(b, block) {
		b[0] ^= 1
	}
	return b
}
