//go:build !(linux || darwin || freebsd)

package validate_test

import "time"

var started = time.Now()

func cpuTime() time.Duration { return time.Since(started) }
