package cname_test

import (
	"math"
	"testing"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/layout"
)

func TestInstances(t *testing.T) {
	t.Parallel()
	for n, want := range map[int32]string{
		layout.PERF_NO_INSTANCES: "PERF_NO_INSTANCES", layout.PERF_METADATA_MULTIPLE_INSTANCES: "PERF_METADATA_MULTIPLE_INSTANCES",
		layout.PERF_METADATA_NO_INSTANCES: "PERF_METADATA_NO_INSTANCES", -4: "", 0: "", 1: "", math.MinInt32: "", math.MaxInt32: "",
	} {
		if got := cname.Instances(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
