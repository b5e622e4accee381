package cputime_test

import (
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/cputime"
)

func TestUsedGoesOn(t *testing.T) {
	t.Parallel()
	start := cputime.Used()
	for deadline := time.Now().Add(time.Minute); cputime.Used() <= start; {
		if time.Now().After(deadline) {
			t.Fatalf("after a minute of work it is still %v", start)
		}
	}
}
