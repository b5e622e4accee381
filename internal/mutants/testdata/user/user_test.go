package user

import "testing"

func TestDifference(t *testing.T) {
	if difference() != 3 {
		t.Fail()
	}
}
