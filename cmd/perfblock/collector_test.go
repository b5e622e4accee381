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

// The first collection is put off, and after it all is as it was.
func TestPatience(t *testing.T) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		t.Setenv("GOGC", "")
		t.Setenv("GOMEMLIMIT", "")
	}
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	settings := func() (percent, limit uint64) { // to be told by setting them would undo what happens in between
		read := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
		metrics.Read(read)
		return read[0].Value.Uint64(), read[1].Value.Uint64()
	}
	beginWithPatience()
	if percent, limit := settings(); percent != math.MaxUint64 || limit != patience {
		t.Errorf("at first the collector has %d %% and a limit of %d", percent, limit)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		runtime.GC()
		percent, limit := settings()
		if percent == 100 && limit == math.MaxInt64 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after a collection it has %d %% and a limit of %d", percent, limit)
		}
	}
}

// Who sets the collector is left alone.
func TestPatienceKnowsItsBetters(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv("GOGC", "")
		t.Setenv(name, "200")
		was := debug.SetGCPercent(200)
		beginWithPatience()
		if now := debug.SetGCPercent(was); now != 200 {
			t.Errorf("%s: the collector has %d %%", name, now)
		}
	}
}
