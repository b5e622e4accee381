package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
)

// An output is where a command writes: the flag -o.
type output struct {
	path  string
	given bool
}

// An outputFlag takes its value once: of two files, one would not be written.
type outputFlag struct{ *output }

func (f outputFlag) String() string {
	if f.output == nil { // a zero value, which pflag makes to see what one looks like
		return ""
	}
	return f.path
}

func (f outputFlag) Type() string { return "string" }

func (f outputFlag) Set(path string) error {
	if f.given {
		return fmt.Errorf("there is %q before it, and a command has one output", f.path)
	}
	f.path, f.given = path, true
	return nil
}

func (o *output) flag(cmd *cobra.Command, usage string) {
	o.path = outfile.Stdout
	cmd.Flags().VarP(outputFlag{o}, "output", "o", usage)
	old := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if o.path == "" {
			return seeHelp(cmd, errors.New("-o wants the name of a file"))
		}
		if old != nil {
			return old(cmd, args)
		}
		return nil
	}
}

// isFolder reports whether the output is a folder, there or to be made.
func (o *output) isFolder() bool {
	if strings.HasSuffix(o.path, "/") || os.IsPathSeparator(o.path[len(o.path)-1]) {
		return true
	}
	info, err := os.Stat(o.path)
	return err == nil && info.IsDir()
}

// file returns the path to write to: in a folder, a file of that name.
func (o *output) file(name string) string {
	if o.isFolder() {
		return filepath.Join(o.path, name)
	}
	return o.path
}

// forTerminal reports whether the output goes to a terminal that nobody named.
func (o *output) forTerminal() bool { return !o.given && isTerminal(os.Stdout) }

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// errOnTerminal is for bytes that a terminal would take for commands.
var errOnTerminal = errors.New("a terminal cannot show a block's bytes: name a file with -o, or take --format hex (-o - writes them all the same)")

// write makes what fill writes the file at path, in a folder that it makes where
// the output is one.
func (o *output) write(path string, fill func(io.Writer) error) error {
	if o.isFolder() {
		if err := os.MkdirAll(o.path, 0o777); err != nil {
			return plainError(o.path, err)
		}
	}
	err := outfile.Write(path, fill)
	var place interface{ Timeout() bool } // of an error about a file
	if errors.As(err, &place) && path != outfile.Stdout {
		return plainError(path, err)
	}
	return err
}

// A blockWriter writes blocks in a format under names: the flags --format, --name
// and -o of commands that make blocks.
type blockWriter struct {
	output
	format choice
	name   string
}

func (w *blockWriter) flags(cmd *cobra.Command, formats []option, to string) {
	w.format = choice{value: formats[0].name, options: formats}
	w.flag(cmd, to)
	w.format.flag(cmd, "format", "how to write the block")
	cmd.Flags().StringVar(&w.name, "name", "", "`NAME` of the variable in C or Go (package.NAME in Go)")
	noFiles(cmd, "name")
}

// namesHelp is for the help of commands that make blocks.
const namesHelp = `Without --name, the array in C is called block_ and the name of its file without
ending, which no header has a use for. In Go it is the name of the file alone, with
block_ before it where it is a word of Go's, such as string.`

// check reports what is wrong with the flags before anything is done.
func (w *blockWriter) check() error {
	if w.format.value == yamlOption.name || w.format.value == dumpOption.name {
		if w.name != "" {
			return errors.New("--name goes with --format c or go")
		}
		return nil
	}
	f, err := armor.FormatNamed(w.format.value)
	switch {
	case err != nil:
		return err
	case w.name != "" && !f.Named():
		return errors.New("--name goes with --format c or go")
	case w.name != "":
		return f.CheckName(w.name)
	case !f.Text && w.forTerminal():
		return errOnTerminal
	}
	return nil
}

// ext returns what the names of files in the format end in.
func (w *blockWriter) ext() string {
	if f, err := armor.FormatNamed(w.format.value); err == nil {
		return f.Ext
	}
	return "." + w.format.value
}

// blockFile returns the path to write a block of that kind to: in a folder, a file
// called base.
func (w *blockWriter) blockFile(base string, kind layout.Kind) string {
	return w.file(withKind(base, kind) + w.ext())
}

// block writes the block b, called base where the flags do not name it.
func (w *blockWriter) block(base string, kind layout.Kind, b []byte) error {
	if w.format.value == dumpOption.name {
		return w.write(w.blockFile(base, kind), func(to io.Writer) error {
			_, err := dump.Formats()[0].Write(to, kind, b, dump.Options{})
			return err
		})
	}
	f, err := armor.FormatNamed(w.format.value)
	if err != nil {
		return err
	}
	name := w.name
	if name == "" {
		name = f.NameFor(base)
	}
	return w.write(w.blockFile(base, kind), func(to io.Writer) error { return f.Write(to, name, b) })
}

// noFiles keeps a shell from offering files for a flag that takes none.
func noFiles(cmd *cobra.Command, flag string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions); err != nil {
		panic(fmt.Sprintf("no flag %s: %v", flag, err))
	}
}
