package long_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/long"
)

func TestCount(t *testing.T) {
	for value, want := range map[string]int{"": 2, "1": 30} {
		t.Setenv("PERFBLOCK_LONG", value)
		if got := long.Count(2, 30); got != want {
			t.Errorf("PERFBLOCK_LONG=%q: Count(2, 30) returned %d, want %d", value, got, want)
		}
	}
}

func TestSeeds(t *testing.T) {
	for value, want := range map[string]int{"": 2, "1": 30, "3": 90, "yes": 30, "0": 30} {
		t.Setenv("PERFBLOCK_LONG", value)
		if got := long.Seeds(2, 30); got != want {
			t.Errorf("PERFBLOCK_LONG=%q: Seeds(2, 30) returned %d, want %d", value, got, want)
		}
	}
}
