package validate

import (
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestFindingList checks the method take: the list that it returns has little spare capacity, and the
// findingList is empty afterwards.
func TestFindingList(t *testing.T) {
	t.Parallel()
	var l findingList
	g := &activeRule{rule: rules[0], severity: Error, reason: "so"}
	for _, n := range []int{0, 1, 3, 1000, 1000, 2, 0, 499, 500, 501, 3000, 1, 5000} {
		for i := range n {
			f := l.extend()
			if *f != (Finding{}) {
				t.Fatalf("%d findings: finding %d was %v before it was filled", n, i, f)
			}
			f.fill(g, layout.Path{}.At("object", i), int64(i), 1, "got", "want")
		}
		room := cap(l.findings)
		list := l.take()
		if n > 0 && n < room/4 && cap(l.findings) != room {
			t.Errorf("the buffer for %d findings was returned with %d findings", room, n)
		}
		if len(list) != n || cap(list) > n+n/8+1 || (list == nil) != (n == 0) {
			t.Errorf("%d findings: the list has %d, and room for %d", n, len(list), cap(list))
		}
		for i, f := range list {
			if f.Off != int64(i) || f.Got != "got" || f.Want != "want" || f.Rule != rules[0] || f.Reason != "so" || f.Path.String() == "" {
				t.Errorf("finding %d is %v", i, f)
			}
		}
		for i, f := range l.findings[:cap(l.findings)] {
			if f != (Finding{}) {
				t.Fatalf("%d findings: finding %d stays in the buffer", n, i)
			}
		}
		if len(l.findings) > 0 || l.expected > mostExpected {
			t.Errorf("%d findings stay in the buffer, and %d are expected", len(l.findings), l.expected)
		}
	}
}
