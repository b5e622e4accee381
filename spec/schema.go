package spec

import (
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/form"
)

// pathPattern matches a path if its first element is possible in some kind of block.
var pathPattern = `^((` + strings.Join(listParts, "|") + `)\[[0-9]+\](\.[A-Za-z][A-Za-z0-9]*(\[[0-9]+\])?){0,4}|(dw)?[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?|padding)$`

var (
	pathSchema = form.PatternSchema(pathPattern)
	hexSchema  = form.Members{{"type", []string{"string", "integer"}}, {"pattern", `^\s*([0-9A-Fa-f]\s*[0-9A-Fa-f]\s*)*$`}}
)

// flagsSchema returns the schema of a number that can be written as flags with vertical bars between them. A flag is a
// number, or a name that starts with prefix. The list of names is for completion in editors. The parameter digits is the
// largest number of hexadecimal digits of a single number.
func flagsSchema(names []string, prefix string, digits int, s form.Span) form.Members {
	word := "(" + prefix + "[A-Z0-9_]+|0[xX][0-9A-Fa-f]+|[0-9]+)"
	return form.AnyOf(
		form.EnumSchema(names...),
		form.PatternSchema(`^\s*`+word+`(\s*\|\s*`+word+`)+\s*$`),
		form.PatternSchema(fmt.Sprintf("^0[xX][0-9A-Fa-f]{1,%d}$", digits)),
		form.IntegerSchema(s),
	)
}
