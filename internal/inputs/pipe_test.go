//go:build unix

package inputs_test

import (
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/inputs"
)

// TestPipes checks that pipes and sockets in a folder are not opened, because opening them could block, and that a pipe
// is read if the user names it.
func TestPipes(t *testing.T) {
	enter(t, map[string]string{"d/a": "1", "d/link": "-> pipe"})
	if err := syscall.Mkfifo("d/pipe", 0o600); err != nil {
		t.Skip(err)
	}
	socket, err := net.Listen("unix", "d/socket")
	if err != nil {
		t.Skip(err)
	}
	defer socket.Close()
	want := lines("d/a = 1", "d/link: skipped: device, pipe or socket", "d/pipe: skipped: device, pipe or socket", "d/socket: skipped: device, pipe or socket")
	if diff := cmp.Diff(want, read(t, inputs.List{Args: []string{"d"}})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	go func() {
		f, err := os.OpenFile("d/pipe", os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		f.WriteString("2")
		f.Close()
	}()
	if diff := cmp.Diff(lines("d/pipe (named) = 2"), read(t, inputs.List{Args: []string{"d/pipe"}})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
