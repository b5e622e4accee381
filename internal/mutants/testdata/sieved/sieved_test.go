package sieved

import (
	"reflect"
	"testing"
)

func TestAll(t *testing.T) {
	n := 1
	add(&n, 2)
	if n != 3 || first(1, 2) != 2 || (pair{1, 2}).Sum() != 3 || (pair{}).other() != 1 || last(1, 2, 3) != 3 || join("a", "b") != "ab" {
		t.Fail()
	}
}

// TestMethods fails where a method has copies, and is left out there.
func TestMethods(t *testing.T) {
	if reflect.TypeFor[pair]().NumMethod() != 1 {
		t.Fail()
	}
}
