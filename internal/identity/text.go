package identity

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// OfText returns the structural path of each finding of a text, such as counterSet["Queues"].counter["Depth"].type.
// lines returns the lines of the text.
// name returns the name that identifies an element of a list. If name returns "", the structural path has the
// position of the element. If a finding has no path, its structural path is the text of its line, in quotes, without
// the spaces around it. This path stays the same if lines are added before the line.
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
