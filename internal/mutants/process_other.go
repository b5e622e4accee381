//go:build !unix

package main

import (
	"context"
	"os/exec"
)

// bounded returns a command that ends by the context alone.
func bounded(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, args[0], args[1:]...)
}
