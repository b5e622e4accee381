package spec

import (
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// specKey matches a key that only specs have, at the start of a line of YAML or JSON. The first key of the text may also
// be SystemName, and its first letter may be small or a capital: in other lines, a capital is probably text in a dump.
var specKey = lazy.Regexp(`(?m)^(\{?\s*"(kind|objects|patches)"|'?(kind|objects|patches)'?)\s*:|` +
	`\A(\s|#.*\n|---)*\{?\s*["']?([Kk]ind|[Oo]bjects|[Pp]atches|[Ss]ystemName)["']?:`)

// Detect reports whether a text is a spec, valid or not. It recognises most texts with errors.
func Detect(text []byte) bool {
	if specKey().Match(yamltext.DecodeDamaged(text)) {
		return true
	}
	_, err := Parse("", text)
	return err == nil
}
