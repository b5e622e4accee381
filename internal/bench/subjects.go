package main

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/validate"
)

// A subject is a row of the table for each workload.
type subject struct {
	name string
	doc  string
	twin string // the command of the C program that does the same work; empty if there is none
	// prepare returns what is measured. It has run once by then, and done what it should.
	prepare func(l *load) (func() error, error)
}

// yardstick is what all others are compared with.
var yardstick = subject{"copy", "the bytes of the block, from one slice to another, which is the yardstick; to judge a block takes less where it has many values, which are not looked at", "", prepareCopy}

// subjects lists the rows. The first is the yardstick held against itself, which shows how far apart two samples of one thing lie.
var subjects = []subject{
	yardstick,
	{"build", "`AppendBinary` of the model, a `DataBlock` or a `QueryData`, into a buffer that has room", "", prepareBuild},
	{"fill", "a `Fill` of the same block, by templates that are compiled, into a buffer that has room", "fill", prepareFill},
	{"refresh", "a `Refresh` of every object of the block that stands there: all values of all instances again", "refresh", prepareRefresh},
	{"decode", "`UnmarshalBinary` into a new model", "", prepareDecode},
	{"validate windows", "`Validator.Bytes` under the profile windows, with a validator that has seen the block before; what it allocates are findings", "", prepareValidate(validate.Windows)},
	{"validate strict", "the same under the profile strict", "", prepareValidate(validate.Strict)},
}

func prepareCopy(l *load) (func() error, error) {
	return func() error {
		copy(l.scratch, l.block)
		return nil
	}, nil
}

func prepareBuild(l *load) (func() error, error) {
	return l.writes(func() error {
		b, err := l.model.AppendBinary(l.scratch[:0])
		return l.filled(b, err)
	})
}

func prepareFill(l *load) (func() error, error) {
	fill, err := l.feed.filler()
	if err != nil {
		return nil, err
	}
	return l.writes(func() error {
		b, err := fill(l.scratch[:0])
		return l.filled(b, err)
	})
}

func prepareRefresh(l *load) (func() error, error) {
	refresh, err := l.feed.refresher()
	if err != nil {
		return nil, err
	}
	// What is prepared finds a block without a value.
	copy(l.scratch, l.block)
	if err := l.feed.blank(l.scratch); err != nil {
		return nil, err
	}
	return l.rewrites(func() error { return refresh(l.scratch) })
}

func prepareDecode(l *load) (func() error, error) {
	return func() error {
		m, err := builder.NewModel(l.model.Kind())
		if err != nil {
			return err
		}
		return m.UnmarshalBinary(l.block)
	}, nil
}

func prepareValidate(p validate.Profile) func(l *load) (func() error, error) {
	return func(l *load) (func() error, error) {
		v, err := validate.New(validate.Options{Profile: p})
		if err != nil {
			return nil, err
		}
		run := func() error {
			r := v.Bytes(l.model.Kind(), l.block, validate.Context{})
			return r.Err(validate.Error)
		}
		return run, run()
	}
}

// writes runs what makes the block in scratch, and holds that against the block.
func (l *load) writes(run func() error) (func() error, error) {
	for i := range l.scratch {
		l.scratch[i] = 0xff // so that a byte that is left out shows
	}
	return l.rewrites(run)
}

// rewrites is writes for what wants to find something in scratch.
func (l *load) rewrites(run func() error) (func() error, error) {
	if err := run(); err != nil {
		return nil, err
	}
	if !bytes.Equal(l.scratch, l.block) {
		return nil, fmt.Errorf("%s: it made another block", l.name)
	}
	return run, nil
}

// filled reports a block that is not in scratch, where writes looks for it.
func (l *load) filled(b []byte, err error) error {
	if err == nil && (len(b) != len(l.scratch) || &b[0] != &l.scratch[0]) {
		err = fmt.Errorf("%s: %d bytes that do not fill the buffer", l.name, len(b))
	}
	return err
}
