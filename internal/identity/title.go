package identity

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A Title is the name of an object or of a counter of V1.
type Title struct {
	Index   uint32 `json:"index"`
	Name    string `json:"name"`
	BuiltIn bool   `json:"builtIn,omitempty"` // the name is not from a title database
}

// Titles returns the titles of the object and of the counter in the structural path of a block. For an
// unknown title, it returns the zero Title. names may be nil.
func Titles(kind layout.Kind, path string, names func(index uint32) (name string, builtIn bool)) (object, counter Title) {
	if names == nil || !kind.V1() {
		return object, counter
	}
	titleOf := func(index uint32) (t Title) {
		if t.Name, t.BuiltIn = names(index); t.Name != "" {
			t.Index = index
		}
		return t
	}
	for rest := path; rest != ""; {
		step, after, indexed := strings.Cut(rest, "[")
		if !indexed {
			break
		}
		afterID := strings.TrimLeft(after, "0123456789")
		id := after[:len(after)-len(afterID)]
		if index, err := strconv.ParseUint(id, 10, 32); err == nil && index > 0 {
			switch step[strings.LastIndexByte(step, '.')+1:] {
			case "object":
				object = titleOf(uint32(index))
			case "counter", "value":
				counter = titleOf(uint32(index))
			}
		}
		if quoted, err := strconv.QuotedPrefix(afterID); err == nil {
			afterID = afterID[len(quoted):]
		}
		_, rest, _ = strings.Cut(afterID, "]")
	}
	return object, counter
}

// TitleText returns the titles in the form "Processor" (238), "% Processor Time" (6). It omits titles without a name.
func TitleText(titles ...Title) string {
	var text []byte
	for _, t := range titles {
		if t.Name == "" {
			continue
		}
		if len(text) > 0 {
			text = append(text, ", "...)
		}
		text = quote.AppendTitle(text, t.Name, t.Index, t.BuiltIn)
	}
	return string(text)
}
