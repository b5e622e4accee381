package config

import (
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// DefaultFailOn is the least that fails a block unless asked otherwise.
const DefaultFailOn = validate.Error

// never is the word for failing on nothing, [validate.Off].
const never = "never"

// FailOns lists the words for what fails a block, the default first.
func FailOns() []string {
	var words []string
	for _, s := range validate.Severities() {
		words = append([]string{s.String()}, words...)
	}
	return append(words, never)
}

// ParseFailOn reads a word of [FailOns]. The error wraps [layout.ErrRange].
func ParseFailOn(text string) (validate.Severity, error) {
	if text == never {
		return validate.Off, nil
	}
	for _, s := range validate.Severities() {
		if s.String() == text {
			return s, nil
		}
	}
	return 0, layout.Faultf(layout.ErrRange, "no threshold %q: it is one of %s", text, strings.Join(FailOns(), ", "))
}
