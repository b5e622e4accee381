package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate/config"
	"github.com/perfblock/perfblock/validate/report"
)

type lintCommand struct {
	reports reportFlags
	checks  checkFlags
	blockFlags
	exitZero bool
	pair     bool
	from     string // of --files-from
	asPath   string // of --path-in-report
}

func newLint() *cobra.Command {
	c := &lintCommand{reports: reportFlags{blocks: true}}
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "List the faults of blocks, and of texts that define counters",

		SuggestFor: []string{"check", "test", "validate", "verify"},
		Long: `Lint validates blocks and lists each fault at its byte, with the rule and the fix.
perfblock explain describes the rules. A FILE is

  a file, or - for standard input
  a folder: all files in it and in its folders
  a pattern with *, ?, {a,b} or **, where the shell does not expand it: 'captures/**/*.bin'
  an archive: zip, tar, tar.gz or gz, also in another archive
  a member of an archive: captures.zip!/cpu.bin

A FILE is a block, or a text that defines counters or their names:
` + table(textForms()) + `
A title database is recognised by its first bytes; --kind titles reads any file as a title database.
An .ini file is read with its header, which must be in the same folder. In folders and archives, a
header is checked only if an .ini file in the same folder names the header. A finding in a text has
a line and a column; in the binary value Counter 009, each string counts as a line. --kind and
--input apply to all FILEs. A definition is compared with the other FILEs of its provider: its
manifest, .ini file, header and .reg file. docs/definitions.md has an example.

In folders and archives, lint skips and counts all other files. It also skips files that perfblock
define has written for compilers, even if the command line names them, as with shop/*. All other
files on the command line must be blocks or such texts; to skip files, name their folder instead.
Lint also skips names that begin with a dot, and links to folders. --files-from reads the paths from
a file, with a path on each line or with NULs between paths; - is standard input. If the list cannot
be read, the command cannot run. The limits are:
` + table(inputLimits()) + `

Exit status:
  0  no finding has the severity of --fail-on, or a higher one
  1  a finding has the severity of --fail-on, or a higher one
  2  the command could not run, could not validate a FILE, or found no block; the report has
     the other FILEs, and all formats except text also list this FILE
  130  Ctrl-C stopped the command; the report has the findings until then
With --exit-zero, the status is 2 if the command could not run, 130 if Ctrl-C stopped it, and
otherwise 0: also if lint found no block, or could not validate a FILE.
` + section("Formats", c.reports.formats()) + `docs/lint-json.md describes json and jsonl, docs/fleet.md how many processes validate many
files. html requires a folder: --out html=FOLDER. Its index lists all files. Files with findings
have a page with the bytes and the fields of the block, or the lines of the text. Pages open
from a disk. perfblock dump shows the fields of any block.
` + blockHelp(layout.Kinds(), titlesKind) + policyHelp() + `
To suppress (ignore, exclude, disable) a rule, set it to off: --rule data-version=off, or
--rule data-version=off:REASON. --rule 'inst-*=info' sets all rules that the pattern matches.
Severities are off, info, warning and error.

To report only new findings, write the existing ones to a list with --suppress-existing FILE.
In later runs, name the list with --suppressions FILE, or with the key suppressions in
` + config.FileName + `. Suppressed findings are counted, but do not fail a block.

The file ` + config.FileName + ` sets profile, fail-on, max-findings and rules for the
blocks in its folder and below; the nearest such file is used. Its overrides set kind, profile
and rules for some files. Flags override the file. For standard input, the search starts in
the working folder. perfblock config FILE shows the settings that apply to FILE.
docs/schema/perfblock-config.schema.json describes the configuration to editors.

Some rules need more than the bytes. They report nothing without these flags:
  --definition FILE, a definition that perfblock define can read. Data blocks, objects,
      registrations, templates, identifiers, query data and instance blocks must have its counters,
      types and instances. Data blocks require --first-counter, or firstCounter in the definition.
      Query data requires --identifiers if the definition has several sets. Manifests, .ini files,
      .reg files and other definitions must have the same values as FILE. If FILE is an .ini file,
      which has no types, instances and GUIDs, only the counters of V1 blocks are compared
  V1  --query, --first-counter and --last-counter
  V2  --identifiers FILE, from PerfQueryCounterInfo for the query of the query data;
      --reginfo FILE, from PerfQueryCounterSetRegistrationInfo for a counter set, a reg-set;
      --role; --counters
  V1 and V2  --pair: each block is compared with the block of the same kind in the FILE before it,
      as in lint --pair OLD NEW. In a bundle of perfblock capture, each sample is always compared
      with the previous sample of the same query
With several --reginfo files, --identifiers is needed to match results to counter sets.
Each flag applies to all FILEs of its kinds, and at least one FILE must be of such a kind.
--input also applies to the files that the flags name.
` + titlesHelp + section("Roles of identifiers, by --role", roles),
		Example: `  perfblock lint capture.bin
  perfblock lint collected.bin --kind objects --profile windows
  perfblock lint captures.zip fixtures/ --out sarif=findings.sarif --out text=-
  perfblock lint shop.man shop.ini shop.h shop.yaml
  perfblock lint --pair before.bin after.bin
  perfblock lint capture.bin --rule data-trailing-bytes=off --fail-on warning
  perfblock lint gpu.query-data.bin --identifiers gpu.identifiers.bin --reginfo gpu.reg-set.bin
  xxd capture.bin | perfblock lint -`,
		Args: func(cmd *cobra.Command, args []string) error {
			if c.from != "" {
				return nil
			}
			return requireArgs("a FILE, or - for standard input", 1, -1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			checker, err := c.checks.checker(cmd)
			if err == nil {
				err = checkStdin(slices.Concat(args, c.checks.context.files(), c.reports.names.files, []string{c.from}))
			}
			if err == nil && c.kind.value == titlesKind.name && c.input.value != inputForms()[0].name {
				err = errors.New("--input cannot be combined with --kind titles, which detects the form of the file")
			}
			if err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(cmd, checker, args)
		},
	}
	c.reports.flags(cmd)
	c.blockFlags.flags(cmd, layout.Kinds(), titlesKind)
	cmd.Flags().StringVar(&c.from, "files-from", "", "validate the files that `FILE` lists, a path on each line")
	cmd.Flags().StringVar(&c.asPath, "path-in-report", "", "show `PATH` in reports instead of the path of the only FILE")
	cmd.Flags().BoolVar(&c.pair, "pair", false, "also compare each sample with the previous sample")
	cmd.Flags().BoolVar(&c.exitZero, "exit-zero", false, "exit with 0, whatever the reports say")
	c.checks.flags(cmd)
	return cmd
}

func textForms() []option {
	return optionsOf(definition.Forms(), func(f definition.Form) option {
		return option{cmp.Or(strings.Join(f.Extensions(), " "), "any name"), f.Doc()}
	})
}

// titlesKind is the kind of files that are title databases.
var titlesKind = option{definition.Titles.String(), definition.Titles.Doc()}

// checkStdin returns an error if standard input would be read twice.
func checkStdin(paths []string) error {
	n := 0
	for _, path := range paths {
		if file, _ := block.SplitPath(path); file == stdinPath {
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("- is given %d times, but standard input can be read once", n)
	}
	return nil
}

func (c *lintCommand) run(cmd *cobra.Command, checker *checker, paths []string) error {
	outs, err := c.reports.list(cmd)
	if err != nil {
		return seeHelp(cmd, err)
	}
	to := files(outs)
	if err := checkSame(append(to, c.checks.suppress.existing), slices.Concat(paths, c.checks.context.files(), c.reports.names.files, []string{c.from})); err != nil {
		return err
	}
	if err := c.checks.context.read(c.form(), &checker.context); err != nil {
		return err
	}
	if checker.definition, err = c.checks.context.readDefinition(); err != nil {
		return err
	}
	if err := checker.completeRange(); err != nil {
		return seeHelp(cmd, err)
	}
	if err := checker.readConfig(); err != nil {
		return err
	}
	if len(paths) == 1 && c.from == "" {
		c.reports.names.addBundle(paths[0])
	}
	if err := c.checks.suppress.checkOutput(); err != nil {
		return err
	}
	w, err := c.reports.begin(outs, os.Interrupt)
	if err != nil {
		return err
	}
	defer w.discard()
	ctx, stop := untilInterrupt(w)
	defer stop()
	list := inputs.List{Args: paths, From: c.from, Exclude: checker.excludes}
	t, err := c.members(ctx, &linter{checker, c.kind.value, c.form(), newSiblings(ctx), c.pair}, list, w)
	if err != nil {
		return err
	}
	if t.end == nil || t.end == errFaulty { // the kinds of all files are known
		if err := checkApplies(cmd.Flags(), slices.Collect(maps.Keys(t.kinds)), t.texts); err != nil {
			return seeHelp(cmd, err)
		}
		if c.pair && t.pairs == 0 {
			again := ""
			if t.again != "" {
				again = "; " + t.again + " is given twice, but is read only once"
			}
			return seeHelp(cmd, fmt.Errorf("--pair: no two blocks can be compared; both must have the same kind (%s), and in bundles also the same query%s", kindList(cookedKinds, "or"), again))
		}
	}
	if err := checkSame(to, checker.configs()); err != nil {
		return err
	}
	if c.exitZero && t.end != errInterrupted {
		t.end = nil
	}
	if err := w.close(report.End{ExitCode: new(exitOf(t.end)), Interrupted: t.end == errInterrupted}); err != nil {
		return err
	}
	if t.end == errInterrupted { // the run has not found all findings, so the lists of suppressions are not written
		return t.end
	}
	if t.files > 0 { // without blocks, the inputs may be wrong, and no entry is marked as missing
		checker.suppressor.markMissing(list)
	}
	if err := checker.finishSuppressions(); err != nil {
		return err
	}
	return t.end
}

// untilInterrupt returns a context that the first Ctrl-C cancels. A second Ctrl-C ends the process without reports.
func untilInterrupt(w *reportWriter) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	go func() {
		for range signals {
			if ctx.Err() != nil {
				w.discard()
				os.Exit(int(errInterrupted))
			}
			cancel()
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// members validates the members of a list and adds them to the reports. It returns an error if a report cannot be
// written.
func (c *lintCommand) members(ctx context.Context, l *linter, list inputs.List, w *reportWriter) (tally, error) {
	t := tally{kinds: make(map[layout.Kind]bool), faultyBy: make(map[string]int)}
	replaced := existing(append(w.paths, c.checks.suppress.existing))
	empty := true
	flags, err := samples.ReadQuery(l.checker.context)
	if err != nil {
		return t, err
	}
	before := earlierFiles{definition.FileSet{Apart: l.checker.definition != nil}, sampleSeries{flags: flags, across: l.pair}}
	disk, input, order := "", 0, 0 // order counts the blocks in a file on disk
	progress := startProgress(ctx, list)
	defer progress.end()
	for o := range inputs.Ordered(ctx, list.All(ctx), inputs.Parallel{}, l.member) {
		empty = false
		for range o.others {
			t.others++
			if err := w.skipped(o.path); err != nil {
				return t, err
			}
		}
		if o.excluded {
			t.excluded++
		}
		if o.again {
			t.again = cmp.Or(t.again, o.path)
		}
		if o.bundle != nil {
			before.samples.begin(o.path, o.bundle)
		}
		if len(o.blocks) > 0 && len(replaced) > 0 { // a file without blocks can be an old report, which may be replaced
			if err := checkSame(replaced, []string{o.disk}); err != nil {
				return t, err
			}
		}
		if o.disk != disk || o.input != input {
			disk, input, order = o.disk, o.input, 0
		}
		for _, b := range o.blocks {
			if errors.Is(b.Err, inputs.ErrList) {
				return t, b.Err
			}
			if b.Err == nil && b.Value.compare != nil {
				b.Value.file, b.Err = b.Value.compare(&before)
			}
			b.Value.file.Order = order
			order++
			t.files++
			if c.asPath != "" {
				if t.files > 1 {
					return t, errors.New("--path-in-report is for one block, but the FILEs have several")
				}
				f := &b.Value.file
				b.Path, f.Path = c.asPath, c.asPath
				// The command merge detects the form of a text by its path. If the path of --path-in-report has another
				// form or no form, leave the data for merge out of the record.
				if form, is := definition.Detect(f.Path, f.Block); !is || form.String() != f.Form {
					f.Comparison = nil
				}
			}
			if err := t.add(b, w); err != nil {
				return t, err
			}
		}
		progress.add(o)
	}
	t.complainRest()
	t.pairs = before.samples.pairs
	switch {
	case ctx.Err() != nil:
		t.end = errInterrupted
	case empty && list.From != "" && len(list.Args) == 0:
		complain(fmt.Errorf("no block was found: %s lists no files", block.NameOf(list.From)))
		t.end = errFailed
	case t.files == 0:
		complain(errors.New("no block was found" + t.notRead()))
		t.end = errFailed
	}
	return t, nil
}
