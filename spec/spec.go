package spec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// MaxBlock is how long a block may get before patches, in bytes. A short text can
// ask for more, by a blockLength say; a block that real systems write has a
// hundredth of it.
const MaxBlock = 1 << 30

// A Spec is one block in text form: the model, and what is done to its bytes. A
// Spec that [Parse] did not make is as good as one that it made; its errors then
// have no place.
type Spec struct {
	Model   builder.Model // of package builder, such as a *[builder.DataBlock]
	Patches []Patch

	file string
	root *yaml.Node // of the text, nil if there is none
}

// Parse reads a text: JSON where file ends in .json or the first character that is
// no white space is a brace, else YAML. file is for messages; it is not opened. A
// text of more than 32 MiB is refused, one with more than 524,288 of the characters
// , : [ { ? - # & * and !, or 131,072 on one line of YAML, and one with more than
// 65,536 patches, so that reading takes a few hundred megabytes at most. A hyphen before
// a letter or digit does not count, nor what stands in the quotes of JSON, and a list of
// decimal numbers on one line counts as one character, however long it is.
//
// The error is an [*Error]: what is no YAML or JSON, an unknown key or one that
// stands twice, a value of the wrong sort or outside the range of its field, a key
// that is missing. What the values mean together is for [Spec.Build] to judge.
// Lists of no items come out as nil.
func Parse(file string, text []byte) (*Spec, error) {
	root, err := parseText(file, text)
	if err != nil {
		return nil, in(file, err)
	}
	s := &Spec{file: file, root: root}
	if err := s.read(root); err != nil {
		return nil, in(file, at(root, err))
	}
	return s, nil
}

// FromBlock returns the Spec that builds the block b. What the model cannot hold is
// an error, or, where lossy, dropped and listed; see [builder.DataBlock.UnmarshalBinary]
// and [builder.DataBlock.UnmarshalLossy], whose errors these are.
func FromBlock(kind layout.Kind, b []byte, lossy bool) (*Spec, []*layout.Error, error) {
	model, err := builder.NewModel(kind)
	if err != nil {
		return nil, nil, err
	}
	var losses []*layout.Error
	if lossy {
		losses, err = model.UnmarshalLossy(b)
	} else {
		err = model.UnmarshalBinary(b)
	}
	if err != nil {
		return nil, nil, err
	}
	return &Spec{Model: model}, losses, nil
}

// EncodedLen returns the bytes that the block takes before its patches, without
// writing any. The error is an [*Error], of what the builder refuses, at the place
// of the value it refuses.
func (s *Spec) EncodedLen() (int, error) {
	_, err := s.whole()
	n := 0
	if err == nil {
		n, err = s.Model.EncodedLen()
	}
	if err != nil {
		return 0, in(s.file, at(s.place(err), s.named(err)))
	}
	return n, nil
}

// Build returns the bytes of the block, patched. The error is an [*Error]: one of
// [Spec.EncodedLen], a block of more than [MaxBlock] bytes, or a patch that has no
// place in the block or does not fit there. Cuts that overlap are refused, and so
// is an insert in the middle of a cut.
func (s *Spec) Build() ([]byte, error) {
	n, err := s.EncodedLen()
	if err != nil {
		return nil, err
	}
	if n > MaxBlock {
		return nil, in(s.file, faultf(nearestOf(longest(s.root), s.root), "the block takes %d bytes, and may take %d", n, MaxBlock))
	}
	b, err := s.Model.AppendBinary(make([]byte, 0, n))
	if err != nil {
		return nil, in(s.file, at(s.place(err), s.named(err)))
	}
	b, fault := patched(s.Kind(), b, s.Patches)
	if fault != nil {
		return nil, in(s.file, at(s.placeOfPatch(fault), fmt.Errorf("patch %d: %w", fault.index, fault.err)))
	}
	return b, nil
}

// AppendYAML appends the text of s to b: everything that is not zero, always in the
// same order and form. Parse of it gives an equal Spec. On an error, which is an
// [*Error] without a place, it returns b as it was: a Spec that no text has, such
// as one with texts for counters that are numbers, or one whose text is too much
// for [Parse]. Beyond that s is not checked; a
// model that cannot be encoded may come out as a text that Parse refuses.
func (s *Spec) AppendYAML(b []byte) ([]byte, error) {
	m, err := s.whole()
	if err != nil {
		return b, in(s.file, err)
	}
	w := writer{b: slices.Grow(b, s.guess()), start: len(b)}
	err = m.writeLong(&w, s, "\n  ", func(first bool) string {
		if first {
			return ""
		}
		return "\n"
	})
	if err != nil {
		return b, in(s.file, err)
	}
	w.b = append(w.b, '\n')
	err = checkLength(w.len())
	if err == nil {
		err = checkMarks(w.b[w.start:], false)
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return b, in(s.file, fmt.Errorf("as text it could not be read again: %w", e.Err))
	}
	return w.b, nil
}
