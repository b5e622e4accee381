package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// maxRecord is the largest length of a line in bytes, with its line end. The reason of an override can have up to
// 3 MiB in JSON.
const maxRecord = 4 << 20

// Records are the records of reports in the format jsonl. Duplicate records are ignored, and the order of the
// records does not change a report. The zero value has no records.
type Records struct {
	files    map[recordKey]*merged
	unjudged map[memberKey]*jsonlUnjudged
	skipped  map[string]bool // paths
}

// A recordKey identifies a validated file. If a file changes between two runs, it has two keys.
type recordKey struct{ path, digest string }

// A memberKey identifies a file that was not validated. Two members of an archive can have the same path; their order
// distinguishes them.
type memberKey struct {
	path  string
	order int // as in [File]
}

// merged has the records of one file. Each finding occurs once.
type merged struct {
	record   *jsonlFile // its Order is 0, so that this record does not depend on the order of the records
	order    int        // the largest Order of the records
	findings map[placedFinding]bool
	compared File // the findings, places and suppressed findings of the comparison
}

// Read adds the records of a text. If a line is not a record of this version, or has more than 4 MiB, Read returns
// an error with the line number. The records before this line are added.
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
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: is longer than %d bytes, so it is not a record", n+1, maxRecord)
	}
	return err
}

func (r *Records) add(line []byte) error {
	var head jsonlRecord
	if bytes.HasPrefix(line, []byte("\ufeff")) || bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
		return errors.New("begins with a byte order mark: a redirect (>) in Windows PowerShell converted the report and changed paths; write the report with -o")
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return fmt.Errorf("is not a record of lint --format jsonl: %w", err)
	}
	if head.Schema != jsonSchema {
		return fmt.Errorf("schema is %d, must be %d; use the version of perfblock that wrote it", head.Schema, jsonSchema)
	}
	if head.Path == "" {
		return errors.New("path is missing")
	}
	if head.Digest == "" && (head.Record == "file" || head.Record == "finding") {
		return fmt.Errorf("digest is missing: a record %s must have a digest", head.Record)
	}
	if r.files == nil {
		r.files, r.unjudged, r.skipped = make(map[recordKey]*merged), make(map[memberKey]*jsonlUnjudged), make(map[string]bool)
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
		if f.Comparison != nil { // totals without the findings that depend on other files of the run
			f.Totals = f.Comparison.Totals
		}
		m := r.of(head)
		m.order = max(m.order, f.Order)
		f.Order = 0
		if m.record == nil || compareRecords(m.record, &f) < 0 {
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
		// The map has one copy of a finding, even if the records have different names for its object or its counter.
		r.of(head).findings[placedFinding{found, f.StructuralPath}] = true
	case "unjudged":
		var u jsonlUnjudged
		if err := json.Unmarshal(line, &u); err != nil {
			return err
		}
		if err := natural("order", u.Order); err != nil {
			return err
		}
		key := memberKey{u.Path, u.Order}
		// Two runs can fail for different reasons. The larger record is kept, so that the order of the records has
		// no effect.
		if old := r.unjudged[key]; old == nil || bytes.Compare(terminal.JSON(old, ""), terminal.JSON(u, "")) < 0 {
			r.unjudged[key] = &u
		}
	case "skipped":
		r.skipped[head.Path] = true
	default:
		return fmt.Errorf("record is %q, must be file, finding, unjudged or skipped", head.Record)
	}
	return nil
}

func (r *Records) of(head jsonlRecord) *merged {
	key := recordKey{head.Path, head.Digest}
	if r.files[key] == nil {
		r.files[key] = &merged{findings: make(map[placedFinding]bool)}
	}
	return r.files[key]
}

// file returns the File that a record describes, without findings.
func (j *jsonlFile) file() (f File, err error) {
	f = File{Path: j.Path, Order: j.Order, Input: j.Input, Detected: j.Detected, Suppressed: j.Suppressed, record: j}
	f.Result.Counts, f.Result.Truncated = j.Counts, j.Truncated
	if err := cmp.Or(natural("bytes", j.Bytes), natural("order", j.Order), checkTotals(&j.Totals)); err != nil {
		return f, err
	}
	if c := j.Comparison; c != nil {
		if !j.Text {
			return f, errors.New("the record of a block has a comparison; only texts have one")
		}
		if _, err := c.Options(); err != nil {
			return f, fmt.Errorf("comparison: %w", err)
		}
		if err := checkTotals(&c.Totals); err != nil {
			return f, fmt.Errorf("comparison: %w", err)
		}
		f.Comparison = func() *comparison.Text { return c }
	}
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

// checkTotals returns an error for a negative number or a number that is too large.
func checkTotals(t *comparison.Totals) error {
	return cmp.Or(natural("error", t.Counts.Error), natural("warning", t.Counts.Warning), natural("info", t.Counts.Info), natural("suppressed", t.Suppressed))
}

// natural returns an error if n is negative, or so large that sums could overflow. member is the name of n in the
// error.
func natural[N int | int64](member string, n N) error {
	const most = 1 << 50
	if n < 0 || int64(n) > most {
		return fmt.Errorf("%s is %d, must be between 0 and %d", member, n, int64(most))
	}
	return nil
}

// finding returns the finding of a record.
func (j *jsonFinding) finding() (f validate.Finding, err error) {
	off, length := *cmp.Or(j.Offset, new(int64)), *cmp.Or(j.Length, new(int64))
	if err := cmp.Or(natural("offset", off), natural("length", length), natural("line", j.Line), natural("column", j.Column)); err != nil {
		return f, err
	}
	f = validate.Finding{Reason: j.Reason, Off: off, Len: int(length), Line: j.Line, Column: j.Column, Got: j.Message}
	if f.Rule, err = validate.FindRule(j.Rule); err != nil {
		return f, fmt.Errorf("%w; another version of perfblock wrote the record", err)
	}
	if f.Severity, err = validate.ParseSeverity(j.Severity); err == nil && f.Severity < validate.Info {
		err = fmt.Errorf("severity is %s, which no finding has", f.Severity)
	}
	if err != nil {
		return f, err
	}
	if j.Path != "" {
		f.Path, err = layout.ParsePath(j.Path)
	}
	return f, err
}
