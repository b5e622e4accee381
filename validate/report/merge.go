package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// maxRecord is the largest length of a line in bytes. A record has one message and a few names.
const maxRecord = 1 << 20

// Records are the records of reports in the format jsonl. The same records give the same report,
// whatever their order, the number of their copies and the texts from which they are read. The zero
// value has no records.
type Records struct {
	files    map[recordKey]*merged
	messages map[string]*jsonlUnjudged // of files that were not validated, by path
	skipped  map[string]bool           // paths
}

// A recordKey identifies a file. A file that changed between two runs is two files.
type recordKey struct{ path, digest string }

// The type merged is a file of the records. It has each finding once.
type merged struct {
	record   *jsonlFile
	findings map[jsonlFinding]validate.Finding
	compared File // the findings, places and suppressed findings of the comparison
}

// Read adds the records of a text. It returns an error, with the line, for a line that is not a record
// of this version, and for a line of more than 1 MiB. Read adds the records before this line.
func (r *Records) Read(text io.Reader) error {
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxRecord)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := r.add(lines.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: is longer than %d bytes, so it is not a record", n+1, maxRecord)
	} else if err != nil {
		return err
	}
	return nil
}

func (r *Records) add(line []byte) error {
	var head jsonlRecord
	if err := json.Unmarshal(line, &head); err != nil {
		return fmt.Errorf("is not a record of lint --format jsonl: %w", err)
	}
	if head.Schema != jsonSchema {
		return fmt.Errorf("schema is %d, must be %d; use the version of perfblock that wrote it", head.Schema, jsonSchema)
	}
	switch head.Record {
	case "file":
		var f jsonlFile
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		if _, err := f.file(); err != nil {
			return err
		}
		if f.Comparison != nil { // each run has other files to compare with
			f.Totals = f.Comparison.Totals
		}
		if m := r.of(head); m.record == nil || compareRecords(m.record, &f) < 0 {
			m.record = &f
		}
	case "finding":
		var f jsonlFinding
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		found, err := f.Finding.finding()
		if err != nil {
			return err
		}
		f.Finding.Object, f.Finding.Counter = identity.Title{}, identity.Title{} // copies count once, whatever names they have
		r.of(head).findings[f] = found
	case "unjudged":
		var u jsonlUnjudged
		if err := json.Unmarshal(line, &u); err != nil {
			return err
		}
		if r.messages == nil {
			r.messages = make(map[string]*jsonlUnjudged)
		}
		// Two runs can fail for different reasons. The larger record is the same for any order of records.
		if old := r.messages[u.Path]; old == nil || bytes.Compare(terminal.JSON(old, ""), terminal.JSON(u, "")) < 0 {
			r.messages[u.Path] = &u
		}
	case "skipped":
		if r.skipped == nil {
			r.skipped = make(map[string]bool)
		}
		r.skipped[head.Path] = true
	default:
		return fmt.Errorf("record is %q, must be file, finding, unjudged or skipped", head.Record)
	}
	return nil
}

func (r *Records) of(head jsonlRecord) *merged {
	if r.files == nil {
		r.files = make(map[recordKey]*merged)
	}
	key := recordKey{head.Path, head.Digest}
	if r.files[key] == nil {
		r.files[key] = &merged{findings: make(map[jsonlFinding]validate.Finding)}
	}
	return r.files[key]
}

// Len returns the number of paths of files that were validated or could not be validated. It does not
// count skipped files. A path counts once, even if its file has changed between two runs.
func (r *Records) Len() int {
	paths := make(map[string]bool)
	for key := range r.files {
		paths[key.path] = true
	}
	for path := range r.messages {
		paths[path] = true
	}
	return len(paths)
}

// Write adds the files to a report, ordered by path as in a walk of their folder. A file counts as validated if at least one run
// validated it. failed reports whether a finding fails its file. unchecked is the number of files that
// no run validated. Write returns an error of the Writer, and an error for a finding without the record
// of its file.
func (r *Records) Write(w *Writer) (failed bool, unchecked int, err error) {
	validated := make(map[string]bool)
	for _, key := range r.sorted() {
		validated[key.path] = true
		m := r.files[key]
		if m == nil {
			unchecked++
			u := r.messages[key.path]
			err = w.Unchecked(Unchecked{Path: key.path, Order: u.Order, Err: u.err()})
		} else {
			var f File
			if f, err = m.file(key); err == nil {
				failed = failed || f.Failed()
				err = w.File(f)
			}
		}
		if err != nil {
			return false, 0, err
		}
	}
	others := make([]string, 0, len(r.skipped))
	for path := range r.skipped {
		if !validated[path] {
			others = append(others, path)
		}
	}
	slices.SortFunc(others, comparePaths)
	for _, path := range others {
		if err := w.Skipped(path); err != nil {
			return false, 0, err
		}
	}
	return failed, unchecked, nil
}

// sorted returns the keys of the files in the order of Write. The key of a file that no run validated has no digest.
func (r *Records) sorted() []recordKey {
	keys := slices.Collect(maps.Keys(r.files))
	validated := make(map[string]bool)
	for key := range r.files {
		validated[key.path] = true
	}
	for path := range r.messages {
		if !validated[path] {
			keys = append(keys, recordKey{path: path})
		}
	}
	slices.SortFunc(keys, func(a, b recordKey) int {
		x, y := archiveOf(a.path), archiveOf(b.path)
		return cmp.Or(comparePaths(x, y), cmp.Compare(r.order(a), r.order(b)), comparePaths(a.path, b.path), cmp.Compare(a.digest, b.digest))
	})
	return keys
}

// order returns the number of blocks before a file in its archive.
func (r *Records) order(key recordKey) int {
	switch m := r.files[key]; {
	case m == nil:
		return r.messages[key.path].Order
	case m.record == nil:
		return 0
	default:
		return m.record.Order
	}
}

// archiveOf returns the path of the file on disk: the part of the path before the first !/ with an odd number of
// exclamation marks.
func archiveOf(path string) string {
	for i := 0; i < len(path); i++ {
		if path[i] != '!' {
			continue
		}
		marks := i
		for i+1 < len(path) && path[i+1] == '!' {
			i++
		}
		if marks = i + 1 - marks; marks%2 == 1 && strings.HasPrefix(path[i+1:], "/") {
			return path[:i]
		}
	}
	return path
}

// compareRecords gives two different records of one file an order. The settings of runs can differ, and the record of an
// older version has no Comparison.
func compareRecords(a, b *jsonlFile) int {
	if has := b.Comparison != nil; has != (a.Comparison != nil) {
		if has {
			return -1
		}
		return 1
	}
	return bytes.Compare(terminal.JSON(a, ""), terminal.JSON(b, ""))
}

// comparePaths compares the parts of two paths one by one: a/b is before a.bin, as in a walk of their folder.
func comparePaths(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x != y {
			switch {
			case x == '/':
				return -1
			case y == '/':
				return 1
			}
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

// file returns the file of the records. If a run was stopped, there may be fewer findings than the
// record of the file counts.
func (m *merged) file(key recordKey) (File, error) {
	if m.record == nil {
		return File{}, fmt.Errorf("%s: there are findings, but no record of the file; lint writes this record before the findings", key.path)
	}
	f, err := m.record.file()
	if err != nil {
		return File{}, err
	}
	records := slices.SortedFunc(maps.Keys(m.findings), func(a, b jsonlFinding) int {
		x, y := &a.Finding, &b.Finding
		return cmp.Or(cmp.Compare(x.Offset.n, y.Offset.n), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Path, y.Path),
			cmp.Compare(x.Length.n, y.Length.n), cmp.Compare(x.Message, y.Message), cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Reason, y.Reason))
	})
	for _, j := range records {
		if !m.record.Comparison.has(j.Finding.Rule) {
			f.Result.Findings = append(f.Result.Findings, m.findings[j])
			f.places = append(f.places, j.StructuralPath)
		}
	}
	f.Result.Truncated = len(f.Result.Findings) < f.Result.Counts.AtLeast(validate.Info)
	if c := m.record.Comparison; c != nil {
		f.Comparison = func() *Comparison { return c }
		f.add(&m.compared)
	}
	return f, nil
}

// add adds the findings, places and suppressed findings of a comparison.
func (f *File) add(more *File) {
	places := make(map[validate.Finding]string)
	for i, found := range more.Result.Findings {
		places[found] = more.Places[i]
	}
	for i, found := range f.Result.Findings {
		places[found] = f.places[i]
	}
	f.Result.Add(more.Result)
	f.Suppressed += more.Suppressed
	f.places = f.places[:0]
	for _, found := range f.Result.Findings {
		f.places = append(f.places, places[found])
	}
}

// file returns the file of a record, without findings.
func (j *jsonlFile) file() (f File, err error) {
	f = File{Path: j.Path, Order: j.Order, Input: j.Input, Detected: j.Detected, Suppressed: j.Suppressed, record: j}
	f.Result.Counts = validate.Counts(j.Counts)
	f.Result.Truncated = j.Truncated
	if j.Text {
		f.Form = j.Kind
	} else if f.Kind, err = layout.ParseKind(j.Kind); err != nil {
		return f, err
	}
	if f.Profile, err = validate.ParseProfile(j.Profile); err != nil {
		return f, err
	}
	f.FailOn = validate.Off
	if j.FailOn != never {
		f.FailOn, err = validate.ParseSeverity(j.FailOn)
	}
	return f, err
}

// finding returns the finding of a record.
func (j *jsonFinding) finding() (f validate.Finding, err error) {
	f = validate.Finding{Reason: j.Reason, Off: j.Offset.n, Len: int(j.Length.n), Line: j.Line, Column: j.Column, Got: j.Message}
	if f.Rule, err = validate.FindRule(j.Rule); err != nil {
		return f, fmt.Errorf("%w; another version of perfblock wrote the record", err)
	}
	if f.Severity, err = validate.ParseSeverity(j.Severity); err != nil {
		return f, err
	}
	if j.Path != "" {
		f.Path, err = layout.ParsePath(j.Path)
	}
	return f, err
}
