package identity_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/layout"
)

// TestTitles checks which titles a structural path has.
func TestTitles(t *testing.T) {
	t.Parallel()
	names := func(index uint32) (string, bool) {
		return map[uint32]string{0: "the first of a provider", 238: "Processor", 6: "% Processor Time"}[index], index == 6
	}
	const processor, both = `"Processor" (238)`, `"Processor" (238), "% Processor Time" (6, built in)`
	for _, tt := range []struct {
		reason, path string
		kind         layout.Kind
		want         string
	}{
		{"an object has a title", "object[238].NumInstances", layout.DataBlockKind, processor},
		{"a counter has a title, and its object another", "object[238].counter[6].CounterType", layout.ObjectsKind, both},
		{"a number after # is not a part of the title index", "object[238].counter[6#1].CounterType", layout.DataBlockKind, both},
		{"a value has the title of its counter", `object[238].instance["a"].block.value[6]`, layout.DataBlockKind, both},
		{"the name of an instance is no path", `object[238].instance["].counter[6].x"].NameLength`, layout.DataBlockKind, processor},
		{"an instance without a name has its UniqueID", "object[238].instance[6].NameLength", layout.DataBlockKind, processor},
		{"a position is no index", "object[238].counter[#6].CounterType", layout.DataBlockKind, processor},
		{"a base without a title index has no title", "object[238].counter[0].CounterType", layout.ObjectsKind, processor},
		{"an index without a name has no title", "object[240].counter[6]", layout.DataBlockKind, `"% Processor Time" (6, built in)`},
		{"a counter of V2 has an id", "result[0].counter[6]", layout.QueryDataKind, ""},
		{"the header has no title", "", layout.DataBlockKind, ""},
	} {
		object, counter := identity.Titles(tt.kind, tt.path, names)
		if got := identity.TitleText(object, counter); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.reason, got, tt.want)
		}
	}
	if object, counter := identity.Titles(layout.DataBlockKind, "object[238].counter[6]", nil); object.Name+counter.Name != "" {
		t.Errorf("without names: %v, %v", object, counter)
	}
}
