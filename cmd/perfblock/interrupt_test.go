//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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

// TestInterruptBridge stops the command provider bridge with SIGTERM while a compiler runs. The compiler must end too.
// No temporary folder and no DLL may be left.
func TestInterruptBridge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, temp := filepath.Join(dir, "pipe"), filepath.Join(dir, "temp")
	compiler := "#!/bin/sh\ncase $1 in -print*) exit;; esac\nexec sleep 60 >'" + pipe + "'\n"
	err := errors.Join(syscall.Mkfifo(pipe, 0o666), os.Mkdir(temp, 0o777), os.WriteFile(filepath.Join(dir, "x86_64-w64-mingw32-gcc"), []byte(compiler), 0o777))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "provider", "bridge", "-o", filepath.Join(temp, "Shop.dll"))
	cmd.Args[0] = "perfblock"
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TMPDIR="+temp)
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	running, err := os.Open(pipe) // waits until the compiler has opened the pipe
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = running.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.ReadAll(running); err != nil {
		t.Errorf("the compiler has not ended: %v", err)
	}
	_ = cmd.Wait()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM || out.Len() > 0 {
		t.Errorf("the process ended with %v, must end by SIGTERM\n%s", cmd.ProcessState, out.String())
	}
	files, err := os.ReadDir(temp)
	if err != nil || len(files) != 0 {
		t.Errorf("the folder has %v, want no file; %v", files, err)
	}
}
