package dump

import "testing"

// TestPlainMembers checks that appendMember writes text as appendJSONRune does.
func TestPlainMembers(t *testing.T) {
	t.Parallel()
	for r := range rune(0x300) {
		var want []byte
		for _, c := range "a" + string(r) + "b" {
			want = appendJSONRune(want, c)
		}
		if got := string(appendMember(nil, "k", "a"+string(r)+"b")); got != `,"k":"`+string(want)+`"` {
			t.Errorf("%U: got %s, want %s", r, got, want)
		}
	}
}
