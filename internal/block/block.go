// Package block finds the blocks in a binary or text file, and the kind of each block. A path can be an address, such
// as gs://captures/cpu.bin.
//
//	for m, err := range list.All(ctx) { // package inputs finds and reads files
//		blocks, others := block.Each(m, err, armor.Inputs()[0], func(s block.Source) (T, error) {
//			kind, detected, err := s.Kind("")
//			...
//		})
//	}
package block

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/spec"
)

// A Source is a block that was read from a file.
type Source struct {
	Path  string // as the user wrote it; FILE!/NAME for a block that has a name in its file
	File  string // without !/NAME
	Form  string // of the file, such as hex; "" for raw
	Bytes []byte
}

// At returns a Source for the block at a path. The Source has no bytes.
func At(path string) Source {
	file, _ := SplitPath(path)
	return Source{Path: path, File: file}
}

// Name returns the name of the block for messages. If the form of the file is not raw, the name includes the form.
func (s Source) Name() string {
	if s.Form != "" {
		return NameOf(s.Path) + " (read as " + s.Form + ")"
	}
	return NameOf(s.Path)
}

// NameOf returns the name that messages use for the file at path. For standard input, path is "-".
func NameOf(path string) string {
	switch path {
	case "-":
		return "standard input"
	case "":
		return `""`
	}
	return path
}

// A NotBlock is the error for a file that is probably not a block, such as an empty file or a spec.
type NotBlock struct{ error }

func (e NotBlock) Unwrap() error { return e.error }

// Empty returns the error for a file without bytes.
func Empty(path string) error { return fmt.Errorf("%s: is empty", NameOf(path)) }

// InFile separates the path of a file from the name of a block in it.
const InFile = "!/"

// SplitPath splits FILE!/NAME, as the user wrote it, into the path of a file and the name of a block. The path of an
// existing file is not split.
func SplitPath(path string) (file, name string) {
	if !strings.Contains(path, InFile) {
		return path, ""
	}
	if _, err := os.Lstat(path); err == nil {
		return path, ""
	}
	if file, name = inputs.Split(inputs.Address(path)); file == "" {
		return path, ""
	}
	return file, name
}

// Decode returns the blocks in the contents of a file, or only the block with the given name. Empty contents are one
// block without bytes. Without an error, Decode returns at least one block. For a spec, or for a text of no known
// form, the error is a [NotBlock].
func Decode(path, name string, contents []byte, in armor.Input) ([]Source, error) {
	whole := At(path)
	if len(contents) == 0 {
		return []Source{whole}, nil
	}
	blocks, as, err := in.Decode(contents)
	if err != nil && as.Name == in.Name && spec.Detect(contents) { // otherwise the text has the form as
		return nil, NotBlock{fmt.Errorf("%s: is a spec (YAML or JSON), must be a block; make one with perfblock build", whole.Name())}
	}
	if err != nil {
		err, noForm := fmt.Errorf("%s:%w", whole.Name(), err), errors.Is(err, armor.ErrNoForm)
		if noForm {
			return nil, NotBlock{err}
		}
		return nil, err
	}
	if name != "" {
		one, err := armor.Select(blocks, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", whole.Name(), err)
		}
		blocks = []armor.Block{one}
	}
	var list []Source
	for _, b := range blocks {
		s := whole
		s.Bytes = b.Bytes
		if b.Name != "" {
			s.Path += InFile + b.Name
		}
		if as.Name != "raw" {
			s.Form = as.Name
		}
		list = append(list, s)
	}
	return list, nil
}

// Names lists the names of blocks in one file for a message.
func Names(list []Source) string {
	var blocks []armor.Block
	for _, s := range list {
		_, name := inputs.Split(s.Path)
		blocks = append(blocks, armor.Block{Name: name})
	}
	return armor.List(blocks)
}
