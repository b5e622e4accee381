package main

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
	"github.com/perfblock/perfblock/validate/report/page"
)

// htmlOption is the format html, which is a folder of pages. Only lint accepts it: pages show the bytes of
// blocks, and other commands do not read the blocks.
var htmlOption = option{"html", "a folder with " + page.IndexName + " and a page for each file with findings"}

// outFormat returns the format with the given name. The error lists the names, with html.
func outFormat(name string) (report.Format, error) {
	formats := append(report.Formats(), report.Format{Name: htmlOption.name})
	return suggest.Named("format", name, formats, func(f report.Format) string { return f.Name })
}

// pages reports whether the report is a folder of pages.
func (o *reportOut) pages() bool { return o.format.Name == htmlOption.name }

// folder makes the output a folder. The error says how to name the folder.
func (o *reportOut) folder() error {
	if o.path == outfile.Stdout {
		return errors.New("html is a folder: write --out html=FOLDER")
	}
	o.path += string(filepath.Separator)
	return nil
}

// A pageFolder writes a page for each file with findings, and the index of all files, into a folder. The files appear when the
// batch is committed. A pageFolder does not delete the pages of an earlier run, but the index does not
// link to them.
type pageFolder struct {
	to    output
	batch *outfile.Batch
	index page.Index
	names func(index uint32) (name string, builtIn bool)
}

func newPageFolder(to output, batch *outfile.Batch, names func(index uint32) (name string, builtIn bool)) *pageFolder {
	return &pageFolder{to: to, batch: batch, index: page.Index{Version: moduleVersion()}, names: names}
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

// close writes the index.
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
