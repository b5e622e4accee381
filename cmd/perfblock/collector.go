package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// patience is how much memory may be in use before the first garbage collection.
const patience = 64 << 20

// beginWithPatience puts off the first collection. Most runs end before they have used
// that much, and waking the collector up for the few megabytes of a block cost as much
// as judging it. From then on all is as usual. Whoever has set GOGC or GOMEMLIMIT
// knows better.
func beginWithPatience() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(patience)
	canary := new([16]byte)
	runtime.AddCleanup(canary, func(int) { // the first collection finds it
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, 0)
}
