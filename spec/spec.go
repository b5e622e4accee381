package spec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// MaxBlock is the largest size of a block before patches, in bytes. A short text can ask for a larger block, for
// example with the key blockLength. Blocks of real systems are about a hundred times smaller than MaxBlock.
const MaxBlock = 1 << 30

// A Spec is one block in text form: a model, and patches to its bytes. A Spec need not come from [Parse]. Without
// a text, its errors have no line and column.
type Spec struct {
	Model   builder.Model // a model of package builder, such as a *[builder.DataBlock]
	Patches []Patch

	file string
	root *yaml.Node // the root of the text, or nil if the Spec was not parsed
}

// reader limits the size of a text. To read a text of the largest size takes a few hundred megabytes of
// memory.
var reader = yamltext.Reader{
	What: "a block", JSON: true,
	MaxBytes: 32 << 20, MaxMarks: 512 << 10,
	MaxDepth: 16, // the form needs 7
}

// maxPatches is the largest number of patches. Patches have a separate bound, because a Patch takes more memory
// than its text.
const maxPatches = 64 << 10

// Parse reads a text. It reads JSON if file ends in .json or the first character is a brace,
// else YAML. file is for messages and is not opened.
//
// A text may have at most 32 MiB, 65,536 patches and 524,288 marks. A line of YAML may have at most 131,072 marks and
// quotes. Each of these characters is a mark:
//
//	, : [ { ? - # & * !
//
// A hyphen before a letter or digit is not a mark. A character in a JSON string is not a mark. A list of decimal numbers
// on one line counts as one mark. Reading takes a few hundred megabytes at most.
//
// The error is an [*Error], or unwraps to several [*Error] values: a syntax error, an unknown or
// repeated key, a value of the wrong type or out of the range of its field, a missing key.
// [Spec.Build] checks whether the values are consistent with each other. Empty lists become nil.
func Parse(file string, text []byte) (*Spec, error) {
	s := &Spec{file: file}
	text, err := yamltext.Decode(text)
	if err == nil {
		s.root, err = reader.Load(file, text)
	}
	if err != nil {
		return nil, s.report(syntaxHint(text, err))
	}
	if err := s.read(); err != nil {
		return nil, s.report(err)
	}
	return s, nil
}

// syntaxHint adds a hint to a syntax error if it can guess the cause.
func syntaxHint(text []byte, err error) error {
	f, ok := errors.AsType[*yamltext.Fault](err)
	switch {
	case !ok:
	case errors.Is(f, yamltext.ErrEmpty):
		f.Err = fmt.Errorf("%w, must have at least the key \"objects\"", f.Err)
	case bracketInPath(text, f.Line, f.Column):
		f.Err = fmt.Errorf("%w; a path between braces or brackets requires quotes", f.Err)
	}
	return err
}

// FromBlock returns the Spec that builds the block b. If the model cannot hold all of b, the result depends on lossy.
// If lossy is false, FromBlock returns an error. If lossy is true, FromBlock drops the data that the model cannot hold,
// and lists the dropped data. [builder.DataBlock.UnmarshalBinary] and [builder.DataBlock.UnmarshalLossy] describe the
// errors.
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

// EncodedLen returns the size of the block before patches, in bytes. It does not encode the
// block. The error is an [*Error] at the value that the builder refuses, or joined errors for several values.
func (s *Spec) EncodedLen() (int, error) {
	_, err := s.mapping()
	n := 0
	if err == nil {
		n, err = s.Model.EncodedLen()
	}
	if err != nil {
		return 0, s.modelErrors(err)
	}
	return n, nil
}

// Build returns the bytes of the block with the patches applied. It returns the error of [Spec.EncodedLen], an
// [*Error] for a block of more than [MaxBlock] bytes, or one [*Error] for each patch that cannot be applied. The
// part to patch must be in the block and must be long enough. Cuts must not overlap, and an insert must not be
// inside a cut.
func (s *Spec) Build() ([]byte, error) {
	n, err := s.EncodedLen()
	if err != nil {
		return nil, err
	}
	if n > MaxBlock {
		place := cmp.Or(longestValue(s.root), s.root)
		return nil, s.report(yamltext.On(place, "the block has %d bytes, must have at most %d", n, MaxBlock))
	}
	b, err := s.Model.AppendBinary(make([]byte, 0, n))
	if err != nil {
		return nil, s.modelErrors(err)
	}
	b, err = s.patched(b)
	return b, s.report(err)
}

// AppendYAML appends the text of s to b: all values that are not zero, always in the same order and
// form. If the model can be encoded as a block, Parse of the text returns an equal Spec. Otherwise
// Parse may refuse the text, because AppendYAML does not check the model. On an error AppendYAML
// returns b unchanged. The error is an [*Error] without a place. It reports a value that cannot be
// written as text, for example a string as the value of a numeric counter. It can also report that
// the text exceeds the bounds of [Parse].
func (s *Spec) AppendYAML(b []byte) ([]byte, error) {
	m, err := s.mapping()
	if err != nil {
		return b, s.report(err)
	}
	text, err := m.Append(slices.Grow(b, s.estimateText()), s, &reader)
	if err != nil {
		return b, s.report(err)
	}
	return text, nil
}

// estimateText returns the approximate length of the text of s. A buffer of this size rarely
// grows.
func (s *Spec) estimateText() int {
	n := 512
	switch m := s.Model.(type) {
	case *builder.DataBlock:
		n += estimateObjects(m.Objects)
	case *builder.Objects:
		n += estimateObjects(*m)
	case *builder.QueryData:
		for _, r := range m.Results {
			n += 256 + 32*len(r.Counters)
			for _, in := range r.Instances {
				n += len("\n      - {Name: , InstanceId: 1234567890, values: []}") + len(in.Name) + 12*len(in.Values)
			}
		}
	}
	return min(n, reader.MaxBytes+1<<16) // bound discards a longer text
}

func estimateObjects(objects []builder.Object) (n int) {
	for _, o := range objects {
		n += 512 + 128*len(o.Counters)
		for _, in := range o.Instances {
			n += len("\n      - {Name: , values: []}") + len(in.Name) + 12*len(in.Values)
		}
	}
	return n
}
