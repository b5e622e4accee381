//go:build !windows

package main

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

func isIdle(*process.Process) bool { return false }

func processName(name string) string { return name }

// readSystem sets the values that have another meaning on Windows. It leaves the base priority
// 0, because nice values are negative for high priorities.
func readSystem(ctx context.Context, p *process.Process, out *proc) {
	if m, err := p.MemoryInfoWithContext(ctx); err == nil {
		out.workingSet, out.virtual = m.RSS, m.VMS
	}
	readPrivate(ctx, p, out)
}
