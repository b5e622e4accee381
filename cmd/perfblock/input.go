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
	"strings"

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

// A notBlock is the error for a file that is probably not a block: a file that is empty or a spec, text
// of no known form, or bytes that fit no kind of block.
type notBlock struct{ error }

func (e notBlock) Unwrap() error { return e.error }

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
	path  string // as the user wrote it; FILE!/NAME for a block that has a name in its file
	file  string // without !/NAME
	name  string // for messages; names the input form unless it is raw
	input string // how the file was read, such as hex; "" for raw
	b     []byte
}

// inFile is between the path of a file and the name of a block in it.
const inFile = "!/"

// splitBlock splits FILE!/NAME into the path of a file and the name of a block in it. The name of a
// path without !/, or of a file that exists, is "".
func splitBlock(path string) (file, name string) {
	file, name, found := strings.Cut(path, inFile)
	if !found || file == "" {
		return path, ""
	}
	if _, err := os.Lstat(path); err == nil {
		return path, ""
	}
	return file, name
}

// inputHelp is a part of the help of commands that read blocks.
func inputHelp() string {
	return `Inputs, in binary or as text in UTF-8, UTF-16 or a code page of Windows:
` + table(inputForms()) + `

A .reg file and the output of reg query or Format-Hex may have several blocks, with names.
FILE!/NAME is one of them: export.reg!/Block, or export.reg!/HKEY_LOCAL_MACHINE\A\Block.`
}

// readBlock reads the block in the file at path. An empty file is a block without bytes. If the
// file has several blocks, the path must name one.
func readBlock(path, input string) (source, error) {
	list, err := readBlocks(path, input)
	switch {
	case err != nil:
		return source{}, err
	case len(list) > 1:
		file := list[0].file
		argument := file
		if file == stdinPath {
			argument = "-- " + file // not a flag
		}
		return source{}, fmt.Errorf("%s: has %d blocks; select one as %s%sNAME: %s", inputName(file), len(list), argument, inFile, namesOf(list))
	}
	return list[0], nil
}

// readBlocks reads the blocks in the file at path, at least one, or the block that the path names.
func readBlocks(path, input string) ([]source, error) {
	in, err := armor.InputNamed(input)
	if err != nil {
		return nil, err
	}
	file, name := splitBlock(path)
	text, err := readInput(file)
	if err != nil {
		return nil, err
	}
	return decodeBlocks(file, name, text, in)
}

// decodeBlocks reads the blocks in the contents of a file or of a member of an archive, or the block
// with the given name unless it is "".
func decodeBlocks(path, name string, contents []byte, in armor.Input) ([]source, error) {
	whole := source{path: path, name: inputName(path)}
	whole.file, _ = splitBlock(path)
	if len(contents) == 0 {
		return []source{whole}, nil
	}
	blocks, as, err := in.Decode(contents)
	if err != nil && isSpec(contents) {
		return nil, notBlock{fmt.Errorf("%s: is a spec (YAML or JSON), must be a block; make one with perfblock build", whole.name)}
	}
	if err != nil {
		err, noForm := fmt.Errorf("%s:%w", whole.name, err), errors.Is(err, armor.ErrNoForm)
		if noForm {
			return nil, notBlock{err}
		}
		return nil, err
	}
	if name != "" {
		one, err := armor.Select(blocks, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", whole.name, err)
		}
		blocks = []armor.Block{one}
	}
	var list []source
	for _, b := range blocks {
		s := whole
		s.b = b.Bytes
		if b.Name != "" {
			s.path += inFile + b.Name
			s.name = inputName(s.path)
		}
		if as.Name != "raw" {
			s.name += " (read as " + as.Name + ")"
			s.input = as.Name
		}
		list = append(list, s)
	}
	return list, nil
}

// namesOf lists the names of blocks in one file for a message.
func namesOf(list []source) string {
	var blocks []armor.Block
	for _, s := range list {
		blocks = append(blocks, armor.Block{Name: strings.TrimPrefix(s.path, s.file+inFile)})
	}
	return armor.List(blocks)
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
	blocks, as, err := armor.Inputs()[0].Decode(text)
	if err != nil {
		return false
	}
	_, named := kindInName(path)
	return layout.HasSignature(blocks[0].Bytes) || named && as.Name == "raw" && filepath.Ext(path) == ".bin"
}
