package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A File is a block that was judged.
type File struct {
	Path   string // as the user names it; - is standard input
	Input  string // how the file gives the block where not byte by byte: hex, base64
	Kind   layout.Kind
	Block  []byte
	Result validate.Result
}

// A Format is a way to write findings.
type Format struct {
	Name string
	Doc  string // half a sentence

	write func(w *bufio.Writer, files []File, o Options) error
}

// Formats lists every format. The first is the one to use unless asked otherwise.
func Formats() []Format {
	return []Format{
		{Name: "text", Doc: "each finding with its bytes and what to do, for reading", write: writeText},
		{Name: "json", Doc: "the findings of each file, for tools", write: writeJSON},
		{Name: "sarif", Doc: "SARIF 2.1.0, for code scanning and editors", write: writeSARIF},
	}
}

// FormatNamed returns the format of that name. The error lists those there are.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}

// Options is what a caller may choose; the zero value is the default.
type Options struct {
	Color   bool             // by the escape sequences of terminals; json and sarif have none
	Version string           // of perfblock, which sarif names
	Profile validate.Profile // under which the files were judged: it says what each rule's severity is

	// Unjudged are the files that were to be judged and were not. JSON and sarif name
	// them, as no report at all of a file looks like one without findings; text is for
	// people, who are told as it happens.
	Unjudged []Unjudged

	// ExitCode is what the command that writes the report is about to end with, which
	// sarif names; nil if there is none.
	ExitCode *int
}

// An Unjudged is a file that could not be read, or whose Result is Unjudged.
type Unjudged struct {
	Path string // as in [File]
	Err  error  // why; a report shows nothing of it but its text
}

// Write writes the findings of the files, in their order. The error is one of w, or
// says that the Result of a File is Unjudged: such a file belongs in the [Options], and
// nothing is written.
func (f Format) Write(w io.Writer, files []File, o Options) error {
	for i := range files {
		if err := files[i].Result.Unjudged; err != nil {
			return fmt.Errorf("%s: not judged: %w", files[i].name(), err)
		}
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	if err := f.write(buffered, files, o); err != nil {
		return err
	}
	return buffered.Flush()
}

// message says why the file was not judged.
func (u *Unjudged) message() string {
	if u.Err != nil {
		if text := printable(u.Err.Error()); text != "" {
			return text
		}
	}
	return "not judged" // a reader wants a text
}

// name is what texts call the file.
func (f *File) name() string {
	if f.Path == stdin {
		return "standard input"
	}
	return f.Path
}

const stdin = "-"
