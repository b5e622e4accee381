package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// TestFirstCollection checks that delayFirstCollection delays the first garbage collection, and that the usual settings
// of Go apply again after this collection.
func TestFirstCollection(t *testing.T) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		t.Setenv("GOGC", "")
		t.Setenv("GOMEMLIMIT", "")
	}
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	settings := func() (percent, limit uint64) { // package debug can read them only by setting them
		read := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
		metrics.Read(read)
		return read[0].Value.Uint64(), read[1].Value.Uint64()
	}
	delayFirstCollection()
	if percent, limit := settings(); percent != math.MaxUint64 || limit != firstCollection {
		t.Errorf("before a collection: %d %%, limit %d", percent, limit)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		runtime.GC()
		percent, limit := settings()
		if percent == 100 && limit == math.MaxInt64 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after a collection: %d %%, limit %d", percent, limit)
		}
	}
}

// TestFirstCollectionOfUser checks that delayFirstCollection does not change the settings of the garbage collector if
// the user has set GOGC or GOMEMLIMIT.
func TestFirstCollectionOfUser(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv("GOGC", "")
		t.Setenv(name, "200")
		was := debug.SetGCPercent(200)
		delayFirstCollection()
		if now := debug.SetGCPercent(was); now != 200 {
			t.Errorf("%s: %d %%", name, now)
		}
	}
}
