package main

import (
	"bytes"
	"context"
	"os"
	"time"
)

// runTests runs a test binary in the folder of its package. A mutant may print, allocate and go on without end: what it prints is
// kept only where that is asked for, and the rest is bounded. The limit is the test's own, should nobody be left to end it.
func runTests(ctx context.Context, binary, dir, temp, environment string, limit time.Duration, keep bool, flags ...string) ([]byte, error) {
	cmd := bounded(ctx, append([]string{binary, "-test.short", "-test.failfast", "-test.timeout=" + (2 * limit).String()}, flags...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, environment)
	cmd.WaitDelay = time.Second // a child of it may hold on to what it prints to
	var out bytes.Buffer
	if keep {
		cmd.Stdout, cmd.Stderr = &out, &out
	}
	err := cmd.Run()
	return out.Bytes(), err
}
