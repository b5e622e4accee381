package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate/config"
)

const (
	stdinPath = "-"
	stdinBase = "block" // names the files and variables made from standard input

	// maxInput is the largest input in bytes. Without a limit, reading a device might never end.
	maxInput = min(1<<30, math.MaxInt/4)
)

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
		return nil, fmt.Errorf("%s: is a folder, must be a file", block.NameOf(path))
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

func tooLong(path string) error {
	return fmt.Errorf("%s: is longer than %d MiB, the limit of this command", block.NameOf(path), maxInput>>20)
}

// plainError returns err with the name of the file, and without the name of the system call.
func plainError(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s: %w", block.NameOf(path), err)
}

// blockFlags are the flags of commands that read blocks.
type blockFlags struct{ kind, input choice }

func (f *blockFlags) flags(cmd *cobra.Command, kinds []layout.Kind, others ...option) {
	f.kind.flag(cmd, "kind", "the kind of each block", append(kindOptions(kinds), others...))
	f.input.preset(cmd, "input", "the form of each file", inputForms())
}

func (f *blockFlags) form() armor.Input { return armor.Inputs()[f.input.chosen()] }

// blockHelp is a part of the help of commands that read blocks.
func blockHelp(kinds []layout.Kind, others ...option) string {
	return `
Kinds of block. The kind comes from the first of these: --kind, ` + config.FileName + `, the PERF
signature of a data-block, the part of the file name before the last extension, as in
cpu.query-data.bin. Otherwise the kind is detected: exactly one kind must fit all bytes.
` + table(append(kindOptions(kinds), others...)) + "\n" +
		section("Inputs, in binary or as text in UTF-8, UTF-16 or a code page of Windows", inputForms()) + `
A .reg file and the output of reg query or Format-Hex may have several blocks, with names.
FILE!/NAME is one of them: export.reg!/Block, or export.reg!/HKEY_LOCAL_MACHINE\A\Block.
ARCHIVE!/NAME is a member of an archive: capture.zip!/v1/0001.data-block.bin.
`
}

// inputLimits returns the limits of the files that lint reads.
func inputLimits() []option {
	l := inputs.DefaultLimits()
	size := func(n int64) string {
		if n < 1<<30 {
			return fmt.Sprintf("%d MiB", n>>20)
		}
		return fmt.Sprintf("%d GiB", n>>30)
	}
	return []option{
		{size(l.Bytes), "size of a file, or of a member of an archive"},
		{size(l.Total), "size of all members of an archive, including members of archives in it"},
		{fmt.Sprint(l.Ratio), "ratio of unpacked to packed size, for archives that unpack to more than " + size(inputs.FreeTotal)},
		{fmt.Sprint(l.Members), "members of an archive, including members of archives in it"},
		{fmt.Sprint(l.Depth), "levels of archives in an archive; each inner archive has at most " + size(l.Nested)},
		{size(titles.MaxSize), "size of a text that defines counters or their names"},
		{size(mostBeside), "size of a header that is in an archive with its .ini file"},
		{"1 MiB", "size of a " + config.FileName},
		{"16 MiB", "size of a list of suppressions"},
		{size(inputs.MaxList), "size of the list of --files-from"},
	}
}

// readBlock reads the block in the file at path. An empty file is a block without bytes. If the
// file has several blocks, the path must name one.
func readBlock(path string, in armor.Input) (block.Source, error) {
	contents, err := readFileOf(path)
	if err != nil {
		return block.Source{}, err
	}
	return oneBlock(path, contents, in)
}

// readFileOf returns the contents of the file or archive that contains the block at path.
func readFileOf(path string) ([]byte, error) {
	file, _ := block.SplitPath(path)
	return readInput(file)
}

// oneBlock returns the block at path. contents are the bytes of the file.
func oneBlock(path string, contents []byte, in armor.Input) (block.Source, error) {
	var list []block.Source
	var err error
	if file, name := block.SplitPath(path); inputs.IsArchive(contents) {
		list, err = readMembers(path, contents, in)
	} else {
		list, err = block.Decode(file, name, contents, in)
	}
	switch {
	case err != nil:
		return block.Source{}, err
	case len(list) > 1:
		argument := list[0].File
		if argument == stdinPath {
			argument = "-- " + argument // without "--", the argument -!/NAME would be a flag
		}
		return block.Source{}, fmt.Errorf("%s: has %d blocks; select one as %s%sNAME: %s", block.NameOf(list[0].File), len(list), argument, block.InFile, block.Names(list))
	}
	return list[0], nil
}

// readMembers returns the blocks in an archive. If path names a member, such as a.zip!/b.bin, readMembers returns only
// the blocks in this member.
func readMembers(path string, archive []byte, in armor.Input) (list []block.Source, err error) {
	_, name := block.SplitPath(path)
	// leftOut reports whether readMembers ignores the error of a member. If path names no member, readMembers ignores
	// members that are not blocks.
	leftOut := func(err error) bool {
		_, not := errors.AsType[block.NotBlock](err)
		return not && name == ""
	}
	for m, err := range inputs.Unpack(context.Background(), inputs.Address(path), archive) {
		var contents []byte
		if err == nil && m.Skipped != "" {
			continue
		}
		if err == nil {
			contents, err = m.Read()
		}
		if err != nil {
			return nil, err
		}
		blocks, err := block.Decode(m.Path, m.Part, contents, in)
		if err != nil && !leftOut(err) {
			return nil, err
		}
		for _, s := range blocks {
			if _, _, err := s.Kind(""); !leftOut(err) {
				list = append(list, s)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: is an archive without a block", block.NameOf(path))
	}
	return list, nil
}

// isBlock reports whether a file contains a block: data with the PERF signature, or a file such as a.query-data.bin.
func isBlock(path string, text []byte) bool {
	blocks, as, err := armor.Inputs()[0].Decode(text)
	if err != nil {
		return false
	}
	_, named := block.KindInName(path)
	return layout.HasSignature(blocks[0].Bytes) || named && as.Name == "raw" && filepath.Ext(path) == ".bin"
}
