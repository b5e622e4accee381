package layout

import (
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// An enum has the names in C of a type's values.
type enum[T ~uint32 | ~uint64] []struct {
	value T
	name  string
}

// name returns the value's name, "" if it has none.
func (e enum[T]) name(v T) string {
	for _, one := range e {
		if one.value == v {
			return one.name
		}
	}
	return ""
}

// text returns the value's name, or its number.
func (e enum[T]) text(v T) string {
	if name := e.name(v); name != "" {
		return name
	}
	return fmt.Sprint(uint64(v))
}

// parse reads a name. The error lists them.
func (e enum[T]) parse(s string) (T, error) {
	names := make([]string, len(e))
	for i, one := range e {
		if one.name == s {
			return one.value, nil
		}
		names[i] = one.name
	}
	return 0, Faultf(ErrRange, "%s is none of %s", quote.Short(s), strings.Join(names, ", "))
}
