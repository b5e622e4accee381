package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
	"github.com/perfblock/perfblock/validate/report/page"
)

// reportFlags are the flags that select reports and their files: --format and -o for one report, --out for several.
type reportFlags struct {
	output
	format choice
	color  colouring
	outs   outsFlag

	quiet, summary bool
	names          namesFlag

	blocks bool // the command has the bytes of the blocks, which html requires
}

func (f *reportFlags) formats() []option {
	if f.blocks {
		return append(reportFormats(), htmlOption)
	}
	return reportFormats()
}

func (f *reportFlags) flags(cmd *cobra.Command) {
	f.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	f.format.preset(cmd, "format", "the format of the report", f.formats())
	cmd.Flags().Var(&f.outs, "out", "write a report to FILE, folder/, or \"-\" (stdout)")
	setCompletion(cmd, "out", func(_ *cobra.Command, _ []string, typed string) (list []cobra.Completion, how cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		for _, o := range f.formats() {
			list = append(list, cobra.CompletionWithDesc(o.name+"=", o.doc))
		}
		return list, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "format \"text\": write only a line for each finding")
	cmd.Flags().BoolVar(&f.summary, "summary", false, "format \"text\": count findings by rule, file and object")
	f.color.flag(cmd)
	f.names.flags(cmd)
}

// An outsFlag is the flag --out.
type outsFlag []reportOut

// A reportOut has the format of a report, and the file or folder to write.
type reportOut struct {
	format report.Format
	output
}

func (f *outsFlag) String() string { return "" }
func (f *outsFlag) Type() string   { return "FORMAT=FILE" }

func (f *outsFlag) Set(text string) error {
	name, path, ok := strings.Cut(text, "=")
	format, err := suggest.Named("format", name, outFormats(), func(f report.Format) string { return f.Name })
	switch {
	case err != nil:
		return err
	case (!ok || path == "") && format.Name == htmlOption.name:
		return errors.New("html has no folder: write html=FOLDER")
	case !ok || path == "":
		return fmt.Errorf("%s has no file: write %s=FILE, or %s=- for standard output", name, name, name)
	}
	for _, o := range *f {
		if o.path == path {
			return fmt.Errorf("%s is the output for %s too; each report needs a file of its own", path, o.format.Name)
		}
	}
	*f = append(*f, reportOut{format, output{path, true}})
	return nil
}

// list returns the reports that the flags request, or an error if the command cannot write one of them.
func (f *reportFlags) list(cmd *cobra.Command) ([]reportOut, error) {
	if f.quiet && f.summary {
		return nil, errors.New("--quiet and --summary exclude each other")
	}
	list := []reportOut(f.outs)
	for _, flag := range []string{"format", "output"} {
		if len(list) > 0 && cmd.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s cannot be combined with --out; use --format and -o for one report, or repeat --out FORMAT=FILE for several reports", flag)
		}
	}
	if len(list) == 0 {
		list = []reportOut{{outFormats()[f.format.chosen()], f.output}}
	}
	for i := range list {
		switch o := &list[i]; {
		case !o.pages():
		case !f.blocks:
			return nil, errors.New("html requires the bytes of the blocks; use perfblock lint")
		case o.path == outfile.Stdout:
			return nil, errors.New("html is a folder: write --out html=FOLDER")
		case !os.IsPathSeparator(o.path[len(o.path)-1]):
			o.path += string(filepath.Separator)
		}
	}
	return list, nil
}

// file returns the path of the report. For a folder of pages, it returns the path of the index page.
func (o *reportOut) file() string {
	if o.pages() {
		return o.output.file(page.IndexName)
	}
	return o.output.file("findings" + o.format.Ext)
}

// files returns the paths of several reports.
func files(list []reportOut) []string {
	var paths []string
	for _, o := range list {
		paths = append(paths, o.file())
	}
	return paths
}

// A reportWriter writes several reports about the same files.
type reportWriter struct {
	paths   []string
	files   *outfile.Batch
	writers []*report.Writer
	folders []*pageFolder
}

// begin starts the reports. The caller must call [reportWriter.discard] at the end.
func (f *reportFlags) begin(list []reportOut, handled ...os.Signal) (*reportWriter, error) {
	names, err := f.names.lookup()
	if err != nil {
		return nil, err
	}
	var folders, paths []string
	for _, o := range list {
		folders = append(folders, o.folders()...)
		if !o.pages() {
			paths = append(paths, o.file())
		}
	}
	batch, err := outfile.Begin(folders, paths, handled...)
	if err != nil {
		return nil, writeError(append(folders, paths...), err)
	}
	w := &reportWriter{paths: paths, files: batch}
	folder, _ := os.Getwd() // if it is "", reports keep all absolute paths
	for _, o := range list {
		if o.pages() {
			w.folders = append(w.folders, &pageFolder{to: o.output, batch: batch, index: page.Index{Version: moduleVersion()}, names: names})
			continue
		}
		to := f.color.writer(batch.Writer(len(w.writers)), o.path)
		w.writers = append(w.writers, o.format.NewWriter(to, report.Options{
			Color: f.color.enabled(o.path), Version: moduleVersion(), Folder: folder, Quiet: f.quiet, Summary: f.summary, Names: names,
		}))
	}
	return w, nil
}

func (w *reportWriter) file(f report.File) error {
	for _, to := range w.folders {
		if err := to.file(f); err != nil {
			return err
		}
	}
	f = f.Shared()
	return w.each(func(to *report.Writer) error { return to.File(f) })
}

func (w *reportWriter) unchecked(u report.Unchecked) error {
	for _, to := range w.folders {
		to.index.Unchecked(u)
	}
	return w.each(func(to *report.Writer) error { return to.Unchecked(u) })
}

func (w *reportWriter) skipped(path string) error {
	for _, to := range w.folders {
		to.index.Skipped()
	}
	return w.each(func(to *report.Writer) error { return to.Skipped(path) })
}

func (w *reportWriter) close(e report.End) error {
	if err := w.each(func(to *report.Writer) error { return to.Close(e) }); err != nil {
		return err
	}
	for _, to := range w.folders {
		if err := to.close(e); err != nil {
			return err
		}
	}
	return writeError(w.paths, w.files.Commit())
}

func (w *reportWriter) each(do func(*report.Writer) error) error {
	for _, to := range w.writers {
		if err := do(to); err != nil {
			return writeError(w.paths, err)
		}
	}
	return nil
}

// discard removes the unfinished files.
func (w *reportWriter) discard() { w.files.Discard() }

// htmlOption is the format html of lint and probe. The pages show the bytes of the blocks. The command merge does not
// have these bytes, so it has no format html.
var htmlOption = option{"html", "a folder with " + page.IndexName + " and a page for each file with findings"}

// outFormats returns the formats of package report, and html.
func outFormats() []report.Format {
	return append(report.Formats(), report.Format{Name: htmlOption.name})
}

// pages reports whether the report is a folder of pages.
func (o reportOut) pages() bool { return o.format.Name == htmlOption.name }

// A pageFolder writes a page for each file with findings, and an index of all files, into a folder.
type pageFolder struct {
	to    output
	batch *outfile.Batch // the pages appear in the folder when the caller commits the batch
	index page.Index     // has no links to pages of an earlier run, which remain in the folder
	names func(index uint32) (name string, builtIn bool)
}

func (p *pageFolder) file(f report.File) error {
	if f.Result.Counts.AtLeast(validate.Info) == 0 { // thousands of pages without findings would take a minute and gigabytes
		p.index.AddOnly(f)
		return nil
	}
	return p.add(p.index.Add(f), func(w io.Writer) error {
		return page.Write(w, f, page.Options{Index: page.IndexName, Version: moduleVersion(), Names: p.names})
	})
}

func (p *pageFolder) close(e report.End) error {
	for name, write := range p.index.Pages(e) {
		if err := p.add(name, write); err != nil {
			return err
		}
	}
	return nil
}

func (p *pageFolder) add(name string, write func(io.Writer) error) error {
	path := p.to.file(name)
	return writeError([]string{path}, p.batch.Add(outfile.File{Path: path, Fill: write}))
}
