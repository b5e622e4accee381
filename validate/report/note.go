package report

import "github.com/perfblock/perfblock/internal/quote"

// A noter counts what a report says about all files together. Formats without a place for a text about a
// file use it.
type noter struct{ suppressed int }

// A note is a text about all files of a report.
type note struct{ name, text string }

func (n *noter) add(f *File) { n.suppressed += f.Suppressed }

// notes returns the notes about the files so far.
func (n *noter) notes() (list []note) {
	if n.suppressed > 0 {
		list = append(list, note{"suppressed", suppressions(n.suppressed)})
	}
	return list
}

// suppressions returns a text with the number of suppressed findings.
func suppressions(n int) string { return quote.Count(n, "finding") + " suppressed" }
