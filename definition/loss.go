package definition

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// A Loss is a value of a definition that the form of an output cannot hold. The output lacks the value, or has
// a similar value.
type Loss struct {
	Path         layout.Path // of the value, such as counterSet[0].title
	Line, Column int         // of the value in the text that it was read from, or 0
	Text         string      // the value and the reason

	elsewhere bool // another form of output has the value, so that nothing is lost if all forms are written
}

// String returns "counterSet[0].title at 12:5: the title 6: a manifest has no values of V1". It omits a path and
// a place that are not known.
func (l Loss) String() string {
	text := l.Text
	if l.Line > 0 {
		text = fmt.Sprintf("at %d:%d: %s", l.Line, l.Column, text)
	}
	if path := l.Path.String(); path != "" {
		if l.Line > 0 {
			return path + " " + text
		}
		return path + ": " + text
	}
	return text
}

// loss returns a Loss: the value that the element has for the key is not converted. text says why.
func (e element) loss(key, text string) Loss {
	f := e.finding(key, text, "")
	return Loss{Path: f.path, Line: f.at.line, Column: f.at.column, Text: text}
}

// inOtherForms marks losses of one form whose values other forms of output have.
func inOtherForms(losses []Loss) []Loss {
	for i := range losses {
		losses[i].elsewhere = true
	}
	return losses
}
