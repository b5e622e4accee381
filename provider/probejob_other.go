//go:build !windows

package provider

import (
	"io"
	"os"
	"os/exec"
)

// A job is the process of a probe.
type job struct{ process *os.Process }

func newJob(p *os.Process) (*job, error) { return &job{p}, nil }

// end ends the process.
func (j *job) end() { _ = j.process.Kill() } // it fails if the process has ended

func detach(*exec.Cmd) {}

func systemFolder() string { return "" }

// Serve returns [ErrNotWindows].
func Serve(io.Reader, *os.File) error { return ErrNotWindows }

// Service returns [ErrNotWindows].
func Service(string) (DLL, Probe, error) { return DLL{}, Probe{}, ErrNotWindows }
