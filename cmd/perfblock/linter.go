package main

import (
	"errors"
	"fmt"
	"slices"

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
	blocks []linted
	others int // files or parts of a file that are not blocks, and were not named
}

// A linted block was validated, or err says why not.
type linted struct {
	path   string
	file   report.File
	failed bool // the findings fail the block
	err    error
}

func (b linted) isNoBlock() bool {
	_, is := errors.AsType[block.NotBlock](b.err)
	return is
}

// member reads and validates the blocks of a member. err is the error that the stream of members has
// for it.
func (l *linter) member(m inputs.Member, err error) outcome {
	o := outcome{path: m.Path, disk: m.File(), input: m.Input, bytes: m.Size()}
	switch m.Skipped {
	case "":
	case inputs.Excluded, inputs.Hidden, inputs.Repeated: // not counted, because the user expects them to be skipped
		return o
	default:
		o.others = 1
		return o
	}
	var contents []byte
	if err == nil {
		contents, err = m.Read()
	}
	var list []block.Source
	if err == nil {
		list, err = block.Decode(m.Path, m.Part, contents, l.input)
	}
	if err != nil {
		o.blocks = []linted{{path: m.Path, err: err}}
	}
	for _, s := range list {
		o.blocks = append(o.blocks, l.block(s))
	}
	// Values in an export of the registry can be anything, like files in a folder. Those that are not
	// blocks are only counted.
	if blocks := slices.DeleteFunc(slices.Clone(o.blocks), linted.isNoBlock); len(blocks) > 0 || !m.Named {
		o.others = len(o.blocks) - len(blocks)
		o.blocks = blocks
	}
	return o
}

// block validates a block.
func (l *linter) block(s block.Source) linted {
	fail := func(err error) linted { return linted{path: s.Path, err: err} }
	kind, detected, err := l.checker.kindOf(s, l.kind)
	if err != nil {
		return fail(err)
	}
	v, err := l.checker.block(s, kind)
	if err == nil {
		err = v.Unchecked
	}
	if err != nil {
		return fail(fmt.Errorf("%s: not validated: %w", block.NameOf(s.Path), err))
	}
	return linted{s.Path, report.File{
		Path: s.Path, Input: s.Form, Kind: kind, Block: s.Bytes, Result: v.Result, Suppressed: v.suppressed.AtLeast(validate.Info),
		Detected: detected, Profile: v.config.Options().Profile, FailOn: v.config.Threshold(),
	}, v.fails() > 0, nil}
}
