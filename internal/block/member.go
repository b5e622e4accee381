package block

import (
	"errors"
	"slices"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/inputs"
)

// A Result is what a function returned for the block at Path, or the error of the function or of reading
// the block.
type Result[T any] struct {
	Path  string
	Value T
	Err   error
}

func (r Result[T]) notBlock() bool {
	_, is := errors.AsType[NotBlock](r.Err)
	return is
}

// Each reads the member m and calls do for each block in it. err is the error of the stream of members for m. If err
// is not nil, Each does not read m and returns err as a result. Each leaves out the results for files, or values in
// a file, that are not blocks, and returns their number as others. If the user named m and m has no block, Each
// leaves out nothing.
func Each[T any](m inputs.Member, err error, in armor.Input, do func(Source) (T, error)) (results []Result[T], others int) {
	switch m.Skipped {
	case "":
	case inputs.Excluded, inputs.Hidden, inputs.Repeated: // not counted, because the user expects them to be skipped
		return nil, 0
	default:
		return nil, 1
	}
	var contents []byte
	if err == nil {
		contents, err = m.Read()
	}
	var list []Source
	if err == nil {
		list, err = Decode(m.Path, m.Part, contents, in)
	}
	if err != nil {
		results = append(results, Result[T]{Path: m.Path, Err: err})
	}
	for _, s := range list {
		value, err := do(s)
		results = append(results, Result[T]{s.Path, value, err})
	}
	// Values in an export of the registry can be anything, like files in a folder. Those that are not
	// blocks are only counted.
	blocks := slices.DeleteFunc(slices.Clone(results), Result[T].notBlock)
	if len(blocks) == 0 && m.Named {
		return results, 0
	}
	return blocks, len(results) - len(blocks)
}
