package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/validate"
)

// What was judged before says nothing of what comes next, however little there is of it.
func TestJudgedBefore(t *testing.T) {
	t.Parallel()
	for kind, b := range soundBuffers {
		again, err := validate.New(validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for n := range min(len(b), 100) {
			fresh, err := validate.New(validate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			again.Bytes(kind, b, validate.Context{})
			got, want := again.Bytes(kind, b[:n:n], validate.Context{}), fresh.Bytes(kind, b[:n:n], validate.Context{})
			if diff := cmp.Diff(told(want), told(got)); diff != "" {
				t.Errorf("%v, its first %d bytes (-alone +behind the whole):\n%s", kind, n, diff)
			}
		}
	}
}

func told(r validate.Result) (list []string) {
	for _, f := range r.Findings {
		list = append(list, f.String())
	}
	return list
}
