package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is the memory in use at which the first garbage collection runs.
const firstCollection = 64 << 20

// delayFirstCollection delays the first garbage collection until [firstCollection] bytes are in
// use. Most runs then end without a collection, which would take as long as validating the
// block. Later collections run as usual. If the user has set GOGC or GOMEMLIMIT,
// delayFirstCollection does nothing.
func delayFirstCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(firstCollection)
	// Nothing refers to the value, so the cleanup runs after the first collection.
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, struct{}{})
}
