//go:build !windows

package main

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

func isIdle(*process.Process) bool { return false }

func processName(name string) string { return name }

// readSystem fills in what means something else on Windows. There is no base
// priority here: the nice value goes the other way and below 0.
func readSystem(ctx context.Context, p *process.Process, out *proc) {
	if m, err := p.MemoryInfoWithContext(ctx); err == nil {
		out.workingSet, out.virtual = m.RSS, m.VMS
	}
	readPrivate(ctx, p, out)
}
