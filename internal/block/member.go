package block

import (
	"errors"
	"slices"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/inputs"
)

// A Result has the path of a block and the value that a function returned for the block. Err is the error of the
// function, or of reading the block.
type Result[T any] struct {
	Path  string
	Value T
	Err   error
}

func (r Result[T]) notBlock() bool {
	_, is := errors.AsType[NotBlock](r.Err)
	return is
}

// Each calls process for each block in the member m, and returns the results. If err is not nil or m cannot be read,
// the only result has the error.
//
// The error for a file or registry value that is not a block is a [NotBlock]. Each removes the results with such an
// error, and nonBlocks is their number. There is one exception: if all results have such an error and m.Named is true,
// Each returns all results, and nonBlocks is 0.
//
// If m was skipped, Each returns no results. nonBlocks is 0 if the user expects the skip, as for a hidden file.
// nonBlocks is 1 for other skips, such as a broken link.
func Each[T any](m inputs.Member, err error, in armor.Input, process func(Source) (T, error)) (results []Result[T], nonBlocks int) {
	switch m.Skipped {
	case "":
	case inputs.Excluded, inputs.Hidden, inputs.Repeated:
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
		value, err := process(s)
		results = append(results, Result[T]{s.Path, value, err})
	}
	blocks := slices.DeleteFunc(slices.Clone(results), Result[T].notBlock)
	if len(blocks) == 0 && m.Named {
		return results, 0
	}
	return blocks, len(results) - len(blocks)
}
