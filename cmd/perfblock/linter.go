package main

import (
	"fmt"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// A linter validates the members that lint is given. Its methods may be called by several goroutines.
type linter struct {
	checker *checker
	kind    string // of --kind
	input   armor.Input
}

// An outcome is the result of reading and validating a member. A member that is text can have several
// blocks.
type outcome struct {
	path   string
	disk   string // the path of the file on disk that has the member
	input  int    // the number of the input that has the member, from 1
	bytes  int64
	blocks []block.Result[linted]
	others int // files or parts of a file that are not blocks, and were not named
}

// A linted is a block that was validated.
type linted struct {
	file   report.File
	failed bool // the findings fail the block
}

// member reads and validates the blocks of a member. err is the error that the stream of members has
// for it.
func (l *linter) member(m inputs.Member, err error) outcome {
	o := outcome{path: m.Path, disk: m.File(), input: m.Input, bytes: m.Size()}
	o.blocks, o.others = block.Each(m, err, l.input, l.block)
	return o
}

// block validates a block.
func (l *linter) block(s block.Source) (linted, error) {
	kind, detected, err := l.checker.kindOf(s, l.kind)
	if err != nil {
		return linted{}, err
	}
	v, err := l.checker.block(s, kind)
	if err == nil {
		err = v.Unchecked
	}
	if err != nil {
		return linted{}, fmt.Errorf("%s: not validated: %w", block.NameOf(s.Path), err)
	}
	return linted{report.File{
		Path: s.Path, Input: s.Form, Kind: kind, Block: s.Bytes, Result: v.Result, Suppressed: v.suppressed.AtLeast(validate.Info),
		Detected: detected, Profile: v.config.Options().Profile, FailOn: v.config.Threshold(),
	}, v.fails() > 0}, nil
}
