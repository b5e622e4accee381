package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// A noter counts the suppressed findings, the detected kinds and the skipped files, for a format that can show them only
// for all files together.
type noter struct {
	suppressed int
	detected   map[string]int // number of blocks, by kind
	others     int            // files that were skipped
}

// A note is a text about all files of a report.
type note struct{ name, text string }

func (n *noter) add(f *File) {
	n.suppressed += f.Suppressed
	if f.Detected {
		if n.detected == nil {
			n.detected = make(map[string]int)
		}
		n.detected[f.kind()]++
	}
}

func (n *noter) skipped(string) error {
	n.others++
	return nil
}

// notes returns the notes about the files so far.
func (n *noter) notes() (list []note) {
	if text := n.detections(); text != "" {
		list = append(list, note{"kind-detected", text})
	}
	if n.suppressed > 0 {
		list = append(list, note{"suppressed", suppressions(n.suppressed)})
	}
	return list
}

// detections returns a text with the number of files for each detected kind. The text is empty if no kind was
// detected.
func (n *noter) detections() string {
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(n.detected)) {
		list = append(list, quote.Count(n.detected[kind], "file")+" as "+kind)
	}
	if list == nil {
		return ""
	}
	return "kinds detected from the bytes: " + strings.Join(list, ", ")
}

// suppressions returns a text with the number of suppressed findings.
func suppressions(n int) string { return quote.Count(n, "finding") + " suppressed" }
