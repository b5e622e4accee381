package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

const (
	stdinPath = "-"
	stdinName = "standard input"
	stdinBase = "block" // names the files and variables made from standard input

	// maxInput is the largest input in bytes. Blocks and dumps are smaller. The limit bounds
	// the memory for a device without an end, and fits an int of 32 bits.
	maxInput = min(1<<30, math.MaxInt/4)
)

// inputName returns the name of the file at path in a message.
func inputName(path string) string {
	switch path {
	case stdinPath:
		return stdinName
	case "":
		return `""`
	}
	return path
}

// readInput returns the contents of the file at path.
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
		return nil, fmt.Errorf("%s: is a folder, must be a file", inputName(path))
	}
	var b bytes.Buffer
	if err == nil && info.Mode().IsRegular() {
		if info.Size() > maxInput {
			return nil, tooLong(path)
		}
		b.Grow(int(info.Size()) + bytes.MinRead) // without the extra bytes, ReadFrom grows the buffer at the end of the file
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

func empty(path string) error { return fmt.Errorf("%s: is empty", inputName(path)) }

func tooLong(path string) error {
	return fmt.Errorf("%s: is longer than %d MiB, the limit of this command", inputName(path), maxInput>>20)
}

// plainError returns err with the name of the file, and without the name of the system call.
func plainError(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s: %w", inputName(path), err)
}

// A source is a block that was read from a file.
type source struct {
	path  string // as the user wrote it
	name  string // for messages; names the input form unless it is raw
	input string // how the file was read: hex or base64; "" for raw
	b     []byte
}

// readBlock reads the block in the file at path. An empty file is a block without bytes.
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
		return source{}, fmt.Errorf("%s: is a spec (YAML or JSON), must be a block; make one with perfblock build", s.name)
	}
	_, placed := err.(*armor.PlaceError) // false if auto tried two inputs: that error wraps two
	switch {
	case placed:
		return source{}, fmt.Errorf("%s:%w", s.name, err)
	case err != nil:
		return source{}, fmt.Errorf("%s: %w; select the form with --input", s.name, err)
	case as.Name != "raw":
		s.name += " (read as " + as.Name + ")"
		s.input = as.Name
	}
	s.b = b
	return s, nil
}

// specKey matches a key that only specs have, at the start of a line of YAML or JSON.
var specKey = regexp.MustCompile(`(?m)^(\{?\s*"(kind|objects|patches)"|(kind|objects|patches))\s*:`)

// isSpec reports whether text is a spec, valid or not.
func isSpec(text []byte) bool {
	if specKey.Match(text) {
		return true
	}
	_, err := spec.Parse("", text)
	return err == nil
}

// isBlock reports whether a file that is not a spec is a block, in binary or text. A block has
// the PERF signature, or it is binary and the file name has a kind and ends in .bin.
func isBlock(path string, text []byte) bool {
	b, as, err := armor.Inputs()[0].Decode(text)
	if err != nil {
		return false
	}
	_, named := kindInName(path)
	return layout.HasSignature(b) || named && as.Name == "raw" && filepath.Ext(path) == ".bin"
}
