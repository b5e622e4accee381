// Package terminal colours text for terminals, and escapes control characters and other
// characters that a terminal must not receive.
package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"

	"github.com/perfblock/perfblock/validate"
)

// A Paint has the escape sequences that start and end a colour. The zero value has none.
type Paint struct{ On, Off string }

// Text returns s in colour.
func (p Paint) Text(s string) string { return p.On + s + p.Off }

// Append appends text in colour to dst.
func (p Paint) Append(dst, text []byte) []byte {
	return append(append(append(dst, p.On...), text...), p.Off...)
}

// A Palette has the colours of all output. The zero value adds no colours.
type Palette struct {
	Bold, Faint, Cyan, Green Paint

	severities [validate.Error + 1]Paint
}

// NewPalette returns the colours. If enabled is false, it returns the zero value.
func NewPalette(enabled bool) Palette {
	if !enabled {
		return Palette{}
	}
	return Palette{
		Bold: newPaint(color.Bold), Faint: newPaint(color.Faint), Cyan: newPaint(color.FgCyan), Green: newPaint(color.FgGreen),
		severities: [...]Paint{
			validate.Off:     newPaint(color.Faint),
			validate.Info:    newPaint(color.FgBlue, color.Bold),
			validate.Warning: newPaint(color.FgYellow, color.Bold),
			validate.Error:   newPaint(color.FgRed, color.Bold),
		},
	}
}

func newPaint(attributes ...color.Attribute) Paint {
	c := color.New(attributes...)
	c.EnableColor()
	on, off, _ := strings.Cut(c.Sprint("x"), "x")
	return Paint{on, off}
}

// Severity returns the colour of a severity.
func (p *Palette) Severity(s validate.Severity) Paint {
	if int(s) < len(p.severities) {
		return p.severities[s]
	}
	return Paint{}
}

// Printable returns s as one line that is safe to print. Go's escapes, such as \n, replace what is not printable or
// not UTF-8.
func Printable(s string) string {
	if !strings.ContainsFunc(s, isSpecial) {
		return s
	}
	var b strings.Builder
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// isSpecial reports whether a character is not printable ASCII.
func isSpecial(r rune) bool { return r < ' ' || r > '~' }
