//go:build unix

package main

import (
	"context"
	"os/exec"
	"syscall"
)

// mostMemory is what a test may have of addresses, in KiB.
const mostMemory = "6291456"

// bounded returns a command that ends with all that it has started, and that has bounded memory where the system knows such a bound.
func bounded(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", "ulimit -v " + mostMemory + ` 2>/dev/null; exec "$0" "$@"`}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
