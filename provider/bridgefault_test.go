//go:build unix

package provider

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// edit changes a field of a file of the shared memory.
func edit(t *testing.T, s *fileSharing, name string, at int, value uint32) {
	t.Helper()
	path := s.path(name)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(b[at:], value)
	overwrite(t, path, b)
}

func overwrite(t *testing.T, path string, b []byte) {
	t.Helper()
	// Do not write to the old file, because a process that has mapped it must keep the old bytes.
	if err := errors.Join(os.WriteFile(path+".new", b, 0o600), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// truncate shortens a file of the shared memory.
func truncate(t *testing.T, s *fileSharing, name string, size int) {
	t.Helper()
	b, err := os.ReadFile(s.path(name))
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, s.path(name), b[:size])
}

// TestBridgeFaults checks that the bridge returns no data if there is a fault. It also checks the text for the event
// log.
func TestBridgeFaults(t *testing.T) {
	t.Parallel()
	const current = "root-00000001"
	s := newFileSharing(t)
	h := newBridge(t, s, "copy")
	for _, tt := range []struct {
		reason string
		change func(t *testing.T)
		report string
	}{
		{"the publisher is closed or was never started", func(t *testing.T) { os.Remove(s.path("root")) }, ""},
		{"the publisher is dead", func(t *testing.T) { h.registerAt(1011) }, ""},
		{"the time of the publisher is in the future", func(t *testing.T) { h.registerAt(999) }, ""},
		{"nothing was written", func(t *testing.T) { edit(t, s, "root", rootNumberAt, 0) }, ""},
		{"the registry has no values", func(t *testing.T) {
			h.register(performanceKey{registry: unregistered})
		}, "Run lodctr"},
		{"the account may not read the key Performance", func(t *testing.T) { h.register(performanceKey{registry: noRights}) }, "Performance Monitor Users"},
		{"the account may not read the memory", func(t *testing.T) {
			r := registered
			r.memory = noRights
			h.register(r)
		}, "Performance Monitor Users"},
		{"the memory is a file", func(t *testing.T) {
			r := registered
			r.memory = invalidMemory
			h.register(r)
		}, "memory is damaged"},
		{"the definition that lodctr has read has fewer counters", func(t *testing.T) {
			r := registered
			r.lastCounter = 5014
			h.register(r)
		}, "a title that is not registered"},
		{"the definition that lodctr has read has fewer help texts", func(t *testing.T) {
			r := registered
			r.lastHelp = 5015
			h.register(r)
		}, "a title that is not registered"},
		{"the last title is before the first", func(t *testing.T) {
			r := registered
			r.lastCounter = 10
			h.register(r)
		}, "a title that is not registered"},
		{"the publisher is newer than the bridge", func(t *testing.T) {
			edit(t, s, "root", rootVersionAt, mappingVersion+1)
		}, "different versions"},
		{"the publisher is older than the bridge", func(t *testing.T) {
			edit(t, s, "root", rootVersionAt, mappingVersion-1)
		}, "different versions"},
		{"the generation has another version", func(t *testing.T) { edit(t, s, current, generationVersionAt, 9) }, "different versions"},
		{"the publisher is making the root", func(t *testing.T) { edit(t, s, "root", rootMagicAt, 0) }, ""},
		{"the root has another signature", func(t *testing.T) {
			edit(t, s, "root", rootMagicAt, generationMagic)
		}, "memory is damaged"},
		{"the root is too short", func(t *testing.T) { overwrite(t, s.path("root"), []byte("PFBR")) }, "memory is damaged"},
		{"the root is empty", func(t *testing.T) { overwrite(t, s.path("root"), nil) }, "memory is damaged"},
		{"the generation has another signature", func(t *testing.T) {
			edit(t, s, current, generationMagicAt, rootMagic)
		}, "memory is damaged"},
		{"the generation has another number than its name", func(t *testing.T) { edit(t, s, current, generationNumberAt, 2) }, "memory is damaged"},
		{"the buffers are larger than the mapping", func(t *testing.T) {
			edit(t, s, current, generationSizeAt, smallestBuffer+8)
		}, "memory is damaged"},
		{"the size of two buffers overflows 32 bits", func(t *testing.T) { edit(t, s, current, generationSizeAt, 1<<32-8) }, "memory is damaged"},
		{"the mapping is shorter than its buffers", func(t *testing.T) { truncate(t, s, current, 4096) }, "memory is damaged"},
		{"the mapping ends inside the header", func(t *testing.T) { truncate(t, s, current, 64) }, "memory is damaged"},
		{"the objects are longer than the buffer", func(t *testing.T) {
			edit(t, s, current, generationBuffersAt+bufferHeaderSize+bufferLengthAt, smallestBuffer+8)
		}, "memory is damaged"},
		{"the first costly object is after the end", func(t *testing.T) {
			edit(t, s, current, generationBuffersAt+bufferHeaderSize+bufferCostlyAt, 1<<31)
		}, "memory is damaged"},
		{"the first costly object starts inside an object", func(t *testing.T) {
			edit(t, s, current, generationBuffersAt+bufferHeaderSize+bufferCostlyAt, 8)
		}, "memory is damaged"},
		{"the last object is longer than the rest of the data", func(t *testing.T) {
			edit(t, s, current, generationBuffersAt+bufferHeaderSize+bufferLengthAt, 64)
			edit(t, s, current, generationBuffersAt+bufferHeaderSize+bufferCostlyAt, 64)
		}, "objects in the shared memory are damaged"},
		{"DefinitionLength of an object is too large", func(t *testing.T) {
			edit(t, s, current, generationDataAt+smallestBuffer+4, 1<<31)
		}, "objects in the shared memory are damaged"},
		{"there are too many objects", func(t *testing.T) {
			many := make(builder.Objects, mostObjects+1)
			for i := range many {
				many[i] = *builder.NewObject(FirstCounter).Counter(FirstCounter+2, layout.PERF_COUNTER_RAWCOUNT).Single(1)
			}
			b, err := many.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			overwrite(t, s.path("root-00000001"), generationOf(b, 0))
		}, "objects in the shared memory are damaged"},
		{"the name of an instance does not end with NUL", func(t *testing.T) {
			b := shopObjects(t, FirstCounter, 7)
			// These bytes are the last letter of the name "shop", and its NUL. The test writes x in place of the NUL.
			at := bytes.Index(b, []byte("p\x00\x00\x00"))
			b[at+2] = 'x'
			overwrite(t, s.path("root-00000001"), generationOf(b, 0))
		}, "objects in the shared memory are damaged"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			h.t = t
			h.register(registered)
			publishShop(t, s)
			if len(h.collectAll("Global")) == 0 || h.open() != "" {
				t.Fatal("no data before the change")
			}
			tt.change(t)
			if status, _, data := h.collect("Global", 0); status != 0 || len(data) > 0 {
				t.Errorf("status %d, must be no data", status)
			}
			if got := h.open(); (got == "") != (tt.report == "") || !strings.Contains(got, tt.report) {
				t.Errorf("Open reports %q, want a text with %q", got, tt.report)
			}
		})
	}
}

// registerAt sets the current time that the bridge reads.
func (h *bridgeProcess) registerAt(seconds uint32) {
	r := registered
	r.seconds = seconds
	h.register(r)
}
