package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/diff"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/layout"
)

type diffCommand struct {
	output
	blockFlags
	format choice
	ignore ignoreFlag
	most   uint32
	color  colouring
	names  namesFlag
}

func newDiff() *cobra.Command {
	c := &diffCommand{}
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "List the differences of two blocks",

		SuggestFor: []string{"cmp", "compare"},
		Long: `Diff compares two blocks of one kind and lists their differences: a line for each, with the
offset in A, the offset in B, the path in A, and both values. - is standard input.

Objects, counters, instances and other records are matched by title indexes, names and ids,
not by position. A record that only one block has is one difference. A length, offset or
count that differs only because other contents differ is not listed. In a broken block, the
bytes that cannot be read are compared as bytes. If the kind of only one block is known, the
other block has the same kind.

Exit status:
  0  no differences
  1  differences
  2  the command could not run
` + section("Sorts of differences, for --ignore. Ignored differences do not count for the exit status", diffSorts()) +
			section("Formats", diffFormats()) + `docs/diff-json.md describes the json.
` + blockHelp(layout.Kinds()) + titlesHelp,
		Example: `  perfblock diff before.bin after.bin
  perfblock diff before.bin after.bin --ignore values,times
  perfblock diff expected.bin collected.bin --kind objects --format json -o diff.json
  perfblock build cpu.yaml -o - | perfblock diff - cpu.bin`,
		Args: requireArgs("two FILEs; one of them can be - for standard input", 2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkStdin(slices.Concat(args, c.names.files)); err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(args[0], args[1])
		},
	}
	c.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	c.blockFlags.flags(cmd, layout.Kinds())
	c.format.preset(cmd, "format", "the format of the output", diffFormats())
	c.ignore.flag(cmd)
	cmd.Flags().Uint32Var(&c.most, "max", diff.DefaultMax, "list `N` differences of each sort, 0 for all")
	noFiles(cmd, "max")
	c.color.flag(cmd)
	c.names.flags(cmd)
	return cmd
}

func (c *diffCommand) run(pathA, pathB string) error {
	f := diff.Formats()[c.format.chosen()]
	to := c.file("diff" + extension(c.format.value))
	if err := checkSame([]string{to}, append(slices.Clone(c.names.files), pathA, pathB)); err != nil {
		return err
	}
	names, err := c.names.lookup(pathA, pathB)
	if err != nil {
		return err
	}
	a, err := readBlock(pathA, c.form())
	if err != nil {
		return err
	}
	b, err := readBlock(pathB, c.form())
	if err != nil {
		return err
	}
	kind, detected, err := kindOfBoth(a, b, c.kind.value)
	if err != nil {
		return err
	}
	if detected {
		complain(fmt.Errorf("%s, %s: the kind %v was detected", a.Name(), b.Name(), kind))
	}
	most := cmp.Or(int(min(c.most, math.MaxInt32)), -1)
	r := diff.Compare(kind, a.Bytes, b.Bytes, diff.Options{Ignore: c.ignore, Max: most})
	err = c.writeFile(to, func(w io.Writer) error {
		return f.Write(c.color.writer(w, c.path), r, diff.WriteOptions{
			A: diff.File{Path: a.Path, Input: a.Form}, B: diff.File{Path: b.Path, Input: b.Form}, Detected: detected, Color: c.color.enabled(c.path), Names: names,
		})
	})
	if err == nil && r.Counts.Total() > 0 {
		return errFaulty
	}
	return err
}

// kindOfBoth returns the common kind of two blocks. If the kind of only one block is known, it is used for both blocks.
// detected is true if the kind was found by reading the bytes.
func kindOfBoth(a, b block.Source, named string) (kind layout.Kind, detected bool, err error) {
	kindA, detectedA, errA := a.Kind(named)
	kindB, detectedB, errB := b.Kind(named)
	switch {
	case errA != nil && (errB != nil || named != "" || len(a.Bytes) == 0), errB != nil && (named != "" || len(b.Bytes) == 0):
		return 0, false, errors.Join(errA, errB)
	case errA != nil:
		return kindB, detectedB, nil
	case errB != nil:
		return kindA, detectedA, nil
	case kindA != kindB:
		return 0, false, fmt.Errorf("%s is a block of kind %v and %s of kind %v, but diff requires blocks of one kind; to read both as one kind, use --kind", a.Name(), kindA, b.Name(), kindB)
	}
	return kindA, detectedA && detectedB, nil
}

// An ignoreFlag is the value of the flag --ignore: sorts of differences, separated by commas. The user
// may give the flag many times.
type ignoreFlag []diff.Sort

func (f *ignoreFlag) String() string { return "" } // the help shows no default

func (f *ignoreFlag) Type() string { return "SORT,..." }

func (f *ignoreFlag) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		s, err := diff.ParseSort(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		*f = append(*f, s)
	}
	return nil
}

func (f *ignoreFlag) flag(cmd *cobra.Command) {
	cmd.Flags().Var(f, "ignore", "ignore differences of these sorts")
	setCompletion(cmd, "ignore", func(_ *cobra.Command, _ []string, typed string) (list []cobra.Completion, how cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, o := range diffSorts() {
			list = append(list, cobra.CompletionWithDesc(before+o.name, o.doc))
		}
		return list, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder | cobra.ShellCompDirectiveNoFileComp
	})
}

func diffFormats() []option {
	return optionsOf(diff.Formats(), func(f diff.Format) option { return option{f.Name, f.Doc} })
}

func diffSorts() []option {
	return optionsOf(diff.Sorts(), func(s diff.Sort) option { return option{s.String(), s.Doc()} })
}
