package bench_test

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/spec"
)

// dumpAs returns the op that writes the block in a format of package dump.
func dumpAs(format string) func(*load, int) error {
	return repeat(func(l *load) error {
		f, err := dump.FormatNamed(format)
		if err == nil {
			_, err = f.Write(io.Discard, l.model.Kind(), l.block, dump.Options{})
		}
		return err
	})
}

// dumpSpec makes the spec of the block.
func (l *load) dumpSpec() error {
	if l.spec == nil {
		return errors.ErrUnsupported
	}
	s, _, err := spec.FromBlock(l.model.Kind(), l.block, false)
	if err == nil {
		l.spec, err = s.AppendYAML(l.spec[:0])
	}
	return err
}

// parse reads the spec into nodes, with the YAML library alone.
func (l *load) parse() error {
	if l.spec == nil {
		return errors.ErrUnsupported
	}
	loader, err := yaml.NewLoader(bytes.NewReader(l.spec))
	if err == nil {
		err = loader.Load(new(yaml.Node))
	}
	return err
}

// build makes the block from the spec.
func (l *load) build() error {
	if l.spec == nil {
		return errors.ErrUnsupported
	}
	s, err := spec.Parse("block.yaml", l.spec)
	if err != nil {
		return err
	}
	b, err := s.Build()
	if err == nil && !bytes.Equal(b, l.block) {
		err = errors.New("the block differs from the model")
	}
	return err
}
