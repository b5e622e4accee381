package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/capture"
)

// powerShell is a script that reads a data block without perfblock and writes the block to a file.
const powerShell = `  [byte[]]$b = [Microsoft.Win32.Registry]::PerformanceData.GetValue('Global')
  [Array]::Resize([ref]$b, [BitConverter]::ToInt32($b, 20))   # TotalByteLength
  [IO.File]::WriteAllBytes("$PWD\global.data-block.bin", $b)`

type captureCommand struct {
	output
	query     capture.Query
	languages string
	anonymise bool
	key       string
}

func newCapture() *cobra.Command {
	c := &captureCommand{}
	cmd := &cobra.Command{
		Use:   "capture [OBJECT...]",
		Short: "Read counters from Windows into one file",

		SuggestFor: []string{"collect", "record", "sample"},
		Long: `Capture reads performance counters from this computer and writes them to a bundle: a zip that
lint, dump and diff read as any archive. It requires Windows.

An OBJECT is an object of V1: a name such as Processor, a title index such as 238, or a word
that selects several objects: ` + strings.Join(capture.Words()[:4], ", ") + `.
--set selects counter sets of V2, by name or GUID. Without OBJECT and --set, capture reads
Global: all objects except costly ones.

A bundle has a block for each sample, and the names and help texts in the languages of
--language. For V2, it also has the identifiers of the query and the registrations of the
counter sets. The manifest of the bundle has the query and the time of each block, the computer
and its version of Windows. docs/capture.md describes the manifest.

--anonymise replaces the names of instances and computers, as perfblock anonymise does.

If Ctrl-C stops a capture with --count, the bundle has the samples that were already read.

Exit status:
  0  the bundle has all samples
  2  the command could not run, or a sample after the first failed; the bundle then has
     the earlier samples
  130  Ctrl-C stopped the command

The command was tested with Wine, which supports only V1. It was not yet tested on Windows.
This PowerShell script writes a block without perfblock. It was not yet tested either:

` + powerShell,
		Example: `  perfblock capture -o global.zip
  perfblock capture Processor 4 --count 12 --interval 5s -o cpu.zip
  perfblock capture --set "Processor Information" --count 2 -o cpu.zip
  perfblock capture Global --language 009,007 --anonymise -o all.zip
  perfblock lint all.zip`,
		Args: requireArgs("", 0, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	c.flag(cmd, "write the bundle to `FILE`, folder/, or \"-\" (stdout)")
	set := cmd.Flags()
	set.StringArrayVar(&c.query.Sets, "set", nil, "a counter set of V2, by `NAME` or GUID; can be repeated")
	set.IntVar(&c.query.Count, "count", 1, "the number `N` of samples")
	set.DurationVar(&c.query.Interval, "interval", time.Second, "the `TIME` from one sample to the next, such as 5s")
	set.StringVar(&c.languages, "language", english, "the languages of names, as `LANGID,...`, or \"none\"")
	set.BoolVar(&c.anonymise, "anonymise", false, "replace names of instances and computers")
	set.StringVar(&c.key, "key", "", "read the key for --anonymise from `FILE`")
	noFiles(cmd, "set", "count", "interval", "language")
	return cmd
}

func (c *captureCommand) run(cmd *cobra.Command, objects []string) error {
	switch {
	case c.query.Count < 1:
		return seeHelp(cmd, fmt.Errorf("--count is %d, must be at least 1", c.query.Count))
	case c.query.Interval <= 0:
		return seeHelp(cmd, fmt.Errorf("--interval is %v, must be greater than 0", c.query.Interval))
	case c.key != "" && !c.anonymise:
		return seeHelp(cmd, errors.New("--key requires --anonymise"))
	}
	c.query.Objects, c.query.Tool = objects, version()
	if len(objects) == 0 && len(c.query.Sets) == 0 {
		c.query.Objects = []string{"Global"}
	}
	c.query.Languages = []string{}
	if c.languages != "none" {
		for language := range strings.SplitSeq(c.languages, ",") {
			c.query.Languages = append(c.query.Languages, languageKey(language))
		}
	}
	key, err := readKey(c.key)
	if err != nil {
		return err
	}
	to := c.file(bundleFile)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	bundle, err := c.query.Run(ctx)
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case errors.Is(err, capture.ErrNotWindows) && len(c.query.Objects) == 0:
		return fmt.Errorf("%w; run perfblock on Windows; PowerShell cannot return the bytes of counter sets", err)
	case errors.Is(err, capture.ErrNotWindows):
		complain(fmt.Errorf("%w; run perfblock on Windows, or run the PowerShell script from standard output on Windows; the script captures Global", err))
		fmt.Fprintln(cmd.OutOrStdout(), powerShell)
		return errFailed
	case interrupted && bundle == nil:
		return errInterrupted
	case bundle == nil:
		return err
	case c.forTerminal():
		return errOnTerminal
	case err != nil && !interrupted:
		complain(fmt.Errorf("%w; the bundle has the earlier samples", err))
		err = errFailed
	case interrupted:
		err = errInterrupted
	}
	for _, note := range bundle.Notes {
		complain(errors.New("not captured: " + note))
	}
	if c.anonymise {
		if fault := anonymise(bundle, key); fault != nil {
			return fault
		}
	}
	if fault := c.writeFile(to, bundle.Write); fault != nil {
		return fault
	}
	return err
}
