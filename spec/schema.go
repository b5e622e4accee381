package spec

import (
	"strings"

	"github.com/perfblock/perfblock/internal/form"
)

// pathPattern matches a path if its first element is possible in some kind of block.
var pathPattern = `^((` + strings.Join(listParts, "|") + `)\[[0-9]+\](\.[A-Za-z][A-Za-z0-9]*(\[[0-9]+\])?){0,4}|(dw)?[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?|padding)$`

var (
	pathSchema = form.Members{{"type", "string"}, {"pattern", pathPattern}}
	hexSchema  = form.Members{{"type", []string{"string", "integer"}}, {"pattern", `^\s*([0-9A-Fa-f]\s*[0-9A-Fa-f]\s*)*$`}}
)

// typeSchema returns the schema of a counter type. The list of names is for completion in editors.
func typeSchema() form.Members {
	return form.AnyOf(form.EnumSchema(typeNames()...), flagsSchema("PERF_"), form.Members{{"type", "string"}, {"pattern", `^0[xX][0-9A-Fa-f]{1,8}$`}}, form.IntegerSchema(dword))
}

// flagsSchema returns the schema of a text of flags with vertical bars between them. A flag is a name that starts with
// prefix, or a number.
func flagsSchema(prefix string) form.Members {
	word := "(" + prefix + "[A-Z0-9_]+|0[xX][0-9A-Fa-f]+|[0-9]+)"
	return form.Members{{"type", "string"}, {"pattern", `^\s*` + word + `(\s*\|\s*` + word + `)+\s*$`}}
}
