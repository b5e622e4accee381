//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInterrupt interrupts lint with Ctrl-C while lint reads an empty pipe. Lint must end, mark its reports as
// interrupted, and leave no temporary file.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "lint", "pipe", "--out", "json=report.json", "--out", "text=-")
	cmd.Args[0] = "perfblock"
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_WRONLY, 0) // waits until lint has opened the pipe
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != int(errInterrupted) || !strings.Contains(out.String(), "interrupted: files are missing from this report") {
		t.Errorf("exit status %d, want %d\n%s", got, errInterrupted, out.String())
	}
	report, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil || !strings.Contains(string(report), `"interrupted":true`) {
		t.Errorf("%v, report\n%s", err, report)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("the folder has %v, want no temporary file; %v", files, err)
	}
}
