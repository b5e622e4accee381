package builder

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A named is an element of a list of records that end with a name.
type named[T any] interface {
	*T
	plan() (uint64, error)
	append(b []byte) []byte
}

// planList checks the elements and returns the bytes that they take.
func planList[T any, P named[T]](list []T, element string) (total uint64, err error) {
	for i := range list {
		path := layout.Path{}.At(element, i)
		n, err := P(&list[i]).plan()
		if err != nil {
			return 0, within(path, err)
		}
		if total += n; total > maxTotal {
			return 0, fault(path, "", ErrTooLarge, "with it the list takes %d bytes, which is too many", total)
		}
	}
	return total, nil
}

func appendList[T any, P named[T]](b []byte, list []T, element string) ([]byte, error) {
	total, err := planList[T, P](list, element)
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, int(total))
	for i := range list {
		b = P(&list[i]).append(b)
	}
	return b, nil
}

// alike returns how many such as s are to come to the end of b, that included.
func alike(b []byte, s layout.Span) int { return (len(b) - int(s.Off())) / s.Len() }
