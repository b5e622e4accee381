package identity

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// OfText returns the structural path of each finding of a text, such as counterSet["Queues"].counter["Depth"].type.
// lines returns the lines of the text. name returns the name of the list element at a path, or "" to use the position
// of the element.
func OfText(lines func() []string, findings []validate.Finding, name func(layout.Path) string) []string {
	var all []string
	texts := make([]string, len(findings))
	for i := range findings {
		f := &findings[i]
		if f.Path != (layout.Path{}) {
			texts[i] = named(f.Path, name)
			continue
		}
		if all == nil {
			all = lines()
		}
		if f.Line > 0 && f.Line <= len(all) && len(all[f.Line-1]) <= maxName {
			// The structural path is the line itself, which stays the same if earlier lines are added.
			if line := strings.TrimSpace(all[f.Line-1]); line != "" {
				texts[i] = strconv.Quote(line)
			}
		}
	}
	return texts
}

// named returns the path with names in place of indexes.
func named(path layout.Path, name func(layout.Path) string) string {
	steps := path.Elems()
	return pathText(steps, func(dst []byte, i int) []byte {
		at := path
		for range steps[i+1:] {
			at = at.Parent()
		}
		if text := name(at); text != "" && len(text) <= maxName {
			return strconv.AppendQuote(dst, text)
		}
		return strconv.AppendInt(append(dst, '#'), int64(steps[i].Index), 10)
	})
}
