package validate

import (
	"fmt"
	"unicode"
	"unicode/utf16"

	"github.com/perfblock/perfblock/layout"
)

const (
	longestName = 1023 // characters that PDH has room for, beside the NUL
	shortName   = 255  // characters that Microsoft's sample keeps
)

// NULs inside a name are looked over here: they are one fault, which has its rule.

// wide returns the text of a name of UTF-16, none for a name of a code page.
func (in *instance) wide(o *object) []byte {
	if o.CodePage() != 0 {
		return nil
	}
	return in.text
}

// inName reports n bytes of the text of a name, from byte i on.
func (p *pass) inName(in *instance, i, n int, got, want string) {
	p.bytes(in, "Name", in.name.Off()+int64(i), n, got, want)
}

func nameUTF16(p *pass, in *instance) {
	t := in.wide(in.of)
	for i := 0; i+1 < len(t); i += 2 {
		u := rune(le.Uint16(t[i:]))
		switch {
		case u < 0xD800:
		case utf16.IsSurrogate(u):
			if i+3 < len(t) && utf16.DecodeRune(u, rune(le.Uint16(t[i+2:]))) != unicode.ReplacementChar {
				i += 2
				continue
			}
			p.inName(in, i, 2, fmt.Sprintf("U+%04X is half of a surrogate pair", u), "the pair, or neither half")
			return
		case u >= 0xFFFE:
			p.inName(in, i, 2, fmt.Sprintf("the name has U+%04X", u), "a character")
			return
		}
	}
}

// nameCodePage has nothing to say of a code page that is none: no one decodes those.
func nameCodePage(p *pass, in *instance) {
	if id := in.of.CodePage(); id != 0 && in.name.Len() > 0 && !in.of.named && layout.KnownCodePage(id) {
		in.of.named = true
		p.field(in.of, "CodePage", id, "0, which is UTF-16: names in a code page are not decoded")
	}
}

func nameEmpty(p *pass, in *instance) {
	if in.ended && len(in.text) == 0 {
		p.field(in, "NameLength", in.NameLength(), "0 for no name, or a name before the NUL")
	}
}

func instanceUnnamed(p *pass, in *instance) {
	if in.NameLength() == 0 && in.UniqueID() == layout.PERF_NO_UNIQUE_ID {
		p.field(in, "NameLength", 0, "a name, or a UniqueID other than -1")
	}
}

func nameSpecial(p *pass, in *instance) {
	t := in.wide(in.of)
	number, digits := -1, 0 // the last #, as long as nothing but digits is behind it
	for i := 0; i+1 < len(t); i += 2 {
		switch u := le.Uint16(t[i:]); u {
		case 0:
		case '\\', '(', ')', '/', '*':
			p.inName(in, i, 2, fmt.Sprintf("the name has %c, which has a meaning in paths", u), `none of \ ( ) / *`)
			return
		case '#':
			number, digits = i, 0
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			digits++
		default:
			number = -1
		}
	}
	if number >= 0 && digits > 0 {
		p.inName(in, number, len(t)-number, "the name ends in # and a number, as the second of two equal names is written in paths", "another ending")
	}
}

func nameControl(p *pass, in *instance) {
	t := in.wide(in.of)
	first, last := true, -1 // last is where the last character stands, if that is a space
	for i := 0; i+1 < len(t); i += 2 {
		switch u := le.Uint16(t[i:]); {
		case u == 0:
			continue
		case u < ' ':
			p.inName(in, i, 2, fmt.Sprintf("the name has U+%04X, a control character", u), "characters that can be seen")
			return
		case u != ' ':
			last = -1
		case first:
			p.inName(in, i, 2, "the name starts with a space", "another character")
			return
		default:
			last = i
		}
		first = false
	}
	if last >= 0 {
		p.inName(in, last, 2, "the name ends with a space", "another character")
	}
}

// tooLong returns how many characters a name has, and where the first of those that
// are more than most stands, -1 if there are no more. Half a character counts for none.
func tooLong(in *instance, most int) (n, at int) {
	at = -1
	unit := in.name.Unit()
	if len(in.text) <= most*unit {
		return 0, at
	}
	for i := 0; i+unit <= len(in.text); i += unit {
		if in.text[i] == 0 && (unit == 1 || in.text[i+1] == 0) {
			continue
		}
		if n++; n == most+1 {
			at = i
		}
	}
	return n, at
}

func nameLong(p *pass, in *instance) {
	if n, at := tooLong(in, longestName); at >= 0 {
		p.inName(in, at, len(in.text)-at, fmt.Sprintf("the name is of %d characters", n), "1023 at most")
	}
}

func nameOver255(p *pass, in *instance) {
	if n, at := tooLong(in, shortName); at >= 0 && n <= longestName {
		p.inName(in, at, len(in.text)-at, fmt.Sprintf("the name is of %d characters", n), "255 at most")
	}
}
