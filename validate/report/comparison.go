package report

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/internal/comparison"
)

// comparison returns the comparison of the file, or nil if the file has none or its text is too long.
func (f *File) comparison() *comparison.Text {
	if f.Comparison == nil || len(f.Block) > comparison.MaxText {
		return nil
	}
	return f.Comparison()
}

// Compare calls compare for each text, in the order of [Records.Write]. compare gets the file with its text, and with its
// Comparison unless the record has none. It returns the findings of the rules of the comparison: the Result, the Places and
// Suppressed of the file that it returns. They replace those of the records.
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
				err = errors.New("the text does not have the digest of the record")
			}
			f.Comparison = func() *comparison.Text { return c }
		}
		if err == nil {
			f, err = compare(f)
		}
		if err != nil {
			return fmt.Errorf("%s: cannot be compared: %w; the record was changed, or another version of perfblock wrote it", e.path, err)
		}
		if c != nil {
			m.compared = File{Result: f.Result, Places: f.Places, Suppressed: f.Suppressed}
		}
	}
	return nil
}
