package dump

import (
	"strings"

	"github.com/fatih/color"
)

// A paint is what to write before and after a stretch of text to give it a colour;
// the zero value gives none.
type paint struct{ on, off string }

// paints are the colours of a dump, by what they mark.
type paints struct{ offset, bytes, path, value, meaning, fault paint }

func newPaints(on bool) paints {
	if !on {
		return paints{}
	}
	return paints{
		offset: newPaint(color.Faint), bytes: newPaint(color.Faint), path: newPaint(color.FgCyan),
		value: newPaint(color.Bold), meaning: newPaint(color.FgGreen), fault: newPaint(color.FgRed, color.Bold),
	}
}

// newPaint takes the colour apart, so that text can be written between its halves
// without a copy.
func newPaint(a ...color.Attribute) paint {
	c := color.New(a...)
	c.EnableColor()
	on, off, _ := strings.Cut(c.Sprint("x"), "x")
	return paint{on, off}
}

func (p paint) append(dst, text []byte) []byte {
	return append(append(append(dst, p.on...), text...), p.off...)
}

func (p paint) appendString(dst []byte, text string) []byte {
	return append(append(append(dst, p.on...), text...), p.off...)
}
