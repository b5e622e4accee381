package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/validate"
)

type defineCommand struct {
	output
	writeGUIDs, force, check, symbols bool

	format       choice
	goPackage    string
	firstCounter uint32
}

func newDefine() *cobra.Command {
	c := &defineCommand{}
	cmd := &cobra.Command{
		Use:   "define FILE",
		Short: "Show or convert what a provider offers: its counters and their names",

		SuggestFor: []string{"convert", "definition", "generate", "lodctr", "manifest"},
		Long: `Define reads a definition: the counter sets and counters of a provider, with their names. FILE is
a definition in YAML or JSON, an instrumentation manifest (.man), or an .ini file for lodctr, whose
header must be beside it.

Without -o, define shows the sets and counters: the id, the name, the type with its references to
other counters, and the help text. --symbols also shows the C symbol of each, and the number of its
name. lodctr adds this number to First Counter.

-o NAME converts the definition to the form that the end of NAME selects. -o FOLDER/ writes the
files of all forms, but no titles and no copy of a FILE in YAML:
` + table(definitionForms()) + `
-o - writes YAML to standard output, and --format selects another form of text.

A value that a form cannot hold is left out, and a note on standard error names it. With -o FOLDER/,
there is no note about a value that another file has. If a form cannot hold the definition at all,
-o FOLDER/ writes no file, and an error names the forms and the value; the exit status is then 2.

A FILE with errors that lint finds is shown and converted too, because many files in use have
some. A note on standard error has the number of errors.

A manifest can have more than counters, such as events and string tables. If FILE or the file NAME
is such a manifest, define replaces only its counters element, and changes no other byte of the
manifest.

An .ini file has no types. Each counter gets the type PERF_COUNTER_RAWCOUNT; correct the types in
the YAML. A note on standard error reports this.

--write-guids writes the GUIDs that are missing into the definition, which must be YAML or JSON.
They are derived from the names. Write them before a name changes.

--first-counter N adds to a .reg file the indexes that lodctr would write, for Wine and tests. The
titles are for --titles of other commands and for tests. Do not import .titles.reg into Windows:
the import would replace the names of all providers, which are in one value.

Define replaces only files that it has written. With --force, it also replaces other files.

With --check, define writes nothing. It lists the files that -o would create or change, with the
first line that differs. The other flags must be those of the command that wrote the files.

Exit status of --check:
  0  all files are current
  1  a file is missing or differs
  2  the command could not run, or a form cannot hold the definition

docs/schema/perfblock-definition.schema.json describes the definition to editors.`,
		Example: `  perfblock define shop.yaml
  perfblock define shop.yaml --symbols
  perfblock define shop.yaml --write-guids
  perfblock define shop.yaml -o shop.man
  perfblock define shop.yaml -o shop.ini
  perfblock define shop.yaml -o shop.go --package shop
  perfblock define shop.yaml -o generated/
  perfblock define shop.yaml -o generated/ --check
  perfblock define old.ini -o old.yaml`,
		Args: requireArgs("a FILE, or - for a definition in YAML on standard input", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.checkFlags(); err != nil {
				return seeHelp(cmd, err)
			}
			if given := cmd.Flags().Changed("first-counter"); given && (c.firstCounter == 0 || c.firstCounter%2 != 0) {
				return seeHelp(cmd, fmt.Errorf("--first-counter is %d, must be an even number of at least 2", c.firstCounter))
			}
			return c.run(cmd, args[0])
		},
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"yaml", "yml", "json", "man", "ini"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	c.flag(cmd, "write to `NAME`, folder/, or \"-\" (stdout)")
	cmd.Flags().Lookup("output").DefValue = "" // without -o, define shows a table
	cmd.Flags().BoolVar(&c.writeGUIDs, "write-guids", false, "write the missing GUIDs into FILE")
	cmd.Flags().BoolVar(&c.symbols, "symbols", false, "also show the symbol and the number of each name")
	cmd.Flags().StringVar(&c.goPackage, "package", "", "the package `NAME` in the Go file")
	cmd.Flags().Uint32Var(&c.firstCounter, "first-counter", 0, "the index `N` of the first name, an even number")
	noFiles(cmd, "first-counter")
	c.format.flag(cmd, "format", "the form of the text on standard output (-o -)", stdoutForms())
	cmd.Flags().BoolVar(&c.check, "check", false, "list the files that -o would create or change")
	cmd.Flags().BoolVar(&c.force, "force", false, "also replace files that define has not written")
	return cmd
}

// definitionForms returns the file formats that define can write.
func definitionForms() []option {
	return optionsOf(definition.OutputForms(), func(f definition.OutputForm) option { return option{f.Ext, f.Doc} })
}

// stdoutForms returns the file formats for standard output. It leaves out binary formats and formats with several
// files.
func stdoutForms() []option {
	var list []option
	for _, o := range definitionForms() {
		if name := strings.TrimPrefix(o.name, "."); name != "c" && !strings.HasSuffix(name, ".syso") {
			list = append(list, option{name, o.doc})
		}
	}
	return list
}

// checkFlags returns an error for flags that cannot be combined.
func (c *defineCommand) checkFlags() error {
	toStdout := c.given && c.path == outfile.Stdout
	switch {
	case c.writeGUIDs && c.given:
		return errors.New("--write-guids writes into FILE, so -o cannot be given")
	case c.symbols && (c.given || c.writeGUIDs):
		return errors.New("--symbols cannot be combined with -o or --write-guids, which show no table of counters")
	case c.check && (!c.given || toStdout):
		return errors.New("--check requires -o with the NAME or the folder/ of the files to check")
	case c.format.value != "" && !toStdout:
		return errors.New("--format requires standard output (-o -); for a file, the extension in -o NAME selects the format")
	}
	return nil
}

func (c *defineCommand) run(cmd *cobra.Command, path string) error {
	contents, err := readInput(path)
	if err != nil {
		return err
	}
	f, err := readDefinition(path, contents)
	if err != nil {
		return err
	}
	if err := showErrors(f, path); err != nil {
		return err
	}
	if c.goPackage != "" {
		f.Provider.Package = c.goPackage
	}
	if c.firstCounter != 0 {
		f.Provider.FirstCounter = &c.firstCounter
	}
	switch {
	case c.writeGUIDs:
		return c.insertGUIDs(f.Provider, path, contents)
	case !c.given:
		showNotes(f, path)
		return c.show(cmd.OutOrStdout(), f.Provider)
	case c.check:
		return c.compare(cmd.OutOrStdout(), f, path)
	}
	return c.convert(f, path)
}

// showNotes writes the notes of a definition to standard error. For example, a note reports a manifest attribute that
// the definition cannot hold.
func showNotes(f *definition.File, path string) {
	for _, note := range f.Notes {
		complain(fmt.Errorf("%s: %s", path, note))
	}
}

// showErrors prints the number of errors in a definition to standard error. The configuration of lint applies.
func showErrors(f *definition.File, path string) error {
	v, err := new(checker).checkAll(block.At(path), func(v *validate.Validator) (validate.Result, error) { return f.Check(v), nil })
	if n := v.Counts.AtLeast(validate.Error); err == nil && n > 0 {
		complain(fmt.Errorf("%s has %s; run perfblock lint %s", block.NameOf(path), quote.Count(n, "error"), quoted(path)))
	}
	return err
}

// readDefinition reads a definition from the contents of a file. It returns an error if the file defines no provider.
func readDefinition(path string, contents []byte) (*definition.File, error) {
	if path == stdinPath {
		name := block.NameOf(path)
		p, err := definition.Parse(name, contents)
		return &definition.File{Path: name, Form: definition.YAML, Provider: p}, err
	}
	f, err := definition.Read(path, contents, func(name string) ([]byte, error) {
		return readBeside(filepath.Dir(path), name)
	})
	if err != nil {
		return nil, err
	}
	_, err = f.Definition()
	return f, err
}

func readBeside(folder, name string) ([]byte, error) { return readInput(pathBeside(folder, name)) }

// pathBeside returns the path of a file in a folder. If there is no such file, it returns the path of a file whose name
// differs only in case, as Windows does.
func pathBeside(folder, name string) string {
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	files, _ := os.ReadDir(folder) // if the folder cannot be read, reading path fails too
	for _, f := range files {
		if strings.EqualFold(f.Name(), name) {
			return filepath.Join(folder, f.Name())
		}
	}
	return path
}

// insertGUIDs writes the missing GUIDs into a definition.
func (c *defineCommand) insertGUIDs(p *definition.Provider, path string, contents []byte) error {
	if form, err := definition.FormOf(path); path != stdinPath && (err != nil || form != definition.YAML) {
		return fmt.Errorf("%s: --write-guids requires a definition in YAML or JSON; convert the file first, with -o NAME.yaml", path)
	}
	text, err := p.InsertGUIDs(contents)
	if err != nil {
		return err
	}
	return c.writeAll(outfile.Bytes(path, text))
}

// convert writes the files of one format, or of all formats.
func (c *defineCommand) convert(f *definition.File, path string) error {
	outputs, kept, err := c.conversion(f, path)
	if err != nil {
		return err
	}
	if !kept {
		showNotes(f, path)
	}
	var files []outfile.File
	for _, one := range outputs {
		if err := c.mayReplace(one.Name, one.Contents); err != nil {
			return err
		}
		for _, l := range one.Lost {
			to := one.Name
			if to == outfile.Stdout {
				to = nameOf("output", to)
			}
			complain(fmt.Errorf("%s: left out: %v", to, l))
		}
		files = append(files, outfile.Bytes(one.Name, one.Contents))
	}
	return c.writeAll(files...)
}

// manifestAt returns the manifest into which define writes the counters element. It returns nil if define writes a
// complete new manifest.
func manifestAt(path string, source *definition.File) (*definition.File, error) {
	old, is, err := existingFile(path)
	switch {
	case err != nil:
		return nil, err
	case is && !definition.Generated(old):
		return definition.Read(path, old, nil)
	case source.Form == definition.Manifest:
		return source, nil
	}
	return nil, nil
}

// existingFile returns the contents of the file that define would replace. exists is false if there is no file at path,
// or if the file is a device or a pipe.
func existingFile(path string) (contents []byte, exists bool, err error) {
	if path == outfile.Stdout {
		return nil, false, nil
	}
	if info, err := outfile.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, false, nil
	}
	contents, err = readInput(path)
	return contents, err == nil, err
}

// mayReplace returns an error if define must not replace the file at path. Define may replace a generated file (see
// [definition.Generated]), and a file that already has the given contents. With --force, it may replace every file.
func (c *defineCommand) mayReplace(path string, contents []byte) error {
	if c.force {
		return nil
	}
	old, is, err := existingFile(path)
	if err != nil || !is || definition.Generated(old) || bytes.Equal(old, contents) {
		return err
	}
	return fmt.Errorf("%s exists, and define has not written it; use --force to replace it", path)
}
