//go:build !windows

package main

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

func isIdle(*process.Process) bool { return false }

func processName(name string) string { return name }

// readSystem sets the sizes of memory. The priority stays 0, because a nice value is not a base priority.
func readSystem(ctx context.Context, p *process.Process, out *proc) {
	if m, err := p.MemoryInfoWithContext(ctx); err == nil {
		out.workingSet, out.virtual = m.RSS, m.VMS // on Windows, VMS is the committed memory
	}
	readPrivate(ctx, p, out)
}
