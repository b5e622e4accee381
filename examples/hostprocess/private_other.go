//go:build !windows && !linux

package main

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// readPrivate does nothing: gopsutil does not report the private working set on this system.
func readPrivate(context.Context, *process.Process, *proc) {}
