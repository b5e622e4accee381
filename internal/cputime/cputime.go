// Package cputime says what the process has used of its processors. Tests that compare
// what two inputs cost go by it, as the clock goes on while other processes run.
package cputime

import "time"

// Used returns the time that the process and the system for it have used so far. Where
// that cannot be asked, it is the time by the clock.
func Used() time.Duration { return used() }
