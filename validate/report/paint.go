package report

import (
	"strings"

	"github.com/fatih/color"

	"github.com/perfblock/perfblock/validate"
)

// A paint is what to write before and after a stretch of text to give it a colour;
// the zero value gives none.
type paint struct{ on, off string }

func (p paint) text(s string) string { return p.on + s + p.off }

// paints are the colours of a text, by what they mark.
type paints struct {
	place, path, offset, rule, label, good paint
	severities                             [validate.Error + 1]paint
}

func newPaints(on bool) paints {
	if !on {
		return paints{}
	}
	return paints{
		place: newPaint(color.Bold), path: newPaint(color.FgCyan), offset: newPaint(color.Faint), rule: newPaint(color.Faint),
		label: newPaint(color.Bold), good: newPaint(color.FgGreen),
		severities: [...]paint{
			validate.Off:     newPaint(color.Faint),
			validate.Info:    newPaint(color.FgBlue, color.Bold),
			validate.Warning: newPaint(color.FgYellow, color.Bold),
			validate.Error:   newPaint(color.FgRed, color.Bold),
		},
	}
}

func (p *paints) of(s validate.Severity) paint {
	if int(s) < len(p.severities) {
		return p.severities[s]
	}
	return paint{}
}

func newPaint(a ...color.Attribute) paint {
	c := color.New(a...)
	c.EnableColor()
	on, off, _ := strings.Cut(c.Sprint("x"), "x")
	return paint{on, off}
}
