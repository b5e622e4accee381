package main

import (
	"context"
	"strings"

	"github.com/shirou/gopsutil/v4/process"
)

func isIdle(p *process.Process) bool { return p.Pid == 0 }

// processName returns the name without ".exe", like the instance names of the Process object.
func processName(name string) string {
	if n := len(name) - len(".exe"); n > 0 && strings.EqualFold(name[n:], ".exe") {
		return name[:n]
	}
	return name
}

// readSystem reads the priority and the memory sizes of p, and stores them in out.
func readSystem(ctx context.Context, p *process.Process, out *proc) {
	if m, err := p.MemoryInfoWithContext(ctx); err == nil {
		out.workingSet, out.committed = m.RSS, m.VMS // on Windows, VMS is the committed memory
	}
	if n, err := p.NiceWithContext(ctx); err == nil {
		out.priority = uint64(max(n, 0)) // on Windows, the nice value is the base priority
	}
}
