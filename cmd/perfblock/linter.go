package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
	"github.com/perfblock/perfblock/validate/report"
)

// A linter validates the members of the inputs of lint. Several goroutines may call its methods.
type linter struct {
	checker *checker
	kind    string // of --kind
	input   armor.Input
	beside  *siblings
	pair    bool // compare each sample with the one before it
}

// An outcome is the result of reading and validating a member. A member that is text can have several
// blocks.
type outcome struct {
	path   string
	disk   string // the path of the file on disk that has the member
	input  int    // the number of the input that has the member, from 1
	bytes  int64
	blocks []block.Result[lintResult]
	others int             // the number of files, or parts of a file, that are not blocks and that the user has not named
	again  bool            // the user has named the member again
	bundle *capture.Bundle // the bundle whose manifest is the member, or nil

	excluded bool // the configuration excludes the member, or the folder at its path
}

// A lintResult is the result of validating a block or a text.
type lintResult struct {
	file report.File

	// compare compares the file with earlier files of the report, and returns the file with its findings. If compare is
	// nil, there is nothing to compare.
	compare func(*earlierFiles) (report.File, error)
}

// earlierFiles is the data for comparisons with earlier files.
type earlierFiles struct {
	texts   definition.FileSet
	samples sampleSeries
}

// member reads and validates the blocks of a member. If m could not be opened, err is not nil, and becomes the result.
func (l *linter) member(m inputs.Member, err error) outcome {
	o := outcome{path: m.Path, disk: m.File(), input: m.Input, bytes: m.Size(), again: m.Named && m.Skipped == inputs.Repeated}
	o.excluded = m.Skipped == inputs.Excluded
	part := false // whether m is a part, such as a header, to which no definition refers
	var contents []byte
	if l.mayDefine(m, err) {
		if contents, err = m.Read(); err == nil {
			form, is := l.form(m, contents)
			part = is && form.IsPart() && !m.Named && !l.beside.named(m)
			if is && !part {
				v, err := l.definition(m, form, contents)
				o.blocks = []block.Result[lintResult]{{Path: m.Path, Value: v, Err: err}}
				if err == nil && form == definition.Registry {
					o.blocks = append(o.blocks, l.registryBlocks(m.With(contents))...)
				}
				return o
			}
			// Skip a file that was generated for a compiler. The user may name such a file by accident, with a shell
			// pattern such as shop/*.
			if !is && definition.Generated(contents) {
				o.others = 1
				return o
			}
		}
		m = m.With(contents)
	}
	m, o.bundle, err = bundleManifest(m, err)
	o.blocks, o.others = block.Each(m, err, l.input, func(s block.Source) (lintResult, error) { return l.block(m, s) })
	if part && err == nil && !slices.ContainsFunc(o.blocks, func(r block.Result[lintResult]) bool { return r.Err == nil }) {
		o.blocks, o.others = nil, 1 // probably a header of another program
	}
	if len(o.blocks) == 1 && len(contents) > 0 {
		o.blocks[0].Err = unreadable(m.Path, contents, o.blocks[0].Err)
	}
	return o
}

// form returns the format of a definition. ok is false if the member is not a definition. [linter.mayDefine] must have
// returned true.
func (l *linter) form(m inputs.Member, contents []byte) (form definition.Form, ok bool) {
	if l.kind == titlesKind.name || l.kindOf(m) == config.Titles {
		return definition.Titles, true
	}
	form, ok = definition.Detect(m.Path, contents)
	if _, named := block.KindInName(m.Path); named && form == definition.Titles {
		return form, false
	}
	return form, ok
}

// registryBlocks validates the data blocks in a .reg file that also describes a provider or has titles. It ignores all
// other values of the file.
func (l *linter) registryBlocks(m inputs.Member) []block.Result[lintResult] {
	results, _ := block.Each(m, nil, l.input, func(s block.Source) (lintResult, error) {
		if _, named := block.KindInName(s.Path); !named && !layout.HasSignature(s.Bytes) {
			return lintResult{}, errNoData
		}
		return l.block(m, s)
	})
	return slices.DeleteFunc(results, func(r block.Result[lintResult]) bool {
		return r.Err != nil && (errors.Is(r.Err, errNoData) || r.Path == m.Path)
	})
}

var errNoData = errors.New("is not a data block")

// unreadable returns the error for a file that is not a block. If the file has the name of a definition, such as
// shop.man, unreadable returns the error of reading the definition. Otherwise it returns err, the error of reading a
// block.
func unreadable(path string, contents []byte, err error) error {
	form, unknown := definition.FormOf(path)
	_, notBlock := errors.AsType[block.NotBlock](err)
	if _, at := errors.AsType[*armor.PlaceError](err); at && form == definition.Registry && !errors.Is(err, armor.ErrSameName) {
		notBlock = true
	}
	// A file in YAML can also be a spec.
	if unknown != nil || !notBlock || form == definition.YAML && !errors.Is(err, armor.ErrNoForm) {
		return err
	}
	f, fault := definition.Read(path, contents, nil)
	if fault == nil {
		_, fault = f.Definition()
	}
	return cmp.Or(fault, err)
}

func (l *linter) block(m inputs.Member, s block.Source) (lintResult, error) {
	kind, detected, err := l.checker.kindOf(s, l.kind)
	if err != nil {
		return lintResult{}, err
	}
	v, err := l.checker.checkAll(s, l.checker.blockCheck(kind, s.Bytes))
	if err = cmp.Or(err, v.Unchecked); err != nil {
		return lintResult{}, fmt.Errorf("%s: not validated: %w", block.NameOf(s.Path), err)
	}
	finish := func() report.File {
		l.checker.suppressKnown(s, &v, placesIn(kind, s.Bytes))
		return v.file(report.File{Path: s.Path, Input: s.Form, Kind: kind, Block: s.Bytes, Detected: detected})
	}
	if !l.pair && !m.Packed() || !slices.Contains(cookedKinds, kind) && !slices.Contains(contextKinds, kind) {
		return lintResult{file: finish()}, nil
	}
	return lintResult{compare: func(e *earlierFiles) (report.File, error) {
		// Ignore the error: it means that s has faulty identifiers or a faulty registration, and s has findings about
		// the fault.
		pair, _ := e.samples.add(m, s.Name(), kind, s.Bytes)
		if pair.older.Bytes == nil {
			return finish(), nil
		}
		more, err := v.settings.validate(func(v *validate.Validator) (validate.Result, error) {
			return samples.Compare(v, pair.older, pair.newer), nil
		})
		if err != nil {
			return report.File{}, err
		}
		if more.Unchecked == nil { // if the samples cannot be compared, their own findings tell why
			v.compared = true
			v.Add(more)
		}
		return finish(), nil
	}}, nil
}

// mayDefine reports whether a member can be a definition or a title database.
func (l *linter) mayDefine(m inputs.Member, err error) bool {
	if l.kind == titlesKind.name {
		return err == nil && m.Skipped == ""
	}
	if err != nil || m.Skipped != "" || m.Part != "" || l.kind != "" || l.input.Name != armor.Inputs()[0].Name {
		return false
	}
	kind := l.kindOf(m)
	return kind == "" || kind == config.Titles
}

// kindOf returns the kind that the configuration sets for a member, or "".
func (l *linter) kindOf(m inputs.Member) config.FileKind {
	s, err := l.checker.settingsFor(block.At(m.Path))
	if err != nil || s.config.Kind == nil {
		return ""
	}
	return *s.config.Kind
}

func (l *linter) definition(m inputs.Member, form definition.Form, contents []byte) (lintResult, error) {
	var header []byte
	read := definition.ReadTitles
	if form != definition.Titles {
		read = func(path string, contents []byte) (*definition.File, error) {
			return definition.Read(path, contents, func(name string) (_ []byte, err error) {
				header, err = l.beside.read(m, name)
				return header, err
			})
		}
	}
	f, err := read(m.Path, contents)
	if err != nil {
		return lintResult{}, err
	}
	lines := func() []string { return f.Lines(contents) }
	places := func(findings []validate.Finding) []string { return identity.OfText(lines, findings, f.Names()) }
	source := block.At(m.Path)
	v, err := l.checker.check(source, func(v *validate.Validator) (validate.Result, error) {
		result := f.Check(v)
		if l.checker.definition != nil {
			result.Add(l.checker.definition.CompareFile(v, f))
		}
		return result, nil
	}, places)
	if err != nil {
		return lintResult{}, fmt.Errorf("%s: not validated: %w", m.Path, err)
	}
	return lintResult{compare: func(e *earlierFiles) (report.File, error) {
		alone := comparison.Totals{Counts: v.Counts, Truncated: v.Truncated, Suppressed: v.suppressed}
		more := verdict{settings: v.settings}
		if more.Result, err = v.settings.validate(func(v *validate.Validator) (validate.Result, error) { return e.texts.Check(v, f), nil }); err != nil {
			return report.File{}, err
		}
		l.checker.suppressKnown(source, &more, places)
		v.Add(more.Result)
		v.suppressed += more.suppressed
		file := v.file(report.File{Path: m.Path, Form: f.Form.String(), Block: contents, Places: places(v.Findings), Lines: lines})
		if form != definition.Titles {
			file.Comparison = func() *comparison.Text { return v.comparison(source, &e.texts, alone, contents, header) }
		}
		return file, nil
	}}, nil
}

// file returns f with the result of the verdict and the settings that applied.
func (v verdict) file(f report.File) report.File {
	f.Result, f.Suppressed = v.Result, v.suppressed
	f.Profile, f.FailOn = v.settings.config.Options().Profile, v.settings.config.Threshold()
	return f
}
