// Package report writes the findings of package validate as text for people, as JSON, as SARIF 2.1.0,
// and in the formats of CI systems.
//
//	w := report.Formats()[0].NewWriter(os.Stdout, report.Options{})
//	result := validate.Bytes(layout.DataBlockKind, block, validate.Context{})
//	err := w.File(report.File{Path: "cpu.bin", Kind: layout.DataBlockKind, Block: block, Result: result})
//	...
//	err = w.Close(report.End{})
//
// The same files always give the same output. Control characters and invisible characters
// in a block or a file name are written as escapes.
package report

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/lines"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A File is a block or a text with its findings.
type File struct {
	Path   string // as reports show it; - is standard input
	Input  string // encoding of the file, hex or base64; "" if the file has the bytes of the block
	Kind   layout.Kind
	Block  []byte
	Result validate.Result

	// Form is the format of a text that defines counters, such as manifest. Form is "" for a block. For a text, Block
	// has the text, Kind has no meaning, and the findings have lines and columns.
	Form string

	// Places has the structural paths of the findings if the file is a text: Places[i] belongs to Result.Findings[i].
	// If Places is nil, reports compute these paths. A computed path has positions instead of names, such as
	// counterSet[#0] instead of counterSet["Queues"].
	Places []string

	// Lines returns the lines of a text. If Lines is nil, Block must be UTF-8 or UTF-16.
	Lines func() []string

	// Comparison returns the data that [Records.Compare] needs to compare this text with the texts of other runs. The
	// commands lint and merge set Comparison. If Comparison is nil, the text is not compared.
	Comparison func() *comparison.Text

	// Order is the number of blocks before this block in the same archive or file. [Records] keep this order.
	Order int

	// Detected is true if perfblock inferred the kind from the records in the block. It is false if the kind comes from
	// the caller, the PERF signature or the file name.
	Detected bool

	// Suppressed is the number of findings that a list of suppressions removed from Result.
	Suppressed int

	// Profile is the profile of the validation. A SARIF log lists the severity of each rule under this profile. If
	// the profiles of the files differ, the log lists the severities under Strict.
	Profile validate.Profile

	// FailOn is the lowest severity of a finding that fails the block. Off means that no
	// finding fails the block, and the zero value means Error. In JUnit, only findings that
	// fail the block are failures.
	FailOn validate.Severity

	record  *jsonlFile // the record of the file, if its bytes are not known
	missing int        // number of findings that a run listed, but that [Records] do not have
	shared  *shared
	names   func(index uint32) (name string, builtIn bool)
}

// shared has the values that several writers need. A slice is nil until a writer computes its values.
type shared struct{ places, fingerprints []string }

// Shared returns a copy of f for several writers. Only the first writer computes the structural paths and the
// fingerprints of the findings. The writers must not run concurrently, and the findings must not be changed.
func (f File) Shared() File {
	f.shared = new(shared)
	return f
}

// structuralPaths returns the structural path of each finding.
func (f *File) structuralPaths() []string {
	switch {
	case f.shared.places != nil:
	case f.Places != nil && (f.Form != "" || f.record != nil):
		f.shared.places = f.Places
	case f.Form == "":
		f.shared.places = identity.Of(f.Kind, f.Block, f.Result.Findings)
	default:
		f.shared.places = identity.OfText(f.SourceLines, f.Result.Findings, func(layout.Path) string { return "" })
	}
	return f.shared.places
}

// SourceLines returns the lines of a text. Reports show the line of each finding.
func (f *File) SourceLines() []string {
	if f.Lines != nil {
		return f.Lines()
	}
	return lines.Of(f.Block)
}

// kind returns the kind of the block, or the format of the text.
func (f *File) kind() string {
	if f.Form != "" {
		return f.Form
	}
	return f.Kind.String()
}

// titles returns the titles of the object and of the counter of finding i.
func (f *File) titles(i int) (object, counter identity.Title) {
	if f.names == nil || f.Form != "" || !f.Kind.V1() {
		return object, counter
	}
	return identity.Titles(f.Kind, f.structuralPaths()[i], f.names)
}

// digest returns the SHA-256 of the block.
func (f *File) digest() string {
	if f.record != nil {
		return f.record.Digest
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(f.Block))
}

// size returns the number of bytes of the block.
func (f *File) size() int {
	if f.record != nil {
		return f.record.Bytes
	}
	return len(f.Block)
}

// Failed reports whether a finding fails the block.
func (f *File) Failed() bool { return f.Result.Counts.AtLeast(f.threshold()) > 0 }

func (f *File) threshold() validate.Severity {
	if f.FailOn == validate.AsRule {
		return validate.Error
	}
	return f.FailOn
}

// A Format is a way to write findings.
type Format struct {
	Name string
	Ext  string // file name extension, with its dot
	Doc  string // description for help, without a full stop

	start func(w *bufio.Writer, o Options) reporter
}

// A reporter writes a report in one format. Its methods return the first error of the underlying writer. File
// names, and texts from files and findings, must go through package terminal.
type reporter interface {
	// file writes the findings of a file. Some formats can show the detected kinds and the number of suppressed findings
	// only for all files together. These formats pass f to a [noter]. If f is from [Records], f.Block is nil: use
	// f.digest, f.size and f.structuralPaths.
	file(f *File) error
	// unchecked writes that a file was not validated, and writes each of u.reasons at its position.
	unchecked(u *Unchecked) error
	// skipped may count the file, or ignore it.
	skipped(path string) error
	// finish writes what remains, such as the notes of a noter. If e.Interrupted is true, the report must say that the
	// run was interrupted.
	finish(e End) error
}

// Formats returns all formats. The first is the default.
func Formats() []Format {
	return []Format{
		{Name: "text", Ext: ".txt", Doc: "each finding with its bytes and the fix, for reading", start: newText},
		{Name: "json", Ext: ".json", Doc: "the findings of each file, for tools", start: newJSON},
		{Name: "jsonl", Ext: ".jsonl", Doc: "a line for each file and a line for each finding, as input of perfblock merge", start: newJSONL},
		{Name: "sarif", Ext: ".sarif", Doc: "SARIF 2.1.0, for code scanning and editors", start: newSARIF},
		{Name: "junit", Ext: ".xml", Doc: "test cases in XML, as Jenkins and GitLab read them", start: newJUnit},
		{Name: "github", Ext: ".txt", Doc: "annotations of GitHub Actions, 10 of each level", start: newGitHub},
		{Name: "gitlab", Ext: ".json", Doc: "issues for GitLab Code Quality", start: newGitLab},
	}
}

// FormatNamed returns the format with the given name. The error for an unknown name lists all names.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}

// Options has the settings of a report. The zero value is the default.
type Options struct {
	// Names returns the name for a title index, or "" if the name is unknown. builtIn is true if the name is built in,
	// and false if it is from a title database. A report shows the names of objects and counters with its findings. If
	// Names is nil, the report shows no names.
	Names func(index uint32) (name string, builtIn bool)

	Color   bool   // write terminal escape sequences for colours, only in text
	Version string // version of perfblock, for SARIF
	Folder  string // absolute path of the working folder; SARIF and GitLab have relative paths for files below it

	// Quiet makes the text format write one line for each finding, without bytes, fixes and totals. If the kind of
	// the block was detected, the line has the kind.
	Quiet bool

	// Summary makes the text format write the numbers of findings by rule, by file and by
	// object instead of the findings.
	Summary bool
}

// An End has facts about the whole run. The zero value is a complete run.
type End struct {
	// ExitCode is the exit status of the command that writes the report. It is nil if no command writes the report.
	// Only SARIF logs have the exit status.
	ExitCode *int

	Interrupted bool // the run stopped before the last file
}

// A Writer writes a report, one file at a time. It does not keep the bytes of files, so that a report on many
// files needs little memory. A Writer must not be used by several goroutines at once.
type Writer struct {
	buffered *bufio.Writer
	to       reporter
	names    func(index uint32) (name string, builtIn bool)
}

// NewWriter returns a Writer that writes to w. The report is complete after [Writer.Close].
func (f Format) NewWriter(w io.Writer, o Options) *Writer {
	buffered := bufio.NewWriterSize(w, 1<<16)
	return &Writer{buffered, f.start(buffered, o), o.Names}
}

// File adds a block with its findings. The order of the calls is the order in the report. File returns the first
// error of the underlying writer. File also returns an error for a finding without a rule, and for a file that was
// not validated: if f.Result.Unchecked is not nil, the caller must call [Writer.Unchecked] instead.
func (w *Writer) File(f File) error {
	if err := f.Result.Unchecked; err != nil {
		return fmt.Errorf("%s: not validated: %w", f.name(), err)
	}
	if i := slices.IndexFunc(f.Result.Findings, func(found validate.Finding) bool { return found.Rule == nil }); i >= 0 {
		return fmt.Errorf("%s: finding %d has no rule: set its Rule, such as one of validate.Rules", f.name(), i)
	}
	f.names = w.names
	if f.shared == nil {
		f.shared = new(shared)
	}
	return w.to.file(&f)
}

// Unchecked adds a file that was not validated. Without this call, a reader of the report would think that the file
// has no findings. The text format ignores the call, because the command prints the error.
func (w *Writer) Unchecked(u Unchecked) error { return w.to.unchecked(&u) }

// Skipped adds a file that is not a block, such as a picture in a folder of captures. Most formats only show the
// number of skipped files.
func (w *Writer) Skipped(path string) error { return w.to.skipped(path) }

// Close writes the end of the report. It does not close the underlying writer.
func (w *Writer) Close(e End) error {
	if err := w.to.finish(e); err != nil {
		return err
	}
	return w.buffered.Flush()
}

// name returns the path of the file, or "standard input".
func (f *File) name() string {
	if f.Path == stdin {
		return "standard input"
	}
	return f.Path
}

const stdin = "-"

// place returns the offset and the length of a finding. It changes a negative number to 0, because SARIF does not
// allow negative numbers.
func place(f *validate.Finding) (off int64, length int) { return max(f.Off, 0), max(f.Len, 0) }

// textPlace returns the line and the column of a finding in a text, or 1 and 1 if the finding has no position.
func textPlace(f *validate.Finding) (line, column int) { return max(f.Line, 1), max(f.Column, 1) }

// position returns the offset of a finding in a block, or its line and column in a text.
func (f *File) position(found *validate.Finding) string {
	if f.Form != "" {
		line, column := textPlace(found)
		return fmt.Sprintf("%d:%d", line, column)
	}
	off, _ := place(found)
	return fmt.Sprintf("0x%04x", off)
}

// spot returns the position and the path of finding i, with the names of its object and its counter.
func (f *File) spot(i int) string {
	found := &f.Result.Findings[i]
	text := f.position(found)
	if path := found.Path.String(); path != "" {
		text += " " + path
	}
	if titles := identity.TitleText(f.titles(i)); titles != "" {
		text += " " + titles
	}
	return text
}

// detected returns a text with the kind of the block. If the kind was not detected, the text is "".
func (f *File) detected() string {
	if !f.Detected {
		return ""
	}
	return " (detected as " + f.kind() + ")"
}

// severityCounts returns a text such as "1 error, 2 warnings", with each severity that has findings.
func severityCounts(c validate.Counts) string {
	var list []string
	for _, s := range slices.Backward(validate.Severities()) {
		if n := c.Of(s); n > 0 {
			list = append(list, quote.Count(n, s.String()))
		}
	}
	return strings.Join(list, ", ")
}

// sum adds the numbers of findings of each severity.
func sum(a, b validate.Counts) validate.Counts {
	return validate.Counts{Error: a.Error + b.Error, Warning: a.Warning + b.Warning, Info: a.Info + b.Info}
}

// unlisted returns a text with the number of findings that are counted but not listed, or that are missing because
// [Records] are incomplete.
func (f *File) unlisted() string {
	n, are, why := f.Result.Counts.AtLeast(validate.Info)-len(f.Result.Findings), "are", "not listed"
	if f.missing > 0 {
		n, why = f.missing, "missing: the merged reports are incomplete"
	}
	if n == 1 {
		are = "is"
	}
	return fmt.Sprintf("%d of them %s %s", n, are, why)
}
