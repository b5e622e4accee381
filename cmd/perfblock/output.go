package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// An output is the value of the flag -o: the file or folder that a command writes to.
type output struct {
	path  string
	given bool
}

func (o *output) String() string { return o.path }

func (o *output) Type() string { return "string" }

// Set refuses a second value, because a command has one output.
func (o *output) Set(path string) error {
	switch {
	case path == "":
		return errors.New("must be the name of a file or folder, or - for standard output")
	case o.given:
		return fmt.Errorf("-o is already %q; a command has one output", o.path)
	}
	o.path, o.given = path, true
	return nil
}

func (o *output) flag(cmd *cobra.Command, usage string) {
	o.path = outfile.Stdout
	cmd.Flags().VarP(o, "output", "o", usage)
}

// isFolder reports whether the output is an existing folder, or its path ends in a separator.
func (o *output) isFolder() bool {
	if os.IsPathSeparator(o.path[len(o.path)-1]) {
		return true
	}
	info, err := os.Stat(o.path)
	return err == nil && info.IsDir()
}

// file returns the path to write to. If the output is a folder, the path is a file with the given name in this folder.
func (o *output) file(name string) string {
	if o.isFolder() {
		return filepath.Join(o.path, name)
	}
	return o.path
}

// forTerminal reports whether the output goes to a terminal and the user has not given -o.
func (o *output) forTerminal() bool { return !o.given && isTerminal(os.Stdout) }

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// errOnTerminal is the error for binary output to a terminal, which would execute control
// sequences in the bytes.
var errOnTerminal = errors.New("a terminal cannot show the bytes of a block; use -o FILE, or --format hex (-o - writes the bytes to the terminal)")

// writeFile writes the file at path. It calls fill to write the contents. If the output is a folder that does not exist,
// writeFile makes the folder.
func (o *output) writeFile(path string, fill func(io.Writer) error) error {
	return o.writeAll(outfile.File{Path: path, Fill: fill})
}

// writeAll writes several files, or none if one of them cannot be written.
func (o *output) writeAll(files ...outfile.File) error {
	folders := o.folders()
	paths := slices.Clone(folders)
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return writeError(paths, outfile.WriteAllIn(folders, files...))
}

// folders returns the folder to write to, or nothing if the output is a file.
func (o *output) folders() []string {
	if o.isFolder() {
		return []string{o.path}
	}
	return nil
}

// writeError returns err in a shorter form. err is from writing files or making folders at paths.
func writeError(paths []string, err error) error {
	at, ok := errors.AsType[*fs.PathError](err)
	if ok && errors.Is(err, fs.ErrNotExist) {
		folder := filepath.Dir(at.Path)
		if _, missing := os.Stat(folder); missing != nil {
			return fmt.Errorf("%s: there is no folder %s", at.Path, folder)
		}
	}
	if ok && slices.Contains(paths, at.Path) {
		return plainError(at.Path, err)
	}
	return err
}

// A blockWriter has the flags --format, --name and -o of build and gen, and writes blocks.
type blockWriter struct {
	output
	format choice
	name   string
	names  *titles.Database // for the format dump; nil means only the built-in names
}

func (w *blockWriter) flags(cmd *cobra.Command, formats []option) {
	w.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	w.format.preset(cmd, "format", "how to write the block", formats)
	cmd.Flags().StringVar(&w.name, "name", "", "`NAME` of the variable in C or Go (package.NAME in Go)")
	noFiles(cmd, "name")
}

// outputHelp is a part of the help of commands that make blocks.
const outputHelp = `
Without --name, the array has the name of the file. In C, block_ is added before the name, as
in block_cpu, because the C library may use the name. In Go, block_ is added only before
keywords and predeclared names such as string.

Use -o instead of a redirect (>) in Windows PowerShell, which changes the bytes.`

// check returns an error for flags that cannot be combined.
func (w *blockWriter) check() error {
	f, notArmor := armor.FormatNamed(w.format.value) // an error means yaml or dump, which are text
	switch {
	case w.name != "" && !f.Named():
		return errors.New("--name requires --format c or go")
	case w.name != "":
		return f.CheckName(w.name)
	case notArmor == nil && !f.Text && w.forTerminal():
		return errOnTerminal
	}
	return nil
}

// checkFolder returns an error if -o is not a folder. cause is the flag or the command that writes several files.
func (w *blockWriter) checkFolder(cause string) error {
	switch {
	case !w.given, w.path == outfile.Stdout:
		return fmt.Errorf("%s writes several files, which standard output cannot hold; name a folder with -o FOLDER/", cause)
	case !w.isFolder():
		return fmt.Errorf("-o %s is not a folder, but %s writes several files; -o %s/ makes the folder", w.path, cause, w.path)
	case w.name != "":
		return fmt.Errorf("--name is for one block, but %s writes several", cause)
	}
	return nil
}

func (w *blockWriter) ext() string {
	if f, err := armor.FormatNamed(w.format.value); err == nil {
		return f.Ext
	}
	return extension(w.format.value)
}

// blockFile returns the path for a block. In an output folder, the path ends in a name such as cpu.query-data.hex.
func (w *blockWriter) blockFile(base string, kind layout.Kind) string {
	return w.file(block.WithKind(base, kind) + w.ext())
}

// blockFileOf returns the file with the block b. In C and Go, the variable is named after base if --name is not set.
func (w *blockWriter) blockFileOf(base string, kind layout.Kind, b []byte) outfile.File {
	return outfile.File{Path: w.blockFile(base, kind), Fill: func(to io.Writer) error {
		if w.format.value == dumpOption.name {
			_, err := dump.Formats()[0].Write(to, kind, b, dump.Options{Names: w.names.Lookup(english)})
			return err
		}
		f, err := armor.FormatNamed(w.format.value)
		if err != nil {
			return err
		}
		return f.Write(to, cmp.Or(w.name, f.NameFor(base)), b)
	}}
}

// modelFile returns a file with a model, either as a block or as a spec. It also returns the bytes of the block.
func (w *blockWriter) modelFile(base string, m builder.Model) (outfile.File, []byte, error) {
	made := spec.Spec{Model: m}
	b, err := made.Build()
	if err != nil {
		return outfile.File{}, nil, err
	}
	if w.format.value != yamlOption.name {
		return w.blockFileOf(base, m.Kind(), b), b, nil
	}
	text, err := made.AppendYAML(nil)
	if err != nil {
		err = fmt.Errorf("a spec cannot hold this block: %w", err)
	}
	return outfile.Bytes(w.blockFile(base, m.Kind()), text), b, err
}

// checkSame returns an error if an output is the same file as an input, as the header of an input, or as another output.
func checkSame(outputs, inputs []string) error {
	type file struct {
		path string
		info fs.FileInfo
	}
	var read, written []file
	for _, path := range withHeaders(inputs) {
		if info, err := statInput(path); err == nil {
			read = append(read, file{path, info})
		}
	}
	lost := func(one, other string) error {
		return fmt.Errorf("%s and %s are the same file, so one of the two would be lost", nameOf("output", one), nameOf("output", other))
	}
	var missing []string
	for _, path := range outputs {
		info, err := outfile.Stat(path)
		if err != nil {
			// The path "" means no output. Clean changes it to ".".
			if path = filepath.Clean(path); slices.Contains(missing, path) && path != "." {
				return lost(path, path)
			}
			missing = append(missing, path)
			continue
		}
		for _, in := range read {
			if outfile.Overwrites(info, in.info) { // a link can make two paths the same file
				return fmt.Errorf("%s is the same file as %s, which it would overwrite; write to another file", nameOf("output", path), nameOf("input", in.path))
			}
		}
		for _, other := range written {
			if outfile.Overwrites(info, other.info) {
				return lost(other.path, path)
			}
		}
		written = append(written, file{path, info})
	}
	return nil
}

// existing returns the outputs that are existing regular files. Writing to them replaces their
// contents.
func existing(outputs []string) []string {
	return slices.DeleteFunc(slices.Clone(outputs), func(path string) bool {
		info, err := outfile.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
}

func statInput(path string) (fs.FileInfo, error) {
	path, _ = block.SplitPath(path)
	if path == stdinPath {
		return os.Stdin.Stat()
	}
	return os.Stat(path)
}

// nameOf returns the name of an input or output for a message.
func nameOf(which, path string) string {
	if path == stdinPath {
		return "standard " + which
	}
	return "the " + which + " " + path
}

// A colouring is the flag --color.
type colouring struct{ choice }

var colors = []option{
	{"auto", "on a terminal, unless NO_COLOR is set"},
	{"always", "unless NO_COLOR is set"},
	{"never", "no colours"},
}

func (c *colouring) flag(cmd *cobra.Command) {
	c.preset(cmd, "color", "colours (none if NO_COLOR is set)", colors)
}

// enabled reports whether the output to path has colours. NO_COLOR overrides the flag, because a script or an alias may
// set the flag.
func (c *colouring) enabled(path string) bool {
	switch {
	case os.Getenv("NO_COLOR") != "" || c.value == "never":
		return false
	case c.value == "always":
		return true
	}
	return path == outfile.Stdout && isTerminal(os.Stdout) && os.Getenv("TERM") != "dumb"
}

// writer returns the writer for coloured text to w.
func (c *colouring) writer(w io.Writer, path string) io.Writer {
	if c.enabled(path) && w == os.Stdout {
		return color.Output // colours on Windows consoles require this writer
	}
	return w
}
