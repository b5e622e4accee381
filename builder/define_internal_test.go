package builder

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// TestMalformedTag checks which tags Define refuses as malformed.
func TestMalformedTag(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tag       reflect.StructTag
		malformed bool
		reason    string
	}{
		{`perf:type=PERF_COUNTER_BULK_COUNT`, true, "the value has no quotes"},
		{`json:"a" perf:default`, true, "the value has no quotes and follows another key"},
		{`json:"a" perf:"default"`, false, "the tag is well-formed"},
		{`json:"perf"`, false, "perf is the value of another key"},
		{`xperf:default`, false, "perf is the end of another key"},
	} {
		// The type is made at run time, because go vet refuses malformed tags in source text.
		_, err := fieldsOf(reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[uint64](), Tag: test.tag}}))
		if got := errors.Is(err, ErrField) && strings.Contains(err.Error(), "field A of") && strings.Contains(err.Error(), "is malformed, must be key"); got != test.malformed || !got && err != nil {
			t.Errorf("%s: the error is %v", test.reason, err)
		}
	}
}
