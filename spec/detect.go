package spec

import (
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// specKey matches a key that no other file format has. The key is at the start of a line of YAML or JSON, or is the
// first key of the text.
//
// The first key may also be SystemName or begin with a capital, such as Kind. On other lines, a capital is probably
// text in a dump.
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
