package armor

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// ErrNoForm means that the first line of a text fits no form. Errors of [Input.Decode] wrap it.
var ErrNoForm = errors.New("is text that fits no form of --input")

// decisive lists errors that prove which form a text has. A text with such an error cannot be read.
var decisive = []error{errOD, errNoBytes, errOmitted, errUnreadable, ErrSameName}

var (
	// errNoBytes means that a text has no bytes.
	errNoBytes = errors.New("there are no bytes")
	// errOmitted means that a dump omits repeated lines.
	errOmitted = errors.New("* marks omitted lines, but all lines are required")
	// errUnreadable means that a debugger could not read the memory.
	errUnreadable = errors.New("?? is memory that the debugger could not read")
	// ErrSameName means that two blocks in a text have the same name, so a path could not select the second one.
	ErrSameName = errors.New("an earlier block already has the name")
)

// A doubt is an error from a decoder that found no byte in the text. The text probably has another form.
type doubt struct{ error }

func (d doubt) Unwrap() error { return d.error }

// doubtUnless returns err if read is true, and a [doubt] that wraps err if read is false. The parameter read is true if
// the decoder has recognized a part of the text.
func doubtUnless(read bool, err error) error {
	if read {
		return err
	}
	return doubt{err}
}

// A detection is the result of decoding a text in every form.
type detection struct {
	text         []byte
	read, failed []trial
}

// A trial is the result of decoding a text in one form.
type trial struct {
	in     Input
	blocks []Block
	err    error
}

// doubtful reports whether the error is a [doubt].
func (t trial) doubtful() bool {
	_, is := errors.AsType[doubt](t.err)
	return is
}

// decides reports whether t.err is one of the errors in [decisive] and not a [doubt].
func (t trial) decides() bool {
	return !t.doubtful() && slices.ContainsFunc(decisive, func(err error) bool { return errors.Is(t.err, err) })
}

// detect decodes text in each form. It skips base64 in two cases: another form can decode the text, or an error proves
// that the text has another form.
func detect(text []byte) detection {
	d := detection{text: text}
	for _, in := range Inputs() {
		if in.decode == nil || in.Name == "base64" && (len(d.read) > 0 || slices.ContainsFunc(d.failed, trial.decides)) {
			continue
		}
		blocks, err := in.decode(text)
		if err != nil {
			d.failed = append(d.failed, trial{in, nil, err})
		} else {
			d.read = append(d.read, trial{in, blocks, nil})
		}
	}
	return d
}

// sure reports whether a form other than base64 can decode the text. Base64 proves nothing, because almost any word is
// valid base64.
func (d detection) sure() bool { return len(d.read) > 0 && d.read[0].in.Name != "base64" }

// result returns the blocks and their form, or an error. If two forms give different bytes, the error names both forms,
// and the returned form is auto.
func (d detection) result(auto Input) ([]Block, Input, error) {
	if len(d.read) == 0 {
		in, err := d.noForm(auto)
		return nil, in, err
	}
	first := d.read[0]
	for _, other := range d.read[1:] {
		same := slices.EqualFunc(first.blocks, other.blocks, func(a, b Block) bool { return bytes.Equal(a.Bytes, b.Bytes) })
		if !same {
			return nil, auto, place(d.text, 0, "is text that %s and %[2]s read differently; select one with --input %[1]s or --input %[2]s", first.in.Name, other.in.Name)
		}
	}
	return first.blocks, first.in, nil
}

// noForm is called if no form can decode the text. It returns the form that read the most lines, and the error of this
// form. If no form read the first line and no error is decisive, noForm returns auto and an error that wraps
// [ErrNoForm].
func (d detection) noForm(auto Input) (Input, error) {
	at, line1 := firstLine(d.text)
	var names []string
	var best trial
	last := &PlaceError{Line: line1}
	for _, t := range d.failed {
		names = append(names, t.in.Name)
		here, _ := errors.AsType[*PlaceError](t.err)
		// Errors of base64 do not count, because almost any word is valid base64.
		if !t.doubtful() && t.in.Name != "base64" && (here.Line > last.Line || best.err == nil && t.decides()) {
			best, last = t, here
		}
	}
	switch {
	case best.err == nil:
		return auto, place(d.text, at, "%w: %s; tried %s", ErrNoForm, excerpt(line(d.text[at:])), strings.Join(names, ", "))
	case best.decides():
		return best.in, best.err
	}
	return best.in, &PlaceError{last.Line, last.Col, fmt.Errorf("the lines above have the form %s, but this line does not: %w", best.in.Name, last.Err)}
}

// firstLine returns the offset and the number of the first line with content. Empty lines, comments and lines of
// dashes, such as --- in YAML, have no content. If no line has content, firstLine returns 0 and 1.
func firstLine(text []byte) (at, number int) {
	for number = 1; at < len(text); number++ {
		here := line(text[at:])
		if content := bytes.Trim(bytes.TrimSpace(here), "-"); len(content) > 0 && content[0] != '#' {
			return at, number
		}
		at += len(here) + 1
	}
	return 0, 1
}

// excerpt quotes the start of a line for an error.
func excerpt(line []byte) string {
	const start = 4 * quote.Most // a long line is not copied
	return quote.Short(string(bytes.TrimSpace(line[:min(len(line), start)])))
}
