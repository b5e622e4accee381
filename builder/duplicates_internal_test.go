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
		{Instance{Name: "größe"}, Instance{Name: "GRÖßE"}, true, "the names differ only in case"},
		{Instance{Name: "a"}, Instance{Name: "b"}, false, "the names differ"},
		{Instance{Name: "a"}, Instance{Name: "ab"}, false, "the first name is a prefix of the second"},
		{Instance{Name: "ab"}, Instance{Name: "a"}, false, "the second name is a prefix of the first"},
		{Instance{Name: "a", ParentObjectTitleIndex: 1}, Instance{Name: "a"}, false, "only the first instance has a parent"},
		{Instance{Name: "a", ParentObjectTitleIndex: 1}, Instance{Name: "a", ParentObjectTitleIndex: 1, ParentObjectInstance: 1}, false, "the parents differ"},
		{Instance{Name: "a", ParentObjectInstance: 2}, Instance{Name: "a"}, true, "without a parent object, the parent position has no meaning"},
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
