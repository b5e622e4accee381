//go:build unix

package inputs_test

import (
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/inputs"
)

// TestPipes checks that pipes and sockets in a folder are not opened, because opening a pipe could block. An
// argument may name a pipe or socket, but a list may not.
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
	from := inputs.List{From: "-", Stdin: strings.NewReader("d/pipe\nd/a\n")}
	if diff := cmp.Diff(lines("error: d/pipe: is a device, pipe or socket, must be given as an argument of the command", "d/a (named) = 1"), read(t, from)); diff != "" {
		t.Errorf("a list (-want +got):\n%s", diff)
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
