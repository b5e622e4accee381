// Package report writes the findings of package validate as text for people, as JSON, or as SARIF
// 2.1.0.
//
//	result := validate.Bytes(layout.DataBlockKind, block, validate.Context{})
//	files := []report.File{{Path: "cpu.bin", Kind: layout.DataBlockKind, Block: block, Result: result}}
//	err := report.Formats()[0].Write(os.Stdout, files, report.Options{})
//
// The same files always give the same output. Control characters and invisible characters
// in a block or a file name are written as escapes.
package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A File is a block with its findings.
type File struct {
	Path   string // as the user wrote it; - is standard input
	Input  string // encoding of the file, hex or base64; "" if the file has the bytes of the block
	Kind   layout.Kind
	Block  []byte
	Result validate.Result
}

// A Format is a way to write findings.
type Format struct {
	Name string
	Doc  string // description for help, without a full stop

	write func(w *bufio.Writer, files []File, o Options) error
}

// Formats returns all formats. The first is the default.
func Formats() []Format {
	return []Format{
		{Name: "text", Doc: "each finding with its bytes and the fix, for reading", write: writeText},
		{Name: "json", Doc: "the findings of each file, for tools", write: writeJSON},
		{Name: "sarif", Doc: "SARIF 2.1.0, for code scanning and editors", write: writeSARIF},
	}
}

// FormatNamed returns the format with the given name. The error lists the names.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}

// Options has the settings of a report. The zero value is the default.
type Options struct {
	Color   bool             // write terminal escape sequences for colours, only in text
	Version string           // version of perfblock, for SARIF
	Profile validate.Profile // profile of the validation; SARIF has the severity of each rule under it

	// Unchecked are the files that could not be validated. JSON and SARIF list them, because a
	// file that is not listed seems to have no findings.
	Unchecked []Unchecked

	// ExitCode is the exit status of the command that writes the report, for SARIF. Nil means
	// no command.
	ExitCode *int
}

// An Unchecked is a file that could not be read or validated.
type Unchecked struct {
	Path string // as in [File]
	Err  error  // the reason; a report has its text
}

// Write writes the findings of the files, in the order of the files. It returns the first error of
// w. If the Unchecked field of a Result is not nil, Write writes nothing and returns an error: the
// caller must list the file in the Unchecked field of the [Options].
func (f Format) Write(w io.Writer, files []File, o Options) error {
	for i := range files {
		if err := files[i].Result.Unchecked; err != nil {
			return fmt.Errorf("%s: not validated: %w", files[i].name(), err)
		}
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	if err := f.write(buffered, files, o); err != nil {
		return err
	}
	return buffered.Flush()
}

// message returns the reason as one line. The line is not empty.
func (u *Unchecked) message() string {
	if u.Err != nil {
		if text := terminal.Printable(u.Err.Error()); text != "" {
			return text
		}
	}
	return "not validated"
}

// name returns the name of the file for text.
func (f *File) name() string {
	if f.Path == stdin {
		return "standard input"
	}
	return f.Path
}

const stdin = "-"

// place returns the offset and the length of a finding. A caller can make a finding with negative
// numbers, which SARIF does not allow. place replaces these with 0.
func place(f *validate.Finding) (off int64, length int) { return max(f.Off, 0), max(f.Len, 0) }

// severityCounts returns a text such as "2 warnings" for each severity that has findings, errors
// first.
func severityCounts(c validate.Counts) []string {
	var list []string
	for _, s := range slices.Backward(validate.Severities()) {
		if n := c.Of(s); n > 0 {
			list = append(list, quote.Count(n, s.String()))
		}
	}
	return list
}

// unlisted returns a text with the number of findings that were counted but not listed.
func unlisted(r validate.Result) string {
	n := r.Counts.AtLeast(validate.Info) - len(r.Findings)
	if n == 1 {
		return "1 of them is not listed"
	}
	return strconv.Itoa(n) + " of them are not listed"
}
