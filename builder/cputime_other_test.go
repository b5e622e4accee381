//go:build !(linux || darwin || freebsd)

package builder_test

import "time"

var started = time.Now()

func cpuTime() time.Duration { return time.Since(started) }
