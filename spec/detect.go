package spec

import (
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// specKey matches a key that no other file format has: kind, objects or patches at the start of a line of YAML or JSON,
// or as the first key of the text.
//
// The first key may also be SystemName, or begin with a capital, such as Kind. Other keys must begin with a lower-case
// letter, because a line such as "Objects:" is probably text in a dump.
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
