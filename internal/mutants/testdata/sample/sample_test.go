package sample

import "testing"

func TestTested(t *testing.T) {
	if Tested(2, 3) != 5 || Untested(1) != true || Greeting("you") != "hello you" || Half(7) != 3 || Larger(1, 2) != 2 || Larger(2, 1) != 2 {
		t.Fail()
	}
}
