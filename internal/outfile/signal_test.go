//go:build unix

package outfile_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/outfile"
)

// writerPath is an environment variable. If it has the path of a file, this test program starts to write the file, and
// stops in the middle. If it has the path of a folder that ends in a separator, the program makes the folder and adds
// files in it.
const writerPath = "OUTFILE_TEST_PATH"

func TestMain(m *testing.M) {
	switch path := os.Getenv(writerPath); {
	case strings.HasSuffix(path, string(filepath.Separator)):
		addForever(path)
	case path != "":
		writeForever(path)
	}
	os.Exit(m.Run())
}

func addForever(folder string) {
	b, err := outfile.Begin([]string{folder}, nil)
	for i := 0; err == nil; i++ {
		if i == 10 {
			_, _ = os.Stdout.WriteString("writing\n")
		}
		err = b.Add(outfile.Bytes(folder+strconv.Itoa(i), nil))
	}
	b.Discard() // if Add failed because a signal has removed the file, the signal ends the process here
	os.Exit(3)
}

func writeForever(path string) {
	if os.Getenv("OUTFILE_TEST_NOHUP") != "" {
		signal.Ignore(syscall.SIGHUP)
	}
	_ = write(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		_, _ = os.Stdout.WriteString("writing\n")
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // waits until the test closes the pipe
		return nil
	})
	os.Exit(0)
}

// TestSignal sends a signal in the middle of a write. The signal must have its usual effect on the process, and no
// temporary file may be left.
func TestSignal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sig    syscall.Signal
		nohup  bool
		ended  bool
		reason string
	}{
		{syscall.SIGINT, false, true, "Ctrl-C ends the process"},
		{syscall.SIGTERM, false, true, "kill ends the process"},
		{syscall.SIGHUP, false, true, "closing the terminal ends the process"},
		{syscall.SIGHUP, true, false, "under nohup, the process ignores the signal"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			if tt.ended && signal.Ignored(tt.sig) {
				t.Skip("this process ignores the signal, as under nohup, and its children inherit that")
			}
			dir := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0])
			cmd.Env = append(os.Environ(), writerPath+"="+filepath.Join(dir, "a"))
			if tt.nohup {
				cmd.Env = append(cmd.Env, "OUTFILE_TEST_NOHUP=1")
			}
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatalf("%q, %v", line, err)
			}
			if err := cmd.Process.Signal(tt.sig); err != nil {
				t.Fatal(err)
			}
			if !tt.ended {
				in.Close()
			}
			_ = cmd.Wait()
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if tt.ended && (!status.Signaled() || status.Signal() != tt.sig) {
				t.Errorf("the process ended with %v, must end by %v", cmd.ProcessState, tt.sig)
			}
			if !tt.ended {
				checkFile(t, filepath.Join(dir, "a"), "half", "a")
				return
			}
			checkFolder(t, dir)
		})
	}
}

// TestSignalWhileAdding sends a signal while a process adds files to a batch. No temporary file and no new folder may
// be left.
func TestSignalWhileAdding(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("this process ignores the signal, as under nohup, and its children inherit that")
	}
	for range 20 { // the signal must arrive while Add creates a file
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), writerPath+"="+filepath.Join(dir, "new")+string(filepath.Separator))
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("%q, %v", line, err)
		}
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGHUP {
			t.Errorf("the process ended with %v, must end by SIGHUP", cmd.ProcessState)
		}
		checkFolder(t, dir)
	}
}
