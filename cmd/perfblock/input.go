package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/spec"
)

const (
	stdinPath = "-"
	stdinName = "standard input"
	stdinBase = "block" // what files and variables made of it are called

	// maxInput is far beyond any block, and enough for the dump of a large one. It
	// keeps a device that never ends from taking all the memory, and the buffer
	// within what 32 bits can hold.
	maxInput = min(1<<30, math.MaxInt/4)
)

// inputName is what messages call the file at path.
func inputName(path string) string {
	switch path {
	case stdinPath:
		return stdinName
	case "":
		return `""` // which would not be seen
	}
	return path
}

// readInput returns all that is in the file at path.
func readInput(path string) ([]byte, error) {
	f := os.Stdin
	if path != stdinPath {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, plainError(path, err)
		}
		defer f.Close()
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: it is a folder, not a file", inputName(path))
	}
	var b bytes.Buffer
	if err == nil && info.Mode().IsRegular() {
		if info.Size() > maxInput {
			return nil, tooLong(path)
		}
		b.Grow(int(info.Size()) + bytes.MinRead) // all of it and room to see the end: no copies
	}
	n, err := b.ReadFrom(io.LimitReader(f, maxInput+1))
	switch {
	case err != nil:
		return nil, plainError(path, err)
	case n > maxInput:
		return nil, tooLong(path)
	}
	return b.Bytes(), nil
}

func empty(path string) error { return fmt.Errorf("%s: it is empty", inputName(path)) }

func tooLong(path string) error {
	return fmt.Errorf("%s: it is longer than the %d MiB that this command reads", inputName(path), maxInput>>20)
}

// plainError says what is wrong with a file without the name of a system call.
func plainError(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s: %w", inputName(path), err)
}

// A source is a block and where it came from.
type source struct {
	path  string // as the user names it
	name  string // for messages; says how the file was read where that was not plain
	input string // how it was read where that was not byte by byte
	b     []byte
}

// readBlock reads the block in the file at path. Of an empty file it has no bytes.
func readBlock(path, input string) (source, error) {
	in, err := armor.InputNamed(input)
	if err != nil {
		return source{}, err
	}
	text, err := readInput(path)
	if err != nil {
		return source{}, err
	}
	s := source{path: path, name: inputName(path)}
	if len(text) == 0 {
		return s, nil
	}
	b, as, err := in.Decode(text)
	if err != nil && isSpec(text) {
		return source{}, fmt.Errorf("%s: is a spec (YAML or JSON text), must be a block: perfblock build makes one from it", s.name)
	}
	_, placed := err.(*armor.PlaceError) // and not two of them, of which neither is the one
	switch {
	case placed:
		return source{}, fmt.Errorf("%s:%w", s.name, err)
	case err != nil:
		return source{}, fmt.Errorf("%s: %w; --input says how to read it", s.name, err)
	case as.Name != "raw":
		s.name += " (read as " + as.Name + ")"
		s.input = as.Name
	}
	s.b = b
	return s, nil
}

// specKey matches a line that only a spec has, in YAML or JSON.
var specKey = regexp.MustCompile(`(?m)^(\{?\s*"(kind|objects|patches)"|(kind|objects|patches))\s*:`)

// isSpec reports whether text is a spec, valid or not.
func isSpec(text []byte) bool {
	if specKey.Match(text) {
		return true
	}
	_, err := spec.Parse("", text)
	return err == nil
}
