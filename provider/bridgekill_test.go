//go:build unix

package provider

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// publishVariable is the name of an environment variable. If the variable is set to the folder of a fileSharing, the
// test program publishes objects in this folder until the program is killed.
const publishVariable = "PERFBLOCK_TEST_PUBLISH"

// publishUntilKilled writes one block after the other until the process is killed. All values in a block are equal.
func publishUntilKilled(folder string) error {
	s := &fileSharing{folder: folder}
	s.now.Store(registered.seconds)
	p, err := publish(s, testService)
	if err != nil {
		return err
	}
	// The process writes all the time, so a kill interrupts a write. Consecutive blocks have different values, so the
	// test detects a mixture of two blocks.
	var blocks [][]byte
	for n := range uint64(16) {
		o := builder.NewObject(FirstCounter).Counter(FirstCounter+2, layout.PERF_COUNTER_LARGE_RAWCOUNT)
		for i := range 500 {
			o.Instance(fmt.Sprint(i), n)
		}
		b, err := builder.Objects{*o}.MarshalBinary()
		if err != nil {
			return err
		}
		blocks = append(blocks, b)
	}
	for {
		for _, b := range blocks {
			if err := p.Write(b); err != nil {
				return err
			}
		}
	}
}

// TestBridgeKilledPublisher kills many publishers, one after the other, while they write. The bridge must never
// return values from two calls of Write in one block.
func TestBridgeKilledPublisher(t *testing.T) {
	t.Parallel()
	s := newFileSharing(t)
	h := newBridge(t, s, "share")
	half, last := 0, uint32(0)
	// At least one kill must leave a half-written buffer. About one kill in seven does.
	rounds := 0
	for ; rounds < long.Count(3, 30) || half == 0 && rounds < 200; rounds++ {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), publishVariable+"="+s.folder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		number, start := last, time.Now()
		for reads := 0; reads < 3; {
			if time.Since(start) > 2*time.Minute { // much longer than a slow machine needs
				t.Fatal("the bridge does not return the objects of the publisher")
			}
			if data := h.collectAll("Global"); len(data) > 0 {
				sameValue(t, data) // the first data can come from the publisher that was killed before
				if number = currentGeneration(t, s); number != last && number != 0 {
					reads++
				}
			}
		}
		last = number
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if data := h.collectAll("Global"); len(data) == 0 {
			t.Error("after the kill there is no data")
		} else {
			sameValue(t, data)
		}
		memory, err := os.ReadFile(s.path(prefix + strings.ToLower(testService) + fmt.Sprintf(generationName, number)))
		if err != nil {
			t.Fatal(err)
		}
		for buffer := range bufferCount {
			half += int(binary.LittleEndian.Uint32(memory[generationBuffersAt+buffer*bufferHeaderSize+bufferSequenceAt:]) % 2)
		}
		os.Remove(s.path(lockPrefix + strings.ToLower(testService))) // Windows removes the lock with the process
	}
	if half == 0 {
		t.Errorf("none of %d publishers was killed while it wrote", rounds)
	}
}

func currentGeneration(t *testing.T, s *fileSharing) uint32 {
	root, err := os.ReadFile(s.path(prefix + strings.ToLower(testService)))
	if err != nil {
		t.Fatal(err)
	}
	return binary.LittleEndian.Uint32(root[rootNumberAt:])
}
