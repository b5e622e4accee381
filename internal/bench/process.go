package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// An ending is what the system says of a process that has ended.
type ending struct {
	time, cpu time.Duration // by the clock, and of processors by it and by the system for it
	peak      int64         // bytes of memory at one time, 0 if the system does not tell
}

// runProcess runs a program in dir until it ends. What it writes goes nowhere, so that no disk is measured.
func runProcess(dir string, argv []string) (ending, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return ending{}, fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, strings.TrimSpace(stderr.String()))
	}
	took := time.Since(start)
	return ending{took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peakMemory(cmd.ProcessState)}, nil
}
