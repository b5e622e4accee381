package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
)

// bundleFile is the name of the bundle if the output is a folder.
const bundleFile = "capture.zip"

// readKey returns the contents of a key file. If path is "", the key is nil.
func readKey(path string) ([]byte, error) {
	const shortest = 16 // bytes; a shorter key could be guessed
	if path == "" {
		return nil, nil
	}
	key, err := readInput(path)
	if err == nil && len(key) < shortest {
		return nil, fmt.Errorf("%s: has %d bytes, a key must have at least %d; use random bytes", path, len(key), shortest)
	}
	return key, err
}

// anonymise anonymises a bundle, and prints how many names it replaced.
func anonymise(b *capture.Bundle, key []byte) error {
	replaced, err := b.Anonymise(key)
	if err == nil {
		complain(fmt.Errorf("replaced: %v", replaced))
	}
	return err
}

type anonymiseCommand struct {
	output
	blockFlags
	key, names string
	checker    checker
}

func newAnonymise() *cobra.Command {
	c := &anonymiseCommand{}
	cmd := &cobra.Command{
		Use:   "anonymise FILE",
		Short: "Replace the names of instances and computers in a capture",

		SuggestFor: []string{"anonymize", "redact", "scrub"},
		Long: `Anonymise replaces what can identify persons and computers in a bundle of perfblock capture, or
in a block. - is standard input.

Names of instances and computers, and values that are texts, become pseudonyms of the same
length. The same name has the same pseudonym in the whole file, and names that differ only in
case have pseudonyms that differ only in case. _Total, numbers of one or two digits, drives
such as C:, a number after # at the end, spaces and the characters ( ) * ? # do not change. The
characters / \ and , separate words, each with its own pseudonym. Padding, bytes after the end of
a block, and bytes that cannot be read because of a fault become 0. The findings of lint stay the
same, except findings about these bytes, and about a wrong number before unreadable bytes.

Anonymise does not change numbers, times, the names of objects, counters and counter sets, and
the title tables of a bundle. These names show which products are installed. A process id can be
a value.

The pseudonyms are random. With --key they depend on the key, so that files that are anonymised
with the same key can be compared. A short name can still have different pseudonyms in two such
files. A person who has the key can test whether a pseudonym belongs to a name.

Anonymise prints how many names it replaced. --names writes each replaced word and its pseudonym
to a file. Keep this file to look up the word for a pseudonym later.

Exit status:
  0  the file is written
  2  the command could not run
` + blockHelp(layout.Kinds()),
		Example: `  perfblock anonymise capture.zip -o public.zip
  perfblock anonymise capture.bin --key secret.key -o public.bin`,
		Args: requireArgs("a FILE, or - for standard input", 1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args[0]) },
	}
	c.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	c.blockFlags.flags(cmd, layout.Kinds())
	cmd.Flags().StringVar(&c.key, "key", "", "read the key of the pseudonyms from `FILE`")
	cmd.Flags().StringVar(&c.names, "names", "", "write the replaced words and their pseudonyms to `FILE`, which must stay secret")
	return cmd
}

func (c *anonymiseCommand) run(path string) error {
	if c.forTerminal() {
		return errOnTerminal
	}
	if err := checkStdin([]string{path, c.key}); err != nil {
		return err
	}
	key, err := readKey(c.key)
	if err != nil {
		return err
	}
	bundle, name, err := c.read(path)
	if err != nil {
		return err
	}
	to := c.file(name)
	files := []outfile.File{{Path: to, Fill: bundle.Write}}
	if name != bundleFile {
		files[0] = outfile.Bytes(to, bundle.Members[0].Bytes) // Anonymise, called below, changes these bytes in place
	}
	if c.names != "" {
		files = append(files, outfile.File{Path: c.names, Fill: func(w io.Writer) error { return writePseudonyms(w, bundle) }})
	}
	if err := checkSame([]string{to, c.names}, []string{path, c.key}); err != nil {
		return err
	}
	if err := anonymise(bundle, key); err != nil {
		return err
	}
	return c.writeAll(files...)
}

// writePseudonyms writes a line for each replaced word: the word and the pseudonym, both quoted as Go strings.
func writePseudonyms(w io.Writer, b *capture.Bundle) error {
	for word, pseudonym := range b.Pseudonyms() {
		if _, err := fmt.Fprintf(w, "%q\t%q\n", word, pseudonym); err != nil {
			return err
		}
	}
	return nil
}

// read returns the bundle at path. If path names a block, read returns a bundle whose only member is this block. If -o
// is a folder, name is the name of the output file in the folder.
func (c *anonymiseCommand) read(path string) (bundle *capture.Bundle, name string, err error) {
	contents, err := readFileOf(path)
	if err != nil {
		return nil, "", err
	}
	if _, member := block.SplitPath(path); member == "" {
		bundle, err = capture.Read(contents)
		if err == nil {
			return bundle, bundleFile, nil
		}
		if !errors.Is(err, capture.ErrNotBundle) {
			return nil, "", fmt.Errorf("%s: %w", block.NameOf(path), err)
		}
	}
	s, err := oneBlock(path, contents, c.form())
	if err != nil {
		return nil, "", err
	}
	kind, _, err := c.checker.kindOf(s, c.kind.value)
	if err != nil {
		return nil, "", err
	}
	m := capture.Member{Name: "block", Kind: kind.String(), Bytes: s.Bytes}
	return &capture.Bundle{Members: []capture.Member{m}}, block.WithKind(baseOf(path), kind) + ".bin", nil
}
