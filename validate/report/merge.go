package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// Len returns the number of different paths in the records. It does not count skipped files.
func (r *Records) Len() int {
	paths := make(map[string]bool)
	for key := range r.files {
		paths[key.path] = true
	}
	for key := range r.unjudged {
		paths[key.path] = true
	}
	return len(paths)
}

// An entry is a file in the report. For a file that no run validated, digest is "" and file is nil.
type entry struct {
	recordKey
	order    int // the number of blocks before the file in its archive
	file     *merged
	unjudged *jsonlUnjudged
}

// sorted returns the files in the order in which Write adds them to a report.
func (r *Records) sorted() []entry {
	var list []entry
	last := make(map[string]int) // for each path of a validated file: the largest order
	for key, m := range r.files {
		list = append(list, entry{recordKey: key, order: m.order, file: m})
		last[key.path] = max(last[key.path], m.order)
	}
	for key, u := range r.unjudged {
		// The record u says that a run did not validate the file. If another run validated the file, ignore u.
		//
		// An archive can have two members with the same path. An order is the number of blocks before a member. If
		// key.order is larger than the order of the validated member, u belongs to a later member. Otherwise u belongs
		// to the validated member. key.order can be smaller, because one run can find fewer blocks before the same
		// member than another run.
		if order, validated := last[key.path]; !validated || order < key.order {
			list = append(list, entry{recordKey: recordKey{path: key.path}, order: key.order, unjudged: u})
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(comparePaths(archiveOf(a.path), archiveOf(b.path)), cmp.Compare(a.order, b.order), comparePaths(a.path, b.path), cmp.Compare(a.digest, b.digest))
	})
	return list
}

// archiveOf returns the path of the archive on disk, such as a.zip for a.zip!/b. For a file that is not in an
// archive, it returns the path of the file.
func archiveOf(path string) string {
	marks := 0 // exclamation marks directly before byte i
	for i := range len(path) {
		switch {
		case path[i] == '!':
			marks++
		case path[i] == '/' && marks%2 == 1: // if the number is even, the marks belong to the name of a folder
			return path[:i-1]
		default:
			marks = 0
		}
	}
	return path
}

// comparePaths compares two paths folder by folder: a/b is before a.bin, as in a walk of their folder.
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

// Write adds the files to a report, sorted by path as in a walk of their folder. failed reports whether a finding
// fails its file. unchecked is the number of files that no run validated. If several members of an archive have
// the same path, lint validates only the first member, and unchecked counts the other members. Write returns an
// error of w, or an error for a finding without a record of its file.
func (r *Records) Write(w *Writer) (failed bool, unchecked int, err error) {
	known := make(map[string]bool)
	for _, e := range r.sorted() {
		known[e.path] = true
		if e.file == nil {
			unchecked++
			err = w.Unchecked(Unchecked{Path: e.path, Order: e.order, Err: errors.New(e.unjudged.Message), record: e.unjudged})
		} else {
			var f File
			if f, err = e.file.file(e.recordKey); err == nil {
				failed = failed || f.Failed()
				err = w.File(f)
			}
		}
		if err != nil {
			return false, 0, err
		}
	}
	for _, path := range slices.SortedFunc(maps.Keys(r.skipped), comparePaths) {
		if known[path] {
			continue
		}
		if err := w.Skipped(path); err != nil {
			return false, 0, err
		}
	}
	return failed, unchecked, nil
}

// compareRecords compares two different records of the same file, such as those of two versions of perfblock. A
// record without a Comparison is less than a record with a Comparison.
func compareRecords(a, b *jsonlFile) int {
	if has := b.Comparison != nil; has != (a.Comparison != nil) {
		if has {
			return -1
		}
		return 1
	}
	return bytes.Compare(terminal.JSON(a, ""), terminal.JSON(b, ""))
}

// file returns the file with the findings in its records. Some findings can be missing if a run was stopped.
func (m *merged) file(key recordKey) (File, error) {
	if m.record == nil {
		return File{}, fmt.Errorf("%s: there are findings, but no record of the file; lint writes this record before the findings", key.path)
	}
	f, err := m.record.file()
	if err != nil {
		return File{}, err
	}
	var list []placedFinding
	for found := range m.findings {
		if !m.record.Comparison.Has(found.Rule.ID) {
			list = append(list, found)
		}
	}
	f.Order = m.order
	missing := f.Result.Counts.AtLeast(validate.Info) - len(list)
	if !f.Result.Truncated {
		f.missing = max(missing, 0)
	}
	f.Result.Truncated = missing > 0
	if m.record.Comparison != nil {
		more := &m.compared.Result
		for i, found := range more.Findings {
			list = append(list, placedFinding{found, m.compared.Places[i]})
		}
		f.Result.Counts, f.Result.Truncated = sum(f.Result.Counts, more.Counts), f.Result.Truncated || more.Truncated
		f.Suppressed += m.compared.Suppressed
	}
	slices.SortFunc(list, placedFinding.compare)
	for _, found := range list {
		f.Result.Findings = append(f.Result.Findings, found.Finding)
		f.Places = append(f.Places, found.place)
	}
	return f, nil
}

// A placedFinding is a finding and its structural path.
type placedFinding struct {
	validate.Finding
	place string
}

// compare orders findings as package validate does. Findings that are equal in this order are ordered by their other
// fields.
func (f placedFinding) compare(g placedFinding) int {
	if n := f.Compare(&g.Finding); n != 0 {
		return n
	}
	// The order of the records must not change the report.
	return cmp.Or(cmp.Compare(f.Severity, g.Severity), cmp.Compare(f.Reason, g.Reason), cmp.Compare(f.place, g.place))
}

// Compare calls the function compare for each text in the records, in the order of [Records.Write]. The function
// compares the text with the texts of earlier calls, and returns the findings of this comparison. These findings
// replace the findings that lint has written for the same rules. Compare returns the first error.
//
// The argument of the function is a File without findings. Its field Block is the text, and its field Comparison
// returns the rules and other settings for the comparison. The function returns a File with the findings in the fields
// Result, Places and Suppressed. Places must have a path for each finding. If a record does not contain its text, Block
// and Comparison are nil. Compare then ignores the File that the function returns, but not the error.
func (r *Records) Compare(compare func(File) (File, error)) error {
	for _, e := range r.sorted() {
		m := e.file
		if m == nil || m.record == nil || !m.record.Text {
			continue
		}
		f, err := m.record.file()
		if err != nil {
			return err
		}
		c := m.record.Comparison
		if c != nil {
			if f.Block, err = c.Contents.Unpack(); err == nil && fmt.Sprintf("sha256:%x", sha256.Sum256(f.Block)) != e.digest {
				err = errors.New("the digest of the text differs from the digest in the record")
			}
		}
		if err == nil {
			f, err = compare(f)
		}
		if err != nil {
			return fmt.Errorf("%s: cannot be compared: %w; the record was changed, or another version of perfblock wrote it", e.path, err)
		}
		if c == nil {
			continue
		}
		if len(f.Places) != len(f.Result.Findings) {
			return fmt.Errorf("%s: compare returned %s for %s, must return a place for each finding", e.path, quote.Count(len(f.Places), "place"), quote.Count(len(f.Result.Findings), "finding"))
		}
		m.compared = File{Result: f.Result, Places: f.Places, Suppressed: f.Suppressed}
	}
	return nil
}
