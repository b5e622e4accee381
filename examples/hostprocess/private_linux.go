package main

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// readPrivate sets the private working set: the memory that the process does not share.
func readPrivate(ctx context.Context, p *process.Process, out *proc) {
	if m, err := p.MemoryInfoExWithContext(ctx); err == nil && m.RSS >= m.Shared {
		out.workingSetPrivate = m.RSS - m.Shared
	}
}
