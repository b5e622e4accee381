//go:build linux || darwin || freebsd

package builder_test

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used, whatever else the machine does.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
