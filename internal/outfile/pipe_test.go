//go:build unix

package outfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipe checks that WriteAll writes directly to a pipe.
func TestPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	// The test uses a pipe and not a device, because faulty code could replace the device if root runs the test.
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	r, err := os.OpenFile(path, os.O_RDWR, 0) // for reading and writing, so that OpenFile does not block
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := write(path, text("new")); err != nil {
		t.Fatal(err)
	}
	if err := write(path, stop); !errors.Is(err, errStop) {
		t.Errorf("got %v, want the error of fill", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Fatalf("the pipe was replaced by a file: %v", err)
	}
	got := make([]byte, len("newhalf"))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != "newhalf" {
		t.Errorf("the pipe holds %q, %v", got, err)
	}
	checkFolder(t, filepath.Dir(path), "pipe")
}
