package main

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// A linter validates the members of the inputs of lint. Several goroutines may call its methods.
type linter struct {
	checker *checker
	kind    string // of --kind
	input   armor.Input
	beside  *siblings
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

	// compare compares a text with the texts before it, and returns the text with the findings of this comparison.
	// It is nil for a block. The caller calls compare for each text in the order of the report.
	compare func(*definition.FileSet) (linted, error)
}

// member reads and validates the blocks of a member. If err is not nil, the stream of members could not read m,
// and err becomes the result.
func (l *linter) member(m inputs.Member, err error) outcome {
	o := outcome{path: m.Path, disk: m.File(), input: m.Input, bytes: m.Size()}
	part := false // of a definition that is not given
	if l.mayDefine(m, err) {
		var contents []byte
		if contents, err = m.Read(); err == nil {
			form, is := definition.Detect(m.Path, contents)
			part = is && form.IsPart() && !m.Named && !l.beside.named(m)
			if is && !part {
				v, err := l.definition(m, contents)
				o.blocks = []block.Result[linted]{{Path: m.Path, Value: v, Err: err}}
				return o
			}
		}
		m = m.With(contents)
	}
	o.blocks, o.others = block.Each(m, err, l.input, l.block)
	if part && err == nil && !slices.ContainsFunc(o.blocks, func(r block.Result[linted]) bool { return r.Err == nil }) {
		o.blocks, o.others = nil, 1 // a header of something else
	}
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
	return linted{file: v.file(report.File{Path: s.Path, Input: s.Form, Kind: kind, Block: s.Bytes, Detected: detected}), failed: v.fails() > 0}, nil
}

// mayDefine reports whether the name of a member can be the name of a definition. It returns false if the user
// has set the kind or the format of the input, because the member is then a block.
func (l *linter) mayDefine(m inputs.Member, err error) bool {
	if err != nil || m.Skipped != "" || m.Part != "" || l.kind != "" || l.input.Name != armor.Inputs()[0].Name {
		return false
	}
	if _, err := definition.FormOf(m.Path); err != nil {
		return false
	}
	s, err := l.checker.settingsFor(block.At(m.Path))
	return err != nil || s.config.Kind == nil
}

// definition checks a definition.
func (l *linter) definition(m inputs.Member, contents []byte) (linted, error) {
	f, err := definition.Read(m.Path, contents, func(name string) ([]byte, error) { return l.beside.read(m, name) })
	if err != nil {
		return linted{}, err
	}
	places := func(findings []validate.Finding) []string { return identity.OfText(contents, findings, f.Names()) }
	v, err := l.checker.checkAll(block.At(m.Path), func(v *validate.Validator) (validate.Result, error) {
		result := f.Check(v)
		if l.checker.definition != nil {
			result.Add(l.checker.definition.CompareFile(v, f))
		}
		return result, nil
	})
	if err != nil {
		return linted{}, fmt.Errorf("%s: not validated: %w", m.Path, err)
	}
	return linted{compare: func(set *definition.FileSet) (linted, error) {
		more, err := v.settings.validate(func(v *validate.Validator) (validate.Result, error) { return set.Check(v, f), nil })
		if err != nil {
			return linted{}, err
		}
		v.Add(more)
		l.checker.suppressKnown(block.At(m.Path), &v, places)
		return linted{file: v.file(report.File{Path: m.Path, Form: f.Form.String(), Block: contents, Places: places(v.Findings)}), failed: v.fails() > 0}, nil
	}}, nil
}

// file returns the file of a report with the verdict.
func (v verdict) file(f report.File) report.File {
	f.Result, f.Suppressed = v.Result, v.suppressed.AtLeast(validate.Info)
	f.Profile, f.FailOn = v.config.Options().Profile, v.config.Threshold()
	return f
}
