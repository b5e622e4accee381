package titles

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// readMultiSZ reads the strings of a REG_MULTI_SZ into t. places returns the line and column of an offset, or is nil.
func readMultiSZ(b []byte, t Table, places func(off int) (line, col int)) (Table, error) {
	n := 0 // the number of strings that are read
	at := func(off int) Place {
		p := Place{Off: int64(off)}
		if places != nil {
			p.Line, p.Col = places(off)
		} else {
			p.Nth = n + 1
		}
		return p
	}
	if places == nil {
		t.At = at(0)
	}
	whole := b[:len(b)&^1]
	var units []uint16
	var fault *Fault // a fault at the end of the list
	for off := 0; off < len(whole); {
		start := off
		units = units[:0]
		for off < len(whole) {
			u := binary.LittleEndian.Uint16(whole[off:])
			off += 2
			if u == 0 {
				break
			}
			units = append(units, u)
		}
		ended := binary.LittleEndian.Uint16(whole[off-2:]) == 0
		// Real values have empty strings before the end. Only the last empty string ends the list.
		if ended && off == len(whole) && len(units) == 0 {
			break
		}
		place := at(start)
		text := string(utf16.Decode(units))
		t.add(text, place)
		if isLossy(units, text) {
			t.damage = append(t.damage, Fault{BadText, len(t.Pairs) - 1, place, "the string " + quote.Short(text) + " has half a character of UTF-16", "must be valid UTF-16"})
		}
		if n++; n > maxStrings {
			return t, fmt.Errorf("has more than %d strings, the limit of a title database", maxStrings)
		}
		if off == len(whole) {
			fault = &Fault{Truncated, len(t.Pairs) - 1, place, "the list ends with " + quote.Short(text), "must end with an empty string"}
			if !ended {
				fault.Got = "the list ends in the string " + quote.Short(text)
				fault.Want = "must have a NUL after each string and an empty string at the end"
			}
		}
	}
	if len(b) > len(whole) {
		fault = &Fault{Truncated, len(t.Pairs) - 1, at(len(whole)), "the list ends with half a character of UTF-16", "must end with an empty string"}
	}
	if len(b) == 0 {
		fault = &Fault{Truncated, -1, at(0), "the list has no bytes", "must end with an empty string"}
	}
	if fault != nil {
		t.damage = append(t.damage, *fault)
	}
	if !t.hasIndex() && t.hasText() {
		return t, ErrNoTitles
	}
	return t, nil
}

// isLossy reports whether the decoder replaced an unpaired surrogate of the units. text is the decoded text.
func isLossy(units []uint16, text string) bool {
	return strings.ContainsRune(text, '\uFFFD') && !slices.Equal(utf16.Encode([]rune(text)), units)
}

// hasText reports whether any string of the table is not empty.
func (t *Table) hasText() bool {
	return slices.ContainsFunc(t.Pairs, func(p Pair) bool { return p.Key != "" || p.Name != "" })
}

// isIndex reports whether a string is a decimal index.
func isIndex(text string) bool {
	_, ok := (&Pair{Key: text}).Index()
	return ok
}

// AppendMultiSZ appends the table in the form of the registry: a REG_MULTI_SZ in UTF-16LE. Each pair is written as two
// strings. If the field Lone of a pair is true, the second string is omitted. A string with a NUL or with invalid UTF-8
// is an error. On an error, AppendMultiSZ returns dst unchanged.
func (t *Table) AppendMultiSZ(dst []byte) ([]byte, error) {
	out := dst
	for i := range t.Pairs {
		p := &t.Pairs[i]
		for _, text := range []string{p.Key, p.Name} {
			if strings.Contains(text, "\x00") {
				return dst, fmt.Errorf("pair %d: the string %s has a NUL, which ends a string of a REG_MULTI_SZ", i, quote.Short(text))
			}
			var err error
			if out, err = layout.AppendUTF16(out, text); err != nil {
				return dst, fmt.Errorf("pair %d: the string %s: %w", i, quote.Short(text), err)
			}
			out = append(out, 0, 0)
			if p.Lone {
				break
			}
		}
	}
	return append(out, 0, 0), nil
}
