//go:build unix

package provider

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unicode/utf16"
	"unsafe"

	"github.com/perfblock/perfblock/internal/cc"
	"github.com/perfblock/perfblock/provider/bridge"
)

// testService is the name of the service in the tests.
const testService = "Shop"

// A fileSharing stores each mapping in a file. The process with the bridge reads these files. After a kill of the
// publisher, the files stay, like mappings that a consumer has open.
type fileSharing struct {
	folder string
	now    atomic.Uint32
}

func newFileSharing(t *testing.T) *fileSharing {
	s := &fileSharing{folder: t.TempDir()}
	s.now.Store(1000)
	return s
}

func (s *fileSharing) path(name string) string {
	name = strings.NewReplacer(prefix+strings.ToLower(testService), "root", lockPrefix+strings.ToLower(testService), "lock").Replace(name)
	return filepath.Join(s.folder, name)
}

// create opens the file of a mapping, or makes the file. If the mapping is for consumers, other users may read the
// file.
func (s *fileSharing) create(name string, size uint32, to audience) (*mapping, bool, error) {
	path := s.path(name)
	mode := os.FileMode(0o600)
	if to == consumers {
		mode = 0o604
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	exists := errors.Is(err, os.ErrExist)
	if exists {
		f, err = os.OpenFile(path, os.O_RDWR, 0o600)
	}
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if !exists {
		if err := errors.Join(f.Chmod(mode), f.Truncate(int64(size))); err != nil {
			return nil, false, err
		}
	}
	memory, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, false, err
	}
	words := unsafe.Slice((*atomic.Uint32)(unsafe.Pointer(&memory[0])), size/4)
	return &mapping{words, func() error {
		if !exists {
			os.Remove(path)
		}
		return syscall.Munmap(memory)
	}}, exists, nil
}

func (s *fileSharing) seconds() uint32 { return s.now.Load() }

// hostProgram compiles the bridge with host.c, the program that calls the bridge. All tests use the same program.
var hostProgram = sync.OnceValues(func() (string, error) {
	compiler, err := cc.Find()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "perfblock-host-")
	if err != nil {
		return "", err
	}
	err = errors.Join(cc.Unpack(dir, bridge.Source(), "bridge.c", "*.h"), cc.Unpack(dir, os.DirFS("bridge/testdata"), "host.c"))
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "host")
	args := []string{"-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-I", dir, "-o", program, filepath.Join(dir, "bridge.c"), filepath.Join(dir, "host.c")}
	sanitizers := []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
	if _, err := cc.Run(compiler, append(sanitizers, args...)...); err == nil {
		return program, nil
	}
	_, err = cc.Run(compiler, args...)
	return program, err
})

func TestMain(m *testing.M) {
	if folder := os.Getenv(publishVariable); folder != "" {
		fmt.Fprintln(os.Stderr, publishUntilKilled(folder))
		os.Exit(1)
	}
	code := m.Run()
	if program, err := hostProgram(); err == nil {
		os.RemoveAll(filepath.Dir(program))
	}
	os.Exit(code)
}

// A bridgeProcess is a process of hostProgram, which calls the functions of the bridge.
type bridgeProcess struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

// A state is a value of the type enum state in the C source of the bridge.
type state uint32

const (
	unregistered  state = 3
	noRights      state = 4
	invalidMemory state = 6
)

// A performanceKey has the values of the key Performance, and the current time. The bridge reads both.
type performanceKey struct {
	registry, memory                               state
	firstCounter, lastCounter, firstHelp, lastHelp uint32
	metadata                                       bool
	seconds                                        uint32
}

var registered = performanceKey{firstCounter: 5000, lastCounter: 6000, firstHelp: 5001, lastHelp: 6001, metadata: true, seconds: 1000}

// newBridge starts a process of hostProgram that reads the mappings of s.
func newBridge(t *testing.T, s *fileSharing, memory string) *bridgeProcess {
	t.Helper()
	program, err := hostProgram()
	if errors.Is(err, cc.ErrNone) && os.Getenv("PERFBLOCK_ORACLE") != "require" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, s.folder, memory)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
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
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
			t.Errorf("the host of the bridge: %v\n%s", err, stderr.Bytes())
		}
	})
	h := &bridgeProcess{t, in, bufio.NewReader(out)}
	h.register(registered)
	return h
}

func (h *bridgeProcess) send(command byte, values ...any) {
	b := []byte{command}
	for _, v := range values {
		b, _ = binary.Append(b, binary.NativeEndian, v)
	}
	if _, err := h.in.Write(b); err != nil {
		h.t.Fatal(err)
	}
}

func (h *bridgeProcess) number() (n uint32) {
	if err := binary.Read(h.out, binary.NativeEndian, &n); err != nil {
		h.t.Fatal("the host of the bridge has ended: ", err)
	}
	return n
}

func (h *bridgeProcess) bytes() []byte {
	b := make([]byte, h.number())
	if _, err := io.ReadFull(h.out, b); err != nil {
		h.t.Fatal(err)
	}
	return b
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// register sets the values that the bridge finds in the registry.
func (h *bridgeProcess) register(r performanceKey) {
	h.send('f', r.registry, r.memory, r.firstCounter, r.lastCounter, r.firstHelp, r.lastHelp, flag(r.metadata), r.seconds)
}

// open calls Open, and returns the text for the event log.
func (h *bridgeProcess) open() string {
	h.send('o')
	return string(h.bytes())
}

// collect calls Collect, checks that the call meets the requirements of Windows, and returns the data.
func (h *bridgeProcess) collect(query string, room int) (status uint32, objects int, data []byte) {
	h.t.Helper()
	text := utf16.Encode([]rune(query))
	h.send('c', uint32(room), uint32(len(text)), text)
	status, count, moved, changed, data := h.number(), h.number(), h.number(), h.number(), h.bytes()
	fault := ""
	switch {
	case status != 0 && status != 234:
		fault = "is not a status of Collect"
	case int(moved) != len(data):
		fault = fmt.Sprintf("the pointer has moved by %d bytes for %d bytes", moved, len(data))
	case len(data)%8 != 0:
		fault = fmt.Sprintf("%d bytes are no multiple of 8", len(data))
	case (count == 0) != (len(data) == 0):
		fault = fmt.Sprintf("%d objects have %d bytes", count, len(data))
	case status == 234 && count != 0:
		fault = "ERROR_MORE_DATA has data"
	case changed != 0:
		fault = "bytes after the data have changed"
	}
	if fault != "" {
		h.t.Fatalf("Collect(%q) with %d bytes, status %d: %s", query, room, status, fault)
	}
	return status, int(count), data
}

// collectAll returns the data of a query in a large buffer.
func (h *bridgeProcess) collectAll(query string) []byte {
	h.t.Helper()
	status, _, data := h.collect(query, 16<<10)
	if status == 234 {
		status, _, data = h.collect(query, 1<<20)
	}
	if status != 0 {
		h.t.Fatalf("Collect(%q): status %d", query, status)
	}
	return data
}
