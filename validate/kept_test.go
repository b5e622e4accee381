package validate_test

import (
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestValidatorKeepsNothingOfTheBlock lets go of blocks that were judged, while the
// validator goes on.
func TestValidatorKeepsNothingOfTheBlock(t *testing.T) {
	t.Parallel()
	one, three := counting, slices.Repeat(counting, 3)
	unread := layOut(nil, titled(20), three, nil)
	clear(unread[64+40:]) // the second counter has no length
	for name, b := range map[string][]byte{
		"an object without instances":     layOut(nil, about4000, one, nil),
		"fewer counters in the last":      layOut(layOut(nil, titled(10), three, nil), about4000, one, nil),
		"a counter that cannot be read":   unread,
		"instances, and _Total is first":  layOut(nil, about4000, one, []laid{child("_Total", 0, 0), child("a", 4000, 0)}),
		"a header":                        underHeader(layOut(nil, about4000, one, nil), 1, 0),
		"less than there is of anything":  make([]byte, 7),
		"an object, and half of the next": layOut(layOut(nil, titled(10), three, nil), about4000, one, nil)[:300],
	} {
		for _, kind := range layout.V1Kinds() {
			keepsNothing(t, name, kind, b)
		}
	}
	for _, b := range [][]byte{manySorts(), manySorts()[:300], aQuery(anAnswer(layout.PERF_MULTIPLE_INSTANCES, aTable(2, plainInstanceHeaders(), plainInstanceHeaders())))} {
		keepsNothing(t, "an answer", layout.QueryDataKind, b)
	}
	keepsNothing(t, "namesakes", layout.InstancesKind, slices.Concat(plainInstanceHeaders(), plainInstanceHeaders(), []byte{1}))
	for kind, b := range soundBuffers {
		keepsNothing(t, "a sound one", kind, b)
		keepsNothing(t, "half of one", kind, b[:len(b)/2])
	}
}

func keepsNothing(t *testing.T, name string, kind layout.Kind, b []byte) {
	t.Helper()
	v, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := make([]byte, 1<<16) // in memory of its own
	own = own[:copy(own, b)]
	kept := weak.Make(&own[0])
	v.Bytes(kind, own, validate.Context{})
	own = nil
	for tries := 0; kept.Value() != nil; tries++ { // one collection may take a number for an address
		if tries == 10 {
			t.Errorf("%s, judged as %v, is kept", name, kind)
			break
		}
		runtime.GC()
	}
	runtime.KeepAlive(v)
}
