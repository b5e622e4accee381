package suggest

import (
	"fmt"
	"strings"
)

// Named returns the one of list that has the name. Where there is none, the error says so of
// what the list is of, and which names there are.
func Named[T any](what, name string, list []T, nameOf func(T) string) (T, error) {
	names := make([]string, len(list))
	for i, one := range list {
		if names[i] = nameOf(one); names[i] == name {
			return one, nil
		}
	}
	var none T
	return none, fmt.Errorf("no %s %q: it is one of %s", what, name, strings.Join(names, ", "))
}
