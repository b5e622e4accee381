package fuzz_test

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// unlike returns what cmp.Diff does. What is equal at once it does not give to it: that takes
// longer than to make and to judge a small block, and of options some are tried on goroutines.
func unlike(want, got any, options ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, options...)
}
