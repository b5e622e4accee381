package builder

import (
	"hash/maphash"
	"testing"
)

// TestSameName checks that names with the same hash are compared. Since such names are hard to
// find, the test stores the first name with the hash of the second name.
func TestSameName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b   Instance
		same   bool
		reason string
	}{
		{Instance{Name: "größe"}, Instance{Name: "GRÖßE"}, true, "but for case"},
		{Instance{Name: "a"}, Instance{Name: "b"}, false, "two names"},
		{Instance{Name: "a"}, Instance{Name: "ab"}, false, "one is the start of the other"},
		{Instance{Name: "ab"}, Instance{Name: "a"}, false, "the second is the start of the first"},
		{Instance{Name: "a", ParentObjectTitleIndex: 1}, Instance{Name: "a"}, false, "a parent, and none"},
		{Instance{Name: "a", ParentObjectTitleIndex: 1}, Instance{Name: "a", ParentObjectTitleIndex: 1, ParentObjectInstance: 1}, false, "two parents"},
		{Instance{Name: "a", ParentObjectInstance: 2}, Instance{Name: "a"}, true, "no parents"},
	} {
		o := Object{Instances: []Instance{test.a, test.b}}
		n := nameSet{object: &o, seed: maphash.MakeSeed(), slots: make([]nameSlot, 4)}
		hash := n.hash(&o.Instances[1])
		if test.same != (hash == n.hash(&o.Instances[0])) {
			t.Errorf("the hashes do not agree: %s", test.reason)
		}
		n.slots[hash&3] = nameSlot{hash, 1}
		if first, found := n.add(1); found != test.same || first != 0 {
			t.Errorf("%d, %t, want %t: %s", first, found, test.same, test.reason)
		}
	}
}
